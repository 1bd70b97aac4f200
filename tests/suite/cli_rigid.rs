//! Bodies without triangles, from the scene to the files of a run: `mesh.json`, `verify`, colours.

use crate::program::{Place, ipcsim};
use serde_json::{Value, json};

/// Scene of a circle, a ring, a wire with an isolated vertex and a point, which fall beside an
/// obstacle.
fn run(place: &Place) {
    let body = |name: &str, shape: Value, x: f64| json!({ "name": name, "kind": "rigid", "material": "steel", "shape": shape, "position": [x, 0] });
    let wire = json!({ "wire": { "vertices": [[0, 0], [1, 0], [0, 1]], "edges": [[0, 1]] } });
    let ring = json!({ "ring": { "radius": 1, "inner_radius": 0.5, "segments": 8 } });
    let scene = json!({
        "time": { "step": 0.01, "steps": 2 },
        "materials": { "steel": { "density": 7800 } },
        "bodies": [
            body("circle", json!({ "circle": { "radius": 0.5 } }), 0.0),
            body("ring", ring, 3.0),
            body("wire", wire, 6.0),
            body("point", json!({ "point": {} }), 9.0)
        ],
        "obstacles": [{ "name": "peg", "shape": { "circle": { "radius": 0.25 } }, "position": [12, 0], "spin_deg": 90 }],
        "contact": { "d_hat": 0.01, "kappa": 1e6 },
        "output": { "width": 160, "height": 90 }
    });
    std::fs::write(place.root().join("rigid.json"), scene.to_string()).unwrap();
    let ended = ipcsim(&[
        "run",
        &place.path("rigid.json"),
        "--quiet",
        "--out",
        &place.path("a"),
    ]);

    assert_eq!((ended.code, ended.stderr.as_str()), (0, ""));
}

#[test]
fn the_mesh_file_lists_circles_and_points() {
    let place = Place::new();
    run(&place);
    let mesh = place.json("a/mesh.json");
    let kinds: Vec<(&str, bool)> = mesh["bodies"]
        .as_array()
        .unwrap()
        .iter()
        .map(|body| {
            (
                body["kind"].as_str().unwrap(),
                body["filled"].as_bool().unwrap(),
            )
        })
        .collect();

    assert_eq!(
        kinds,
        [
            ("rigid", true),
            ("rigid", true),
            ("rigid", false),
            ("rigid", false),
            ("obstacle", true)
        ]
    );

    // The ring has the vertices 2 to 17, the wire 18 to 20, the point 21.
    let disk = |center: u32, radius: f64| json!({ "center_vertex": center, "rim_vertex": center + 1, "radius": radius });
    assert_eq!(mesh["disks"], json!([disk(0, 0.5), disk(22, 0.25)]));
    assert_eq!(mesh["points"], json!([20, 21]));
    assert_eq!(mesh["edges"].as_array().unwrap().len(), 8 + 8 + 1);
    assert_eq!(mesh["edges"][16], json!([18, 19]));
}

#[test]
fn a_run_of_rigid_bodies_verifies_and_can_be_coloured() {
    let place = Place::new();
    run(&place);
    let first = place.files("a");

    assert_eq!(ipcsim(&["verify", &place.path("a")]).code, 0);
    let mut pictures = Vec::new();

    for color in ["body", "stress", "speed"] {
        let ended = ipcsim(&["render", &place.path("a"), "--color-by", color]);
        assert_eq!((ended.code, ended.stderr.as_str()), (0, ""), "{color}");
        pictures.push(place.files("a")["frames/000002.png"].clone());
    }

    assert!(
        pictures[0] == first["frames/000002.png"]
            && pictures[0] != pictures[1]
            && pictures[1] != pictures[2]
    );
}

#[test]
fn verify_finds_a_circle_that_overlaps_another_body() {
    let place = Place::new();
    run(&place);
    let mesh = place.root().join("a/mesh.json");
    let text = std::fs::read_to_string(&mesh).unwrap();

    // Without a report there is no checksum of the mesh.
    std::fs::remove_file(place.root().join("a/run.json")).unwrap();
    // The gap between the circle and the ring is 1.5 m.
    for (radius, code) in [("1.9", 0), ("2.1", 1)] {
        let grown = text.replace("\"radius\": 0.5", &format!("\"radius\": {radius}"));
        assert_ne!(grown, text);

        std::fs::write(&mesh, grown).unwrap();
        let ended = ipcsim(&["verify", &place.path("a")]);
        assert_eq!(
            ended.code, code,
            "{radius}: {}{}",
            ended.stdout, ended.stderr
        );
        assert!(
            code == 0 || ended.stdout.contains("\"circle\"") && ended.stdout.contains("\"ring\""),
            "{}",
            ended.stdout
        );
    }
}

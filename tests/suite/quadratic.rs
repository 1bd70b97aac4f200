//! Runs with quadratic triangles, beside linear ones and in contact: the same bits after resuming and
//! on any number of threads, certificates, files, and files that were changed.

use crate::certificates::verify;
use crate::cli_resume::same_and_proved;
use crate::program::{Npy, Place, ipcsim};
use crate::support::{near, near_ratio};
use serde_json::{Value, json};

/// Writes a scene with a quadratic disk whose sides are curved, a damped quadratic block of two
/// materials and a linear block, which fall on the ground and on each other.
fn pile(place: &Place, plane: &str, integrator: &str) -> String {
    let elastic = json!({ "young": 1e5, "poisson": 0.35 });
    let circle = json!({ "circle": { "center": [0.0, 0.0], "radius": 0.4, "name": "rim" } });
    let scene = json!({
        "time": { "step": 0.01, "steps": 24, "integrator": integrator },
        "plane": plane,
        "materials": {
            "soft": { "density": 1000.0, "law": { "neo_hookean": elastic } },
            "damped": { "density": 900.0, "law": { "fixed_corotated": elastic },
                "damping": { "mass": 1.0, "stiffness": 0.01 } },
            "hard": { "density": 900.0, "law": { "mooney_rivlin": { "c10": 3e4, "c01": 5e3, "bulk": 4e5 } } }
        },
        "bodies": [
            { "name": "disk", "material": "soft", "elements": "quadratic", "position": [0.0, 0.42],
                "shape": { "area": { "outline": circle, "mesh": { "size": 0.2 } } }, "velocity": [0.0, -2.0] },
            { "name": "block", "material": "damped", "elements": "quadratic", "position": [0.1, 1.1],
                "shape": { "rectangle": { "size": [0.9, 0.4], "segments": [4, 2] } }, "velocity": [0.0, -4.0],
                "regions": [{ "material": "hard", "where": { "positive": "x" } }], "spin_deg": 40.0 },
            { "name": "linear", "material": "soft", "position": [-0.1, 1.6],
                "shape": { "rectangle": { "size": [0.8, 0.4], "segments": [4, 2] } }, "velocity": [0.0, -5.0] }
        ],
        "obstacles": [{ "name": "ground", "shape": { "half_plane": { "normal": [0.0, 1.0], "origin": [0.0, 0.0] } } }],
        "contact": { "friction": { "default": 0.3 } },
        "output": { "vtu": true }
    });
    place.scene(&scene)
}

#[test]
fn quadratic_triangles_keep_their_bits_on_any_threads_and_after_resuming_and_are_proved() {
    for (plane, integrator) in [("strain", "implicit_euler"), ("stress", "bdf2")] {
        let place = Place::new();
        let scene = pile(&place, plane, integrator);
        let ended = same_and_proved(&place, &scene, 6);
        ended.prints("quadratic triangles keep J > 0");
        ended.prints("by bounds");
    }
}

#[test]
fn a_folded_quadratic_triangle_and_a_wrong_facet_are_found_in_files() {
    let place = Place::new();
    let scene = pile(&place, "strain", "implicit_euler");
    let out = place.path("run");
    let all = [
        "run",
        &scene,
        "--out",
        &out,
        "--quiet",
        "--no-frames",
        "--steps",
        "2",
    ];
    assert_eq!(ipcsim(&all).code, 0);

    // The cells of a viewer's file are quadratic, and the file of the mesh says how curved they are.
    let mesh: Value = place.json("run/mesh.json");
    let quadratic = mesh["quadratic"].as_array().unwrap().len();
    let triangles = mesh["triangles"].as_array().unwrap().len();
    assert!(
        quadratic > 40 && triangles == 4 * quadratic + 16,
        "{quadratic} {triangles}"
    );
    let deviation = mesh["curve_deviation"].as_f64().unwrap();
    assert!((1e-4..5e-3).contains(&deviation), "{deviation}");

    // A node of a side moved next to a corner: three points of the energy would not see it.
    let nodes: Vec<usize> = serde_json::from_value(mesh["quadratic"][0]["nodes"].clone()).unwrap();
    let npy = Npy::open(&place.path("run/trajectory.npy"));
    let [a, b] = [npy.at(0, nodes[0]), npy.at(0, nodes[1])];
    npy.put(
        0,
        nodes[3],
        [0, 1].map(|axis| 0.9 * a[axis] + 0.1 * b[axis]),
    );
    let ended = verify(&place, "run");
    let expected = "is inverted, at (";
    ended.exits(1).prints(expected);
    ended.prints("the quadratic triangle ");
}

/// Two six-node triangles as Gmsh writes them: one with a curved side, and one that runs clockwise.
const GMSH: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n9\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n\
    5 0.5 -0.05 0\n6 1 0.5 0\n7 0.5 0.5 0\n8 0.5 1 0\n9 0 0.5 0\n$EndNodes\n$Elements\n2\n\
    1 9 2 0 1 1 2 3 5 6 7\n2 9 2 0 1 1 4 3 9 8 7\n$EndElements\n";

#[test]
fn six_node_triangles_of_a_file_keep_their_curved_sides() {
    let place = Place::new();
    std::fs::write(place.path("tile.msh"), GMSH).unwrap();
    let scene = json!({
        "time": { "step": 0.01, "steps": 2 },
        "materials": { "soft": { "density": 600.0,
            "law": { "neo_hookean": { "young": 1e5, "poisson": 0.35 } } } },
        "bodies": [{ "name": "tile", "material": "soft", "elements": "quadratic",
            "shape": { "file": { "path": "tile.msh", "unit": "m" } } }]
    });
    std::fs::write(place.path("scene.json"), scene.to_string()).unwrap();
    let out = place.path("run");
    let all = [
        "run",
        &place.path("scene.json"),
        "--out",
        &out,
        "--quiet",
        "--no-frames",
    ];
    ipcsim(&all).exits(0);

    let mesh = place.json("run/mesh.json");
    assert_eq!(mesh["quadratic"].as_array().unwrap().len(), 2);
    assert_eq!(mesh["triangles"].as_array().unwrap().len(), 8);
    let rest: Vec<[f64; 2]> = serde_json::from_value(mesh["vertices_rest"].clone()).unwrap();
    assert!(rest.len() == 9 && rest.contains(&[0.5, -0.05]));

    // A bend of 0.1 m, `|x_0 - 2 x_3 + x_1| / 8`.
    let deviation = mesh["curve_deviation"].as_f64().unwrap();
    near(deviation, 0.0125, 1e-15);
    assert_eq!(verify(&place, "run").code, 0);

    // Kinetic energy of free fall by the area within the curves: 1 + 2/3 * 0.05.
    let table = place.read("run/energies.csv");
    let header: Vec<&str> = table.lines().next().unwrap().split(',').collect();
    let column = header.iter().position(|name| *name == "kinetic").unwrap();
    let last: Vec<&str> = table.lines().last().unwrap().split(',').collect();
    let kinetic: f64 = last[column].parse().unwrap();
    let speed = 0.02 * 9.81;
    let expected = 0.5 * 600.0 * (1.0 + 0.1 / 3.0) * speed * speed;
    near_ratio(kinetic, expected, 1e-9);
}

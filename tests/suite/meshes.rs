//! Shapes from curves and files: as bodies of a run, and by `ipcsim mesh`.

use crate::program::{Ended, Place, ipcsim, png_size, project};
use crate::showcase::show;
use crate::support::{inline, near, near_point, near_ratio, scene, setup};
use ipcsim::material::Law;
use ipcsim::math::{Vec2, cross};
use ipcsim::mesh::{Domain, Loop, boundary};
use ipcsim::prelude::Simulation;
use ipcsim::scene::area::meshed;
use ipcsim::scene::import::{CellKind, Format, cells};
use ipcsim::scene::schema::{Area, Body, Material, Scene, Shape, ShapeFile, Time, Unit};
use serde_json::{Value, json};
use std::f64::consts::PI;

/// An SVG picture of a plate of 40 mm x 20 mm with a hole.
const PLATE: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"40mm\" height=\"20mm\" \
                     viewBox=\"0 0 40 20\"><rect id=\"rim\" width=\"40\" height=\"20\"/><circle \
                     id=\"bore\" cx=\"20\" cy=\"10\" r=\"5\"/></svg>";

/// A scene in which that plate falls.
fn falling(path: &str) -> Value {
    json!({
        "time": { "step": 0.005, "steps": 8 },
        "materials": { "rubber": { "density": 1000, "law": { "neo_hookean": { "young": 1e5, "poisson": 0.4 } } } },
        "bodies": [{
            "name": "plate",
            "shape": { "file": { "path": path, "unit": "own", "origin": [20, 10], "mesh": { "size": 0.004 } } },
            "material": "rubber",
            "position": [0, 0.0105]
        }],
        "obstacles": [{ "name": "ground", "shape": { "half_plane": { "normal": [0, 1], "origin": [0, 0] } } }]
    })
}

/// A place with the picture and the scene.
fn place() -> Place {
    let place = Place::new();
    std::fs::write(place.path("plate.svg"), PLATE).unwrap();
    std::fs::write(place.path("scene.json"), falling("plate.svg").to_string()).unwrap();
    place
}

/// Runs the program, which must succeed.
fn done(args: &[&str]) -> Ended {
    let ended = ipcsim(args);
    assert_eq!(ended.code, 0, "{ended:?}");
    ended
}

#[test]
fn a_run_needs_the_file_of_its_shape_no_more() {
    let place = place();
    let [scene, whole, parts] = ["scene.json", "whole", "parts"].map(|name| place.path(name));
    let more = ["--no-frames", "--certify"];
    done(&[&["run", &scene, "--out", &whole][..], &more].concat());
    let first = ["run", &scene, "--out", &parts, "--max-wall", "1e-9"];
    ipcsim(&[&first[..], &more].concat());

    // The picture has gone, and the run goes on.
    std::fs::remove_file(place.path("plate.svg")).unwrap();
    done(&["run", "--resume", &parts]);
    done(&["verify", &parts]);
    let [whole, parts] = ["whole", "parts"].map(|name| place.files(name)["trajectory.npy"].clone());
    assert_eq!(whole, parts);
}

#[test]
fn files_outside_of_the_scenes_folder_are_read_with_leave_alone() {
    let place = place();
    std::fs::create_dir(place.path("inner")).unwrap();
    let scene = place.path("inner/scene.json");
    std::fs::write(&scene, falling("../plate.svg").to_string()).unwrap();

    ipcsim(&["check", &scene])
        .exits(2)
        .complains("it is outside of the scene's folder");
    let with_leave = assert_cmd::Command::new(env!("CARGO_BIN_EXE_ipcsim"))
        .args(["check", &scene])
        .env("IPCSIM_FILES", place.root())
        .output()
        .unwrap();
    assert!(with_leave.status.success());
}

#[test]
fn a_mesh_is_written_and_read_again_with_its_groups_and_picture() {
    let place = place();
    let [svg, msh, again] = ["plate.svg", "a.msh", "b.json"].map(|name| place.path(name));
    done(&[
        "mesh",
        &svg,
        "--unit",
        "mm",
        "-o",
        &msh,
        "--size",
        "0.002",
        "--along",
        "bore=0.0005",
    ])
    .prints("group \"bore\"");
    let picture = std::fs::read(place.path("a.png")).unwrap();
    assert_eq!(png_size(&picture), [1600, 1000]);

    // Gmsh's file in metres has the same triangles, and sizes do not change them.
    done(&["mesh", &msh, "--unit", "m", "-o", &again, "--size", "1e-4"])
        .complains("has triangles already, and they stay as they are: --size changes nothing");
    let cells = cells(Format::Gmsh, place.read("a.msh").as_bytes()).unwrap();
    let written = &place.json("b.json")["mesh"];
    let triangles = written["triangles"].as_array().unwrap();
    assert_eq!(triangles.len(), cells.count(CellKind::Triangle));
    let area: f64 = triangles
        .iter()
        .map(|triangle| {
            let x = [0, 1, 2].map(|k| {
                let place =
                    &written["vertices"][usize::try_from(triangle[k].as_u64().unwrap()).unwrap()];
                Vec2::new(place[0].as_f64().unwrap(), place[1].as_f64().unwrap())
            });
            let [u, v] = [x[1] - x[0], x[2] - x[0]];
            (u.x * v.y - u.y * v.x) / 2.0
        })
        .sum();
    let exact = 0.04 * 0.02 - std::f64::consts::PI * 0.005 * 0.005;
    near_ratio(area, exact, 1e-3);
    assert!(
        written["groups"]["bore"]["vertices"]
            .as_array()
            .unwrap()
            .len()
            > 40
    );
}

/// A DXF drawing in millimetres: a plate whose left side is on a layer of its own, an axis, and a square.
const DXF: &str = "0 SECTION 2 HEADER 9 $INSUNITS 70 4 0 ENDSEC 0 SECTION 2 ENTITIES \
                   0 LWPOLYLINE 8 RIM 70 0 10 0 20 0 10 40 20 0 10 40 20 20 10 0 20 20 \
                   0 LINE 8 FIXED 10 0 20 20 11 0 21 0.005 0 CIRCLE 8 BORE 10 20 20 10 40 5 \
                   0 LINE 8 AXIS 10 -9 20 10 11 50 21 10 0 LWPOLYLINE 8 PIN 70 1 10 50 20 0 10 60 20 0 10 60 20 9 \
                   0 ENDSEC 0 EOF";

#[test]
fn a_drawing_of_several_shapes_is_one_mesh_and_each_of_them_a_body() {
    let place = Place::new();
    std::fs::write(place.path("a.dxf"), DXF.replace(' ', "\n")).unwrap();
    let [dxf, out] = ["a.dxf", "a.msh"].map(|name| place.path(name));
    let mesh = [
        "mesh",
        &dxf,
        "--unit",
        "own",
        "--tolerance",
        "1e-5",
        "-o",
        &out,
    ];
    let ended = done(&mesh);
    ended.complains("shape1 (40 x 20 about (20, 10)), shape2 (\"PIN\", 10 x 9 about (55, 4.5))");
    ended.complains("\"AXIS\" from (-9, 10) to (50, 10)");
    ended.prints("group \"shape2\"").prints("group \"FIXED\"");
    // A group of the mesh can be read again, each triangle once.
    let again = place.path("b.msh");
    done(&[
        "mesh", &out, "--unit", "m", "--part", "shape2", "-o", &again,
    ]);

    // Without the tolerance the outline has a gap, which the message names.
    let ended = ipcsim(&["mesh", &dxf, "--unit", "mm", "--part", "RIM", "-o", &out]);
    ended.exits(2).complains("curve \"RIM\" is open");
    let ended = done(&["mesh", &dxf, "--unit", "mm", "-o", &out]);
    ended.complains("a tolerance above the gap: the least one is 0.005 units of the file, 5e-6 m");

    let mut scene = falling("a.dxf");
    let file = json!({ "path": "a.dxf", "unit": "own", "tolerance": 1e-5, "part": "shape1", "mesh": { "size": 0.005 } });
    scene["bodies"][0]["shape"] = json!({ "file": file });
    scene["bodies"][0]["prescribed"] = json!([{ "vertices": "FIXED" }]);
    std::fs::write(place.path("scene.json"), scene.to_string()).unwrap();
    done(&["check", &place.path("scene.json")])
        .prints("\"a.dxf\": 1 curve is open and was left out: \"AXIS\"");
}

#[test]
fn wrong_curves_are_drawn_with_a_circle_and_named() {
    let place = Place::new();
    let crossing = PLATE.replace("cx=\"20\"", "cx=\"38\"");
    std::fs::write(place.path("plate.svg"), crossing).unwrap();
    let [svg, out] = ["plate.svg", "a.msh"].map(|name| place.path(name));
    ipcsim(&["mesh", &svg, "--unit", "mm", "-o", &out])
        .exits(2)
        .complains("outline crosses or touches holes[0] at (0.04, ");
    assert!(std::fs::exists(place.path("a.png")).unwrap());
    assert!(!std::fs::exists(&out).unwrap());

    // Numbers and names on the command line.
    let message = |more: &[&str]| {
        let args = [&["mesh", &svg, "--unit", "mm", "-o", &out][..], more].concat();
        ipcsim(&args).stderr
    };
    assert!(message(&["--size=-1"]).contains("mesh.size"));
    assert!(message(&["--along", "bor=1e-3"]).contains("did you mean \"bore\"?"));
    assert!(message(&["--part", "lid"]).contains("no path, group or layer \"lid\""));
    ipcsim(&["mesh", &svg, "-o", &out]).complains("--unit mm");
}

#[test]
fn a_rigid_body_of_curves_has_the_mass_of_their_polygons_and_their_names() {
    let area = json!({ "area": {
        "outline": { "path": { "points": [[0, 0], [2, 0], { "arc": { "through": [3, 1], "to": [2, 2] } }, [0, 2]] } },
        "holes": [{ "circle": { "center": [1, 1], "radius": 0.5, "name": "bore" } }]
    } });
    let of_kind = |kind: &str| {
        inline(json!({
            "time": { "step": 0.01, "steps": 1 },
            "materials": { "stone": { "density": 2, "law": { "linear": { "young": 1e5, "poisson": 0.3 } } } },
            "bodies": [{ "name": "body", "kind": kind, "shape": area, "material": "stone" }],
            "loads": [{ "body": "body", "on": "bore", "pressure": 1.0 }]
        }))
    };
    let exact = 2.0 * (4.0 + std::f64::consts::PI * (0.5 - 0.25));
    for kind in ["rigid", "deformable"] {
        let setup = setup(&of_kind(kind));
        let masses = &setup.world.model.mass;
        let mass: f64 = if kind == "rigid" {
            masses[0].x
        } else {
            masses.iter().map(|mass| mass.x).sum()
        };
        assert!((mass / exact - 1.0).abs() < 2e-3, "{kind} {mass} {exact}");
        assert_eq!(kind == "rigid", setup.world.triangles.is_empty());
    }
}

#[test]
fn materials_of_regions_are_in_files_for_viewers_which_can_be_read_again() {
    let place = Place::new();
    let more = ["--steps", "1", "--set", "output.vtu=true"];
    place.ran("scenes/showcase/bracket.json", "run", &more);
    let bytes = std::fs::read(place.path("run/fields/000001.vtu")).unwrap();
    let cells = cells(Format::Vtu, &bytes).unwrap();
    let grid = ipcsim::scene::import::Grid::of(&cells, 1.0, [0.0; 2], None, None).unwrap();

    // Materials are numbered by name: brass, nylon, steel.
    let brass = &grid.groups["material=0"].triangles;
    assert!(brass.len() > 10);
    for triangle in brass.iter().map(|&k| grid.triangles[k]) {
        let middle = triangle.map(|i| grid.vertices[i]).iter().sum::<Vec2>() / 3.0;
        near_point(middle, Vec2::new(0.104, 0.01), 0.004 * 1.01);
    }
}

#[test]
fn the_bolts_of_the_bracket_hold_what_it_carries() {
    let scene = scene("showcase/bracket", &["bodies.1.position=[0.07,0.2]"]);
    let mut simulation = Simulation::new(scene).unwrap();
    simulation.run(100).unwrap();

    let world = simulation.world();
    let nodes = world.bodies[0].nodes.clone();
    let mass: f64 = world.model.mass[nodes].iter().map(|mass| mass.x).sum();
    let held = simulation
        .reactions()
        .filter(|reaction| reaction.body == "bracket");
    let up: f64 = held.map(|reaction| reaction.force.y).sum();
    let expected = 400.0 + 9.81 * mass;
    near_ratio(up, expected, 2e-3);
    assert!(world.least_area_ratio(&simulation.state().x).unwrap() > 0.5);
}

#[test]
fn the_hole_of_the_plate_has_three_times_its_stress() {
    let mut run = show("plate_with_hole", &[]);
    let rest = run.world().rest.clone();
    run.steps(100);
    let x = &run.state().x;
    let edges = ipcsim::mesh::boundary::edges(&run.world().triangles);
    let is_at_hole = |i: usize| rest[i].norm() < 0.00501;
    let stresses = edges
        .iter()
        .filter(|edge| edge.iter().all(|&i| is_at_hole(i)))
        .map(|&[a, b]| {
            let strain = (x[b] - x[a]).norm() / (rest[b] - rest[a]).norm() - 1.0;
            2.1e11 * strain / 1e8
        });
    // Howland's factor for a hole of a tenth of the width, over the gross stress.
    let largest = stresses.fold(0.0, f64::max);
    near_ratio(largest, 3.035, 0.02);
}

#[test]
fn a_program_reads_a_shape_without_a_scene_file() {
    let file = ShapeFile::new("plate.svg", Unit::Own);
    let read = ipcsim::scene::shape_of_file(&file, PLATE.as_bytes()).unwrap();
    near(read.unit, 1e-3, 1e-9);
    let Shape::Area(area) = &read.shape else {
        panic!("no area");
    };
    assert_eq!(area.names(), ["rim", "bore"]);

    // A file that nobody has read is no shape yet.
    let scene = Scene::new(Time::new(0.01, 1))
        .with_material("rubber", Material::new(1.0, Law::linear(1e5, 0.3)))
        .with_body(Body::deformable("body", file, "rubber"));
    let message = scene.build().unwrap_err().to_string();
    assert!(
        message.contains("is not read; read the scene from a file"),
        "{message}"
    );
}

#[test]
fn scenes_with_shapes_from_files_are_in_the_project() {
    assert!(project("scenes/showcase/shapes/bracket.svg").exists());
    let square = Loop {
        points: [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]
            .map(Vec2::from)
            .to_vec(),
        ..Loop::default()
    };
    near(Domain::new(&[square], 0.0).unwrap().area(), 0.5, 1e-15);
}

/// A quarter of a ring between radii of 20 and 50 m, of lines and arcs, with sizes of triangles.
fn quarter(mesh: &Value) -> Area {
    let [inner, outer] = [20.0, 50.0];
    let half = 0.5_f64.sqrt();
    let area = json!({ "outline": { "path": { "points": [
        [inner, 0.0], [outer, 0.0],
        { "arc": { "through": [outer * half, outer * half], "to": [0.0, outer] } },
        [0.0, inner],
        { "arc": { "through": [inner * half, inner * half], "to": [inner, 0.0] } }
    ] } }, "mesh": mesh });
    serde_json::from_value(area).unwrap()
}

#[test]
fn vertices_on_arcs_are_on_them_and_the_area_converges_with_the_size() {
    let exact = 0.25 * PI * (2500.0 - 400.0);
    let near = json!([{ "at": [14.0, 14.0], "size": 0.3, "radius": 3.0 }]);
    let mut errors = Vec::new();
    for mesh in [
        json!({ "size": 6.0 }),
        json!({ "size": 3.0 }),
        json!({ "size": 1.5 }),
        json!({ "size": 3.0, "near": near }),
    ] {
        let meshed = meshed(&quarter(&mesh)).unwrap().mesh;
        let x = &meshed.vertices;
        for edge in boundary::edges(&meshed.triangles) {
            // On an arc, or on one of the two axes.
            for v in edge.map(|i| x[i]) {
                let off = [20.0, 50.0].map(|radius| (v.norm() - radius).abs());
                let least = off.into_iter().fold(v.amin().abs(), f64::min);
                assert!(least < 1e-9, "{mesh}: {v}");
            }
        }
        let areas = meshed.triangles.iter().map(|&[a, b, c]| {
            let area = 0.5 * cross(x[b] - x[a], x[c] - x[a]);
            assert!(area > 0.0, "{mesh}");
            area
        });
        errors.push((areas.sum::<f64>() / exact - 1.0).abs());
    }
    let [coarse, middle, fine, _] = errors[..] else {
        panic!("four meshes")
    };
    assert!(coarse / middle > 2.0 && middle / fine > 3.0, "{errors:?}");
}

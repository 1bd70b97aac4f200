//! Joints to the world, which need no obstacle, and bodies that do not collide by one line of a scene.

use crate::cli_run::table;
use crate::program::{Place, ipcsim};
use crate::support::{Run, inline, near, setup};
use ipcsim::body::BodyKind;
use ipcsim::math::Vec2;
use serde_json::{Value, json};

/// A bar of 1 m by 0.1 m at a place (m).
fn bar(name: &str, position: [f64; 2]) -> Value {
    json!({
        "name": name, "kind": "rigid", "material": "stone", "position": position,
        "shape": { "rectangle": { "size": [1.0, 0.1], "segments": [1, 1] } }
    })
}

/// A scene of some bodies and joints, with other keys.
#[expect(
    clippy::needless_pass_by_value,
    reason = "scenes in tests are read more easily so"
)]
fn scene(bodies: &[Value], joints: Value, more: Value) -> Value {
    let mut scene = json!({
        "time": { "step": 0.01, "steps": 40 },
        "materials": { "stone": { "density": 1000.0 },
                       "rubber": { "density": 1000.0, "law": { "neo_hookean": { "young": 1e6, "poisson": 0.3 } } } },
        "bodies": bodies, "joints": joints
    });
    for (key, value) in more.as_object().unwrap() {
        scene[key] = value.clone();
    }
    scene
}

/// A hinge at the left end of a bar, with a motor.
fn crank(holder: &str) -> Value {
    json!([{ "hinge": { "bodies": [holder, "bar"], "at": [0.0, 0.0], "name": "shaft", "limits_deg": [-80, 300],
                        "motor": { "speed_deg": 200.0, "torque": 900.0 } } }])
}

#[test]
fn a_hinge_to_the_world_does_what_one_to_an_obstacle_does() {
    let bodies = [bar("bar", [0.5, 0.0])];
    let peg =
        json!({ "obstacles": [{ "name": "peg", "shape": { "circle": { "radius": 0.01 } } }] });
    let mut runs = [("world", json!({})), ("peg", peg)]
        .map(|(name, more)| Run::of(&inline(scene(&bodies, crank(name), more))));
    for _ in 0..40 {
        for run in &mut runs {
            run.step();
        }
        let angles = [0, 1].map(|k| runs[k].angle(0));
        near(angles[0], angles[1], 1e-10);
    }
}

#[test]
fn all_kinds_of_joints_hold_bodies_to_the_world() {
    let soft = json!({
        "name": "bar", "material": "rubber", "position": [0.5, 0.0],
        "shape": { "rectangle": { "size": [1.0, 0.1], "segments": [10, 1] } }
    });
    let rigid = bar("bar", [0.5, 0.0]);
    let ends = json!([[0.0, 1.0], [0.0, 0.0]]);
    let guide = json!({ "at": [0.0, 0.0], "axis": [1.0, 1.0], "limits": [-0.05, 0.05] });
    let spring = json!({ "stiffness": 5e3, "damping": 10.0 });
    let cases = [
        ("hinge", json!({ "at": [0.0, 0.0] })),
        ("weld", json!({ "at": [0.0, 0.0] })),
        ("slider", guide.clone()),
        ("slot", guide),
        ("rod", json!({ "ends": ends })),
        ("rope", json!({ "ends": ends })),
        (
            "cylinder",
            json!({ "ends": ends, "motor": { "speed": 0.1, "force": 1e4 } }),
        ),
        ("spring", json!({ "ends": ends, "stiffness": 5e3 })),
        (
            "wheel",
            json!({ "at": [0.0, 0.0], "axis": [0.0, 1.0], "spring": spring }),
        ),
        (
            "rack",
            json!({ "at": [0.5, 0.0], "axis": [1.0, 0.0], "radius": -0.2 }),
        ),
        ("attach", json!({ "on": { "side": "left" } })),
    ];
    for (kind, mut keys) in cases {
        keys["bodies"] = json!(if kind == "attach" {
            ["bar", "world"]
        } else {
            ["world", "bar"]
        });
        let body = if kind == "attach" { &soft } else { &rigid };
        let joint = json!([{ kind: keys }]);
        let mut run = Run::of(&inline(scene(std::slice::from_ref(body), joint, json!({}))));
        let last = run.steps(5);
        assert!(last.len() == 5 && run.centre(0).norm() < 1.0, "{kind}");
        // The world has stayed, and feels the force of the joint.
        let world = run.world().bodies.last().unwrap();
        assert_eq!((world.kind, &*world.name), (BodyKind::World, "world"));
        assert_eq!(run.state().x[world.vertices.start], Vec2::zeros());
    }
}

#[test]
fn a_run_with_the_world_resumes_with_the_same_bits_and_is_verified_and_a_joint_to_it_breaks() {
    let place = Place::new();
    let joints = json!([
        { "hinge": { "bodies": ["world", "bar"], "at": [0.0, 0.0], "name": "shaft" } },
        { "rope": { "bodies": ["world", "bar"], "ends": [[1.0, 1.0], [1.0, 0.0]], "break_force": 300.0 } }
    ]);
    place.resumed(
        &scene(&[bar("bar", [0.5, 0.0])], joints, json!({})),
        ["15", "40"],
    );
    let report = place.json("whole/run.json");
    assert_eq!(report["broken"][0]["joint"], json!(1));

    // At the start both hold half of the weight, and the reaction of the world is all of it.
    let forces = table(&place, "whole/forces.csv");
    let of = |kind: &str| {
        forces
            .iter()
            .find(|row| row[0] == "1" && row[2] == kind)
            .unwrap()
    };
    assert_eq!(&of("joint")[3..5], ["world", "bar"]);
    assert_eq!(of("reaction")[3], "world");
    let up: f64 = of("reaction")[6].parse().unwrap();
    assert!(up > 400.0 && up < 1000.0, "{up}");
}

#[test]
fn the_name_world_is_that_of_a_body_which_has_it_and_two_of_them_are_refused() {
    let bodies = [bar("bar", [0.5, 0.0]), bar("world", [-0.5, 0.0])];
    let own = setup(&inline(scene(&bodies, crank("world"), json!({}))));
    assert!(
        own.world
            .bodies
            .iter()
            .all(|body| body.kind == BodyKind::Rigid)
    );

    let place = Place::new();
    let refused = |joint: Value, words: &str| {
        let file = place.scene(&scene(&bodies[..1], json!([joint]), json!({})));
        ipcsim(&["check", &file]).exits(2).complains(words);
    };
    let hinge = |names: [&str; 2]| json!({ "hinge": { "bodies": names, "at": [0.0, 0.0] } });
    refused(hinge(["world", "world"]), "names \"world\" twice");
    refused(hinge(["wrold", "bar"]), "did you mean \"world\"?");
    let glue = json!({ "attach": { "bodies": ["world", "bar"], "on": { "side": "left" } } });
    refused(glue, "never deforms; name the body that is glued first");
}

/// True if two bodies of a scene may collide.
fn meet(scene: &Value, names: [&str; 2]) -> bool {
    let setup = setup(&inline(scene.clone()));
    let bodies = &setup.world.bodies;
    let [a, b] = names.map(|name| bodies.iter().position(|body| body.name == name).unwrap());
    setup.world.model.surface.filter.meet(a, b)
}

#[test]
fn links_bodies_of_other_layers_or_all_pass_through_each_other_by_one_line() {
    let hinge = |names: [&str; 2], x: f64| json!({ "hinge": { "bodies": names, "at": [x, 0.0] } });
    let bodies = ["a", "b", "c", "d"].map(|name| bar(name, [0.0, 0.0]));
    let joints = json!([
        hinge(["frame", "a"], 0.0), hinge(["a", "b"], 1.0), hinge(["b", "c"], 2.0), hinge(["world", "d"], 0.0),
        { "rope": { "bodies": ["c", "d"], "ends": [[0, 1], [3, 0]] } }
    ]);
    let box_of = |name: &str, y: f64| json!({ "name": name, "position": [0.0, y], "shape": { "rectangle": { "size": [1.0, 0.1], "segments": [1, 1] } } });
    let with = |collide: &str| {
        let more = json!({ "obstacles": [box_of("frame", 9.0), box_of("floor", -9.0)], "contact": { "collide": collide,
            "exclude": [["a", "c"], ["a", "d"], ["b", "d"], ["c", "d"]] } });
        scene(&bodies, joints.clone(), more)
    };

    // A linkage is what hinges connect; supports and ropes connect nothing.
    let pairs = [
        ["a", "b"],
        ["b", "frame"],
        ["c", "frame"],
        ["b", "floor"],
        ["d", "frame"],
    ];
    let met = |collide: &str| pairs.map(|pair| meet(&with(collide), pair));
    assert_eq!(met("all"), [false, true, true, true, true]);
    assert_eq!(met("unlinked"), [false, false, false, true, true]);
    assert_eq!(met("none"), [false; 5]);

    let layers = json!([box_of("floor", -9.0), box_of("back", -8.0)]);
    let mut own = scene(
        &bodies,
        json!([]),
        json!({ "obstacles": layers, "contact": { "collide": "all" } }),
    );
    for (k, layer) in [1, 2, 2].into_iter().enumerate() {
        own["bodies"][k]["layer"] = json!(layer);
        own["bodies"][k]["position"] = json!([0.0, k]);
    }
    own["bodies"][3]["position"] = json!([0.0, 3.0]);
    own["obstacles"][1]["layer"] = json!(2);
    let pairs = [
        ["a", "b"],
        ["b", "c"],
        ["a", "d"],
        ["a", "floor"],
        ["a", "back"],
        ["c", "back"],
    ];
    assert_eq!(
        pairs.map(|pair| meet(&own, pair)),
        [false, true, true, true, false, true]
    );
}

#[test]
fn certificates_know_of_layers_and_a_body_falls_past_what_is_in_another_one() {
    let place = Place::new();
    let mut falling = bar("bar", [0.0, 0.2]);
    falling["layer"] = json!(1);
    let floor = |name: &str, y: f64, layer: u32| json!({ "name": name, "layer": layer, "shape": { "half_plane": { "angle_deg": 0, "origin": [0.0, y] } } });
    let more = json!({ "obstacles": [floor("shelf", 0.0, 2), floor("floor", -0.3, 1)] });
    let file = place.scene(&scene(&[falling], json!([]), more));
    let out = place.certified(&file, "run", &[]);
    ipcsim(&["verify", &out]).exits(0).prints("no intersection");
    let bodies = table(&place, "run/bodies.csv");
    let height = |row: &Vec<String>| row[4].parse::<f64>().unwrap();
    let last = bodies
        .iter()
        .rfind(|row| row[2] == "bar")
        .map(height)
        .unwrap();
    assert!(last < -0.24 && last > -0.26, "{last}");
}

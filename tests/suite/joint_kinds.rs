//! Joints of every kind between bodies of every kind: what stays closed, and what moves.
//!
//! Joints are put at vertices, whose positions are then known without the joint.

use crate::support::{Run, inline, near};
use ipcsim::math::Vec2;
use ipcsim::scene::Scene;
use serde_json::{Value, json};

/// Largest opening (m) of joints of bodies of 1 m that the project promises.
pub(crate) const CLOSED: f64 = 1e-10;

/// Kinds of bodies that joints hold, each with its material and numbers of cells.
pub(crate) fn kinds() -> [(Value, &'static str, [usize; 2]); 5] {
    [
        (json!("rigid"), "stone", [1, 1]),
        (json!({ "affine": {} }), "rubber", [1, 1]),
        (json!("deformable"), "rubber", [6, 2]),
        (json!({ "polynomial": { "order": 2 } }), "rubber", [6, 2]),
        (json!({ "modal": { "modes": 6 } }), "rubber", [6, 2]),
    ]
}

/// A beam of 1 m by 0.2 m from the origin to the right, with its lower left corner there.
pub(crate) fn beam((kind, material, cells): &(Value, &str, [usize; 2])) -> Value {
    json!({
        "name": "beam", "kind": kind, "material": material, "position": [0.5, 0.1], "group": "joined",
        "shape": { "rectangle": { "size": [1.0, 0.2], "segments": cells } }
    })
}

/// A scene of that beam, another one of stone far to the right, and a wall, with these joints.
#[expect(
    clippy::needless_pass_by_value,
    reason = "scenes in tests are read more easily so"
)]
pub(crate) fn joined(beam: &Value, joints: Value) -> Scene {
    let other = json!({
        "name": "other", "kind": "rigid", "material": "stone", "position": [3.0, 0.0], "group": "joined",
        "shape": { "rectangle": { "size": [0.5, 0.1], "segments": [1, 1] } }
    });
    inline(json!({
        "time": { "step": 0.01, "steps": 60 },
        "materials": {
            "stone": { "density": 1000.0 },
            "rubber": { "density": 1000.0, "law": { "neo_hookean": { "young": 1e6, "poisson": 0.3 } } }
        },
        "bodies": [beam, other],
        "obstacles": [{
            "name": "wall", "position": [-0.5, 0.0], "group": "joined",
            "shape": { "rectangle": { "size": [0.2, 0.2], "segments": [1, 1] } }
        }],
        "joints": joints,
        "solver": { "tolerance": 1e-7 }
    }))
}

/// An object with the keys of another one added.
pub(crate) fn extended(mut all: Value, more: &Value) -> Value {
    let (Value::Object(keys), Value::Object(more)) = (&mut all, more) else {
        panic!("not an object")
    };
    keys.extend(more.clone());
    all
}

/// Number of the vertex of the beam that is at a place at the start (m).
pub(crate) fn vertex(run: &Run, place: Vec2) -> usize {
    let own = run.world().bodies[0].vertices.clone();
    let x = &run.state().x;
    let found = own.into_iter().find(|&i| (x[i] - place).norm() < 1e-12);
    found.unwrap_or_else(|| panic!("no vertex at {place}"))
}

/// Runs a scene to its end with a test of all positions after each step.
pub(crate) fn watch(scene: &Scene, mut test: impl FnMut(&[Vec2], usize)) -> Run {
    let mut run = Run::of(scene);
    for step in 1..=scene.time.steps {
        run.step();
        test(&run.state().x, step);
    }
    run
}

#[test]
fn a_hinge_holds_a_vertex_of_every_kind_of_body() {
    let at = Vec2::zeros();
    for kind in kinds() {
        let joints = json!([{ "hinge": { "bodies": ["wall", "beam"], "at": [0.0, 0.0] } }]);
        let scene = joined(&beam(&kind), joints);
        let held = vertex(&Run::of(&scene), at);
        let end = watch(&scene, |x, step| {
            let open = (x[held] - at).norm();
            assert!(open < CLOSED, "{kind:?} step {step}: {open:e}");
        });
        // Modes of vibration turn by shear, hence not far.
        assert!(end.centre(0).y < 0.08, "{kind:?} does not swing");
    }
}

#[test]
fn a_weld_holds_a_body_and_its_angle() {
    for kind in kinds() {
        let joints = json!([{ "weld": { "bodies": ["wall", "beam"], "at": [0.0, 0.0] } }]);
        let scene = joined(&beam(&kind), joints);
        let run = Run::of(&scene);
        let start = run.state().x.clone();
        let held = vertex(&run, Vec2::zeros());
        let is_soft = kind.1 == "rubber";
        let own = run.world().bodies[0].vertices.clone();
        watch(&scene, |x, step| {
            let open = (x[held] - start[held]).norm();
            assert!(open < CLOSED, "{kind:?} step {step}: {open:e}");

            // A rigid beam does not move at all, a soft one bends.
            let far = own.clone().map(|i| (x[i] - start[i]).norm());
            let far = far.fold(0.0, f64::max);
            assert!(
                if is_soft {
                    far < 0.5
                } else {
                    far < 2.0 * CLOSED
                },
                "{far:e}"
            );
        });
    }
}

#[test]
fn sliders_and_slots_hold_a_vertex_on_a_line() {
    let axis = Vec2::new(3.0, -4.0) / 5.0;
    for kind in kinds() {
        for name in ["slider", "slot"] {
            let guide =
                json!({ "bodies": ["wall", "beam"], "at": [0.0, 0.0], "axis": [3.0, -4.0] });
            let scene = joined(&beam(&kind), json!([{ name: guide }]));
            let held = vertex(&Run::of(&scene), Vec2::zeros());
            let is_rigid = kind.1 == "stone";
            let end = watch(&scene, |x, step| {
                let off = axis.perp(&x[held]).abs();
                assert!(off < CLOSED, "{name} {kind:?} step {step}: {off:e}");
            });
            let way = end.state().x[held].dot(&axis);
            assert!(way > 0.1, "{name} {kind:?} does not slide: {way}");

            // Down a slope without friction: implicit Euler falls g h^2 n (n + 1) / 2 times its sine.
            if is_rigid && name == "slider" {
                let fallen = 9.81 * 1e-4 * 60.0 * 61.0 / 2.0 * 0.8;
                near(way, fallen, 1e-6);
            }
        }
    }
}

#[test]
fn rods_and_ropes_end_at_vertices_of_every_kind_of_body() {
    let foot = Vec2::new(0.0, 0.5);
    for kind in kinds() {
        let ends = json!([[0.0, 0.5], [0.0, 0.0]]);
        for (name, line, length) in [
            (
                "rod",
                json!({ "bodies": ["wall", "beam"], "ends": ends }),
                0.5,
            ),
            (
                "rope",
                json!({ "bodies": ["wall", "beam"], "ends": ends, "length": 0.8 }),
                0.8,
            ),
        ] {
            let scene = joined(&beam(&kind), json!([{ name: line }]));
            let held = vertex(&Run::of(&scene), Vec2::zeros());
            let mut longest = 0.0_f64;
            watch(&scene, |x, step| {
                let excess = (x[held] - foot).norm() - length;
                longest = longest.max(excess);
                assert!(excess < CLOSED, "{name} {kind:?} step {step}: {excess:e}");
                assert!(
                    name == "rope" || excess > -CLOSED,
                    "{name} {kind:?} step {step}"
                );
            });
            assert!(longest > -CLOSED, "the {name} is never taut: {longest:e}");
        }
    }
}

#[test]
fn soft_bodies_are_glued_to_others_of_every_kind() {
    for kind in kinds() {
        let mut soft = beam(&kinds()[2]);
        soft["name"] = json!("soft");
        soft["position"] = json!([0.5, 0.31]);
        let mut scene = joined(
            &beam(&kind),
            json!([
                { "attach": { "bodies": ["soft", "beam"], "on": { "side": "bottom" } } },
                { "hinge": { "bodies": ["wall", "beam"], "at": [0.0, 0.0] } }
            ]),
        );
        scene.bodies.push(serde_json::from_value(soft).unwrap());
        let run = Run::of(&scene);
        let held = vertex(&run, Vec2::new(0.0, 0.2));
        let own = run.world().bodies[2].vertices.clone();
        let x = &run.state().x;
        let glued = own
            .clone()
            .find(|&i| (x[i] - Vec2::new(0.0, 0.21)).norm() < 1e-12);
        let glued = glued.unwrap();

        // The two corners turn together, 1 cm apart; bodies of one triangle stretch a little.
        let is_rigid = kind.1 == "stone";
        watch(&scene, |x, step| {
            let apart = (x[held] - x[glued]).norm();
            let allowed = if is_rigid { CLOSED } else { 2e-3 };
            assert!(
                (apart - 0.01).abs() < allowed,
                "{kind:?} step {step}: {apart}"
            );
        });
    }
}

#[test]
fn gears_keep_their_ratio_at_many_turns_a_step() {
    let gear = json!([
        { "hinge": { "bodies": ["axle", "first"], "at": [0.0, 0.0] } },
        { "hinge": { "bodies": ["axle", "second"], "at": [2.0, 0.0] } },
        { "gear": { "bodies": ["first", "second"], "ratio": -1.5 } }
    ]);
    let wheel = |name: &str, x: f64, spin: f64| {
        json!({
            "name": name, "kind": "rigid", "material": "stone", "position": [x, 0.0], "spin_deg": spin,
            "shape": { "circle": { "radius": 0.3 } }, "group": "joined"
        })
    };
    // 3 turns a step and 2 turns back.
    let scene = inline(json!({
        "time": { "step": 0.01, "steps": 10 },
        "gravity": [0.0, 0.0],
        "materials": { "stone": { "density": 1000.0 } },
        "bodies": [wheel("first", 0.0, 108_000.0), wheel("second", 2.0, -72_000.0)],
        "obstacles": [{
            "name": "axle", "shape": { "rectangle": { "size": [0.1, 0.1], "segments": [1, 1] } }, "group": "joined"
        }],
        "joints": gear
    }));
    let mut run = Run::of(&scene);
    for step in 1..=10 {
        run.step();
        let [first, second] = [run.angle(0), run.angle(1)];
        let error = first + 1.5 * second;
        assert!(error.abs() < 1e-10, "step {step}: {error:e}");
        let expected = 3.0 * std::f64::consts::TAU * f64::from(step);
        near(first, expected, 1e-6 * expected);
    }
}

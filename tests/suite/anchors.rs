//! Anchors of sticking contacts: nothing creeps, what slides obeys Coulomb, and what was turned comes
//! back to its place.

use crate::support::{Parts, inline, near_ratio};
use ipcsim::contact::ELASTIC_SLIP;
use ipcsim::math::Vec2;
use serde_json::{Value, json};

/// Acceleration of gravity (m/s^2).
const G: f64 = 9.81;

/// Activation distance (m).
const D_HAT: f64 = 1e-3;

/// A scene with a block of a kind on a floor, both of a coefficient of friction, under gravity that
/// falls to the right with a `slope`.
fn on_slope(kind: &Value, floor: &Value, coefficient: f64, slope: f64) -> Value {
    let theta = slope.atan();
    json!({
        "gravity": [G * theta.sin(), -G * theta.cos()],
        "time": { "step": 0.01, "steps": 1000 },
        "materials": {
            "stone": { "density": 1000, "law": { "neo_hookean": { "young": 1e6, "poisson": 0.3 } } },
        },
        "bodies": [{ "name": "block", "kind": kind, "material": "stone",
            "shape": { "rectangle": { "size": [0.5, 0.25], "segments": [4, 2] } },
            "position": [0.0, 0.125 + 0.98 * D_HAT] }],
        "obstacles": [{ "name": "floor", "shape": floor }],
        "contact": { "d_hat": D_HAT, "friction": { "default": coefficient, "stick": "anchors" } },
        "solver": { "tolerance": 1e-9 },
    })
}

/// Kinds of bodies.
fn kinds() -> [Value; 3] {
    [json!("rigid"), json!({ "affine": {} }), json!("deformable")]
}

/// A half-plane, and edges whose vertices the block does not meet.
fn floors() -> [Value; 2] {
    let points: Vec<[f64; 2]> = (-100..=200).map(|k| [0.0317 * f64::from(k), 0.0]).collect();
    [
        json!({ "half_plane": { "normal": [0, 1], "origin": [0, 0] } }),
        json!({ "polyline": { "points": points } }),
    ]
}

/// The run of a scene after some steps.
fn after(scene: Value, steps: usize) -> Parts {
    let mut run = Parts::of(&inline(scene));
    for _ in 0..steps {
        run.step();
    }
    run
}

/// Largest way of a vertex since it was at `start` (m).
fn moved(run: &Parts, start: &[Vec2]) -> f64 {
    let ways = run
        .state
        .x
        .iter()
        .zip(start)
        .map(|(x, start)| (x - start).norm());
    ways.fold(0.0, f64::max)
}

#[test]
fn a_block_on_a_slope_that_friction_holds_does_not_creep() {
    for kind in kinds() {
        for floor in floors() {
            let mut run = after(on_slope(&kind, &floor, 0.51, 0.5), 300);
            let start = run.state.x.clone();
            for _ in 0..500 {
                run.step();
            }
            let drift = moved(&run, &start);
            assert!(drift < 1e-9, "{kind} {floor}: {drift:e} m in 5 s");
        }
    }
}

#[test]
fn the_elastic_slip_of_a_block_at_rest_is_that_of_the_law() {
    // The force 2 r - r^2 of the slip r eps is the tangent over the coefficient.
    let [tangent, coefficient] = [0.3, 0.51];
    let share = 1.0 - f64::sqrt(1.0 - tangent / coefficient);
    let run = after(
        on_slope(&json!("rigid"), &floors()[0], coefficient, tangent),
        300,
    );
    let anchors = &run.state.memory.options.sticking.anchors;
    assert!(anchors.len() >= 2);
    let mut mean = 0.0;
    for anchor in anchors {
        mean += anchor.slip.abs() / (ELASTIC_SLIP * D_HAT) / anchors.len() as f64;
    }
    // Contacts share the load unevenly while the block settles, and all of them slip by the same.
    near_ratio(mean, share, 0.1);
}

#[test]
fn a_block_on_a_slope_that_is_too_steep_slides_as_coulomb_has_it() {
    for kind in kinds() {
        for floor in floors() {
            // At vertices, forces differ a little where an edge ends.
            let coefficient = 0.49;
            let mut scene = on_slope(&kind, &floor, coefficient, 0.5);
            scene["contact"]["model"] = json!("edges");
            let mut run = after(scene, 100);
            let before = run.state.v[0].x;
            for _ in 0..100 {
                run.step();
            }
            let acceleration = run.state.v[0].x - before;
            let expected = G * (1.0 - 2.0 * coefficient) / 5.0_f64.sqrt();
            assert!(
                (acceleration / expected - 1.0).abs() < 1e-6,
                "{kind} {floor}: {acceleration} {expected}"
            );
        }
    }
}

#[test]
fn a_block_on_a_plane_that_tilts_there_and_back_is_back_at_its_place() {
    // What deforms slides a little where it is hardly pressed, and that stays.
    for (kind, bound) in kinds().into_iter().zip([1e-9, 2e-5, 2e-5]) {
        let mut scene = on_slope(&kind, &floors()[0], 0.6, 0.0);
        let turned = |time: f64, angle: f64| json!({ "time": time, "position": [0, 0], "rotation_deg": angle });
        scene["obstacles"][0]["keyframes"] =
            json!([turned(1.0, 0.0), turned(3.0, 5.0), turned(5.0, 0.0)]);
        let mut run = after(scene, 100);
        let start = run.state.x.clone();
        for _ in 0..600 {
            run.step();
        }
        let away = moved(&run, &start);
        assert!(away < bound, "{kind}: {away:e} m");
    }
}

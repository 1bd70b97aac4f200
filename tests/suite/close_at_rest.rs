//! Gaps at rest in motion: what a run says of them, and `contact.close_at_rest`.

use crate::support::inline;
use ipcsim::Simulation;
use serde_json::{Value, json};

/// A soft block of 0.1 m that falls by 1 cm onto the ground, or that a plate presses against the ground within
/// half a second.
fn block(integrator: &str, young: f64, is_pressed: bool, contact: &Value) -> Simulation {
    let mut obstacles = vec![json!({ "name": "ground",
        "shape": { "half_plane": { "normal": [0, 1], "origin": [0, 0] } } })];
    let mut height = 0.06;
    if is_pressed {
        obstacles.push(json!({ "name": "plate",
            "shape": { "rectangle": { "size": [0.3, 0.02], "segments": [1, 1] } }, "position": [0, 0.112],
            "keyframes": [{ "time": 0.0, "position": [0, 0.112] }, { "time": 0.5, "position": [0, 0.109] }] }));
        height = 0.051;
    }
    Simulation::new(inline(json!({
        "time": { "step": 0.005, "steps": 250, "integrator": integrator },
        "materials": { "m": { "density": 1000.0, "law": { "neo_hookean": { "young": young, "poisson": 0.3 } } } },
        "bodies": [{ "name": "block", "shape": { "rectangle": { "size": [0.1, 0.1], "segments": [4, 4] } },
            "material": "m", "position": [0, height] }],
        "obstacles": obstacles,
        "contact": contact })))
    .unwrap()
}

#[test]
fn pairs_at_rest_come_as_close_as_in_statics_by_every_integrator() {
    for integrator in ["implicit_euler", "bdf2", "tr_bdf2", "trapezoid"] {
        for young in [1e5, 1e8] {
            let share = |contact: Value| {
                let mut simulation = block(integrator, young, false, &contact);
                let gaps = (0..250).filter_map(|_| simulation.step().unwrap().gap_at_rest);
                gaps.last().unwrap().share
            };
            let [usual, close] = [json!({}), json!({ "close_at_rest": true })].map(share);
            assert!(usual > 0.05, "{integrator}, {young}: {usual}");
            assert!(close <= 1.05e-3, "{integrator}, {young}: {close}");
        }
    }
}

#[test]
fn a_pressed_block_is_as_stiff_as_with_a_barrier_that_hardly_reaches() {
    for integrator in ["implicit_euler", "bdf2"] {
        let pressed = |contact: Value| {
            let mut simulation = block(integrator, 1e6, true, &contact);
            simulation.run(250).unwrap();
            let plate = simulation
                .reactions()
                .find(|reaction| reaction.body == "plate");
            plate.unwrap().force.y
        };

        let exact = pressed(json!({ "d_hat": 1e-6 }));
        let close = pressed(json!({ "close_at_rest": true }));
        let usual = pressed(json!({}));
        assert!(
            (close / exact - 1.0).abs() < 5e-3,
            "{integrator}: {close} for {exact} N"
        );
        assert!(
            (usual / exact - 1.0).abs() > 0.05,
            "{integrator}: {usual} for {exact} N"
        );
    }
}

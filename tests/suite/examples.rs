//! The examples of the library: each is run, and chapter 8 on one page follows the tutorial.

use crate::tutorial::{positions, recorded};

#[path = "../../examples/chapter_8.rs"]
mod chapter_8;
#[path = "../../examples/falling_ball.rs"]
mod falling_ball;
#[path = "../../examples/own_energy.rs"]
pub(crate) mod own_energy;
#[path = "../../examples/random_scene/scene.rs"]
pub(crate) mod random_scene;
#[path = "../../examples/read_forces.rs"]
pub(crate) mod read_forces;

#[test]
fn every_example_runs() {
    chapter_8::main().unwrap();
    falling_ball::main().unwrap();
    own_energy::main().unwrap();
    read_forces::main().unwrap();
}

#[test]
fn the_algorithm_on_one_page_follows_the_tutorial_as_closely_as_the_simulator() {
    let data = recorded("08_two_squares_friction");
    let frames = data["positions_at_tolerance_1e-6"].as_array().unwrap();
    let trajectory = chapter_8::trajectory(frames.len() - 1).unwrap();

    let mut deviations = Vec::new();
    for (frame, x) in frames.iter().zip(&trajectory) {
        // The last vertex of the data is the ceiling.
        let expected = positions(frame);
        let squares = expected.len() - 1;
        let errors = x.iter().zip(&expected[..squares]);
        deviations.push(errors.map(|(x, at)| (x - at).amax()).fold(0.0, f64::max));
    }

    let worst = |range: &[f64]| range.iter().copied().fold(0.0, f64::max);
    let early = worst(&deviations[..=60]);
    let all = worst(&deviations);
    println!(
        "{early:.2e} m to step 60, {all:.2e} m to step {}",
        frames.len() - 1
    );
    assert!(early <= 1e-6, "{early:e} m");
    assert!(all <= 1e-5, "{all:e} m");
}

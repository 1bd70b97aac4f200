//! The book's chapters against trajectories of its tutorial, solved to 1e-6 m/s.

use crate::support::{Run, deviation, scene};
use ipcsim::math::Vec2;
use serde_json::Value;

/// Chapters whose trajectory was recorded, and whether the last vertex of the data is a ceiling,
/// which has mass there.
pub(crate) const CHAPTERS: [(&str, bool); 6] = [
    ("03_contact", false),
    ("04_friction", false),
    ("05_moving_dirichlet", true),
    ("06_inversion_free", true),
    ("07_two_squares", true),
    ("08_two_squares_friction", true),
];

/// Recorded run of the tutorial.
pub(crate) fn recorded(chapter: &str) -> Value {
    let path = format!("tests/data/tutorial/{chapter}.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Positions of all vertices in a recorded frame (m).
pub(crate) fn positions(frame: &Value) -> Vec<Vec2> {
    let number = |v: &Value| v.as_f64().unwrap();
    frame
        .as_array()
        .unwrap()
        .iter()
        .map(|p| Vec2::new(number(&p[0]), number(&p[1])))
        .collect()
}

/// The largest distance of a vertex from where the tutorial has it, for each step.
fn deviations(chapter: &str, overrides: &[&str], ceiling: bool) -> Vec<f64> {
    let data = recorded(chapter);
    let frames = data["positions_at_tolerance_1e-6"].as_array().unwrap();
    let mut settings = vec!["solver.tolerance=1e-6"];
    settings.extend(overrides);
    let mut run = Run::of(&scene(&format!("book/{chapter}"), &settings));
    let mut deviations = Vec::new();

    for frame in frames {
        let expected = positions(frame);
        let count = expected.len() - usize::from(ceiling);
        let x = &run.state().x[..count];
        deviations.push(deviation(x, |i| expected[i]));
        run.step();
    }

    deviations
}

#[test]
fn every_vertex_follows_the_tutorial_within_a_micrometre_to_step_60_and_ten_to_the_end() {
    for (chapter, ceiling) in CHAPTERS {
        let deviations = deviations(chapter, &[], ceiling);
        let worst = |range: &[f64]| range.iter().copied().fold(0.0, f64::max);
        let early = worst(&deviations[..=60]);
        let all = worst(&deviations);
        println!(
            "{chapter}: {early:.2e} m to step 60, {all:.2e} m to step {}",
            deviations.len() - 1
        );
        assert!(early <= 1e-6, "{chapter}: {early:e} m");
        assert!(all <= 1e-5, "{chapter}: {all:e} m");
    }
}

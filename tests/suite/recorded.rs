//! Energies against those of the book's tutorial.

use crate::support::{Run, scene};
use crate::tutorial::{CHAPTERS, positions, recorded};
use ipcsim::time::Record;
use serde_json::Value;

/// Kinetic energy and gravity's potential of the tutorial's ceiling at the end of step `k + 1` (J).
fn of_ceiling(data: &Value, k: usize, h: f64) -> [f64; 2] {
    let frame = |k: usize| {
        *positions(&data["positions_at_tolerance_1e-6"][k])
            .last()
            .unwrap()
    };
    let mass = data["mass"]
        .as_array()
        .unwrap()
        .last()
        .unwrap()
        .as_f64()
        .unwrap();
    let before = frame(k);
    let after = frame(k + 1);
    [
        0.5 * mass * ((after - before) / h).norm_squared(),
        9.81 * mass * after.y,
    ]
}

/// Energy of a name (J).
fn column(record: &Record, names: &[&str], name: &str) -> f64 {
    if name == "kinetic" {
        return record.kinetic;
    }

    let names = names
        .iter()
        .map(|&n| if n == "spring" { "elastic" } else { n });
    names
        .zip(&record.potentials)
        .find(|(n, _)| *n == name)
        .map_or(0.0, |(_, value)| *value)
}

#[test]
fn every_energy_is_that_of_the_tutorial_to_step_60() {
    for (chapter, ceiling) in CHAPTERS {
        let data = recorded(chapter);
        let mut run = Run::of(&scene(
            &format!("book/{chapter}"),
            &["solver.tolerance=1e-6"],
        ));
        let names = Record::columns(run.world());
        let records = run.steps(60);

        for name in ["kinetic", "gravity", "elastic", "barrier", "friction"] {
            let expected = |k: usize| {
                let own = if ceiling {
                    of_ceiling(&data, k, run.world().h)
                } else {
                    [0.0; 2]
                };
                let whole = data["energy_at_tolerance_1e-6"][k][name]
                    .as_f64()
                    .unwrap_or(0.0);
                whole
                    - match name {
                        "kinetic" => own[0],
                        "gravity" => own[1],
                        _ => 0.0,
                    }
            };
            let mut worst = 0.0_f64;
            for (k, record) in records.iter().enumerate() {
                worst = worst.max((column(record, &names, name) - expected(k)).abs());
            }
            let scale = (0..60).map(|k| expected(k).abs()).fold(0.0, f64::max);
            println!("{chapter} {name}: {worst:.2e} J of {scale:.2e} J");

            assert!(
                worst <= 1e-5 * scale,
                "{chapter} {name}: {worst:e} J of {scale:e} J"
            );
        }
    }
}

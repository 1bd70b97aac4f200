//! A row of dominoes at two sizes.
//!
//! Gravity and the barrier are the only forces. If lengths grow by `k`, times grow by `sqrt k` and
//! pressures by `k`, with the density the same; then the motion is the same but for its scale.
//!
//! With the height `l` of a domino, `sqrt(g l)` is the only speed and `sqrt(l / g)` the only time
//! that gravity and size make. Step, tolerance, barrier and friction are all stated in these units,
//! for 0.05, 0.5 and 5 m. The first domino is pushed with a speed in the same units.
//!
//! A domino counts as fallen when it has turned by 10 degrees. The speed of the wave is that from
//! the fifth to the tenth, over `sqrt(g l)`; the larger sizes agree with the smallest to 5e-3. The
//! case proves the scaling; it does not compare the speed with an experiment.

use crate::scenes::{Exact, G, STONE, ground, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "rock_dominoes",
    title: "Speed of toppling dominoes scales with their size",
    proves: "The wave of a row of dominoes has a speed in proportion to the root of their size.",
    formula: "v / sqrt(g l) is the same at all sizes l",
    source: "McLachlan, Beaupre, Cox, Gore 1983, Falling dominoes",
    weight: Weight::Quick,
    run,
};

/// Number of dominoes.
const COUNT: usize = 12;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("domino", "time / sqrt(l / g)"));
    let sizes = [0.05, 0.5, 5.0];
    let mut times = Vec::new();
    for size in sizes {
        times.push(times_of_falling(size)?);
    }

    // From the fifth to the tenth domino, in lengths of a domino.
    let speeds = times
        .iter()
        .map(|times| 5.0 * SPACING / (times[9][1] - times[4][1]));
    let speeds: Vec<f64> = speeds.collect();
    for (size, speed) in sizes.iter().zip(&speeds).skip(1) {
        let name = format!("v / sqrt(g l), l {size} m, against 0.05 m");
        outcome.relative(name, "1", speeds[0], *speed, 5e-3);
    }
    for (k, (size, times)) in sizes.iter().zip(times).enumerate() {
        let label = format!("l {size} m");
        if k == 0 {
            outcome.plot.line(label, times);
        } else {
            outcome.plot.points(label, times);
        }
    }
    Ok(outcome)
}

/// Distance of dominoes in heights of a domino.
const SPACING: f64 = 0.5;

/// Number of each domino, and the time at which it has turned by 10 degrees, in `sqrt(l / g)`.
fn times_of_falling(size: f64) -> Result<Vec<[f64; 2]>, Error> {
    let second = (size / G).sqrt();
    let gap = 0.95e-3 * size;
    let mut scene = scene(0.02 * second, 1)
        .tolerance(1e-6 * (size * G).sqrt())
        .barrier(1e-3 * size, 200.0 * 1000.0 * G * size)
        .rough(0.5, 1e-3 * (size * G).sqrt())
        .with_obstacle(ground());
    for k in 0..COUNT {
        let domino = Rectangle::new([0.15 * size, size], [1, 1]);
        let mut domino = Body::rigid(format!("domino {k}"), domino, STONE);
        if k == 0 {
            // The first one is pushed.
            domino = domino.with_velocity([1.5 * (size * G).sqrt() * 0.5, 0.0]);
            domino = domino.with_spin(-(1.5 * (G / size).sqrt()).to_degrees());
        }
        scene = scene.with_body(domino.at([SPACING * size * k as f64, 0.5 * size + gap]));
    }

    let mut simulation = Simulation::new(scene)?;
    let mut times = Vec::new();
    while times.len() < COUNT && simulation.time() < 30.0 * second {
        simulation.step()?;
        let next = simulation.body(&format!("domino {}", times.len()))?;
        if next
            .angle()
            .is_some_and(|angle| angle < -10.0_f64.to_radians())
        {
            times.push([times.len() as f64, simulation.time() / second]);
        }
    }
    times.resize(COUNT, [f64::NAN; 2]);
    Ok(times)
}

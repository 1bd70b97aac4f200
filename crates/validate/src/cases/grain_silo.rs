//! Grains in a narrow silo whose base sinks: Janssen's law.
//!
//! Grains that settle as the base sinks hang on the walls by friction, which carries a part of their weight
//! `W`. With the same share of the pressure on the walls at each height the base has
//! `F = F1 (1 - exp(-W / F1))`: it feels no more than `F1`, however high the silo is filled.
//!
//! Three fillings of 60, 120 and 180 disks between walls with `mu = 0.5` come to rest, then the base sinks by
//! half a diameter in a second. `F` is its mean over that time, less the first tenth, and `F1` is that of the
//! mean of three packings of the middle filling. Means of the others are judged to 15 %, the scatter
//! of packings. A force that is in proportion to the filling, or does not depend on it, is off by 28 and
//! 44 %. Without friction on the walls the base has the weight to 1e-4 when at rest.

use crate::formulas::root;
use crate::grains::{GRAIN, SEEDS, packed};
use crate::scenes::{G, force_on};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "grain_silo",
    title: "Janssen: the base of a silo carries a part of its grains",
    proves: "Walls carry grains by friction, so that the force on the base of a silo hardly grows with its filling.",
    formula: "F = F1 (1 - exp(-W / F1)), one F1 for all fillings",
    source: "Janssen 1895; Sperl 2006, Granular Matter 8, Experiments on corn pressure in silo cells",
    weight: Weight::Full,
    run,
};

/// Width of the silo (m), numbers of grains, coefficient of friction (1), step (s).
const WIDTH: f64 = 7.0 * GRAIN;
const COUNTS: [usize; 3] = [60, 120, 180];
const MU: f64 = 0.5;
const H: f64 = 4e-3;
/// Times at which the base begins and ends to sink, and from which on its force counts (s).
const SINKS: [f64; 2] = [0.5, 1.5];
const COUNTED: f64 = 0.6;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("grains", "force of the base / weight"));
    let mut means = Vec::new();
    for count in COUNTS {
        let own = SEEDS.map(|seed| Ok(sunk(count, seed)?[1]));
        let own: Vec<f64> = own.into_iter().collect::<Result<_, Error>>()?;
        means.push(own.iter().sum::<f64>() / own.len() as f64);
        let points = own.into_iter().map(|share| [count as f64, share]);
        outcome
            .plot
            .points(format!("{count} grains"), points.collect());
    }

    // The middle filling has `W / F1 = x` with `(1 - exp(-x)) / x` for its share.
    let share = |x: f64| (1.0 - (-x).exp()) / x;
    let middle = root([1e-3, 50.0], |x| share(x) - means[1]);
    let janssen = |count: f64| share(middle * count / COUNTS[1] as f64);
    outcome.plot.curve("Janssen", [10.0, 200.0], janssen);
    for k in [0, 2] {
        let count = COUNTS[k];
        let name = format!("force of the base / weight, {count} grains, three packings");
        outcome.relative(name, "1", janssen(count as f64), means[k], 0.15);
    }

    let [rest, _] = smooth(COUNTS[0])?;
    outcome.relative(
        "force of the base / weight, walls without friction",
        "1",
        1.0,
        rest,
        1e-4,
    );
    Ok(outcome)
}

/// Force of the base over the weight when grains are at rest, and its mean while the base sinks.
fn sunk(count: usize, seed: u64) -> Result<[f64; 2], Error> {
    measured(packed(H, count, WIDTH, seed).with_friction(MU))
}

/// The same for walls without friction.
fn smooth(count: usize) -> Result<[f64; 2], Error> {
    let mut scene = packed(H, count, WIDTH, SEEDS[0]).with_friction(MU);
    for k in 0..count {
        for wall in ["left wall", "right wall"] {
            let pair = FrictionPair::new(format!("grain {k}"), wall, 0.0);
            scene.contact.friction.pairs.push(pair);
        }
    }
    measured(scene)
}

/// The same of a scene of grains, to which this adds the base.
fn measured(scene: Scene) -> Result<[f64; 2], Error> {
    let mut base = Obstacle::new("base", HalfPlane::new([0.0, 1.0], [0.0, 0.0]));
    base.keyframes = vec![
        Keyframe::new(SINKS[0], [0.0, 0.0]),
        Keyframe::new(SINKS[1], [0.0, -0.5 * GRAIN]),
    ];
    let mut simulation = Simulation::new(scene.with_obstacle(base))?;
    let weight: f64 = G * simulation.bodies().map(|body| body.mass()).sum::<f64>();

    let [mut rest, mut sum, mut steps] = [0.0; 3];
    while simulation.time() < SINKS[1] {
        simulation.step()?;
        let share = -force_on(&simulation, "base").y / weight;
        if simulation.time() <= SINKS[0] {
            rest = share;
        } else if simulation.time() > COUNTED {
            sum += share;
            steps += 1.0;
        }
    }
    Ok([rest, sum / steps])
}

//! Newton's cradle: five balls on rods, with a coefficient of restitution of 1.
//!
//! Equal balls hand on their velocities. As many balls as swing in from one side swing out on the other,
//! to the height from which they came, and the others stand still.
//!
//! One and two balls begin at 30 degrees. The largest angles of the balls on the other side are judged to
//! 1 %, and the largest speeds of the balls that stay, while those are out, to 1 % of the speed of the
//! impact. `bdf2` keeps the energy of a swing at this step.

use crate::scenes::{Exact, G, STONE, holder, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "impact_pendulums",
    title: "Newton's cradle on rods",
    proves: "Balls on rods hand on the whole of their momentum, one for one and two for two.",
    formula: "angles out = angles in, sqrt(2 g L (1 - cos a)) at the impact",
    source: "Momentum and energy of equal balls",
    weight: Weight::Quick,
    run,
};

/// Radius of the balls, gap between them and length of the rods (m), angle at the start (degrees).
const RADIUS: f64 = 0.05;
const GAP: f64 = 1e-5;
const LENGTH: f64 = 1.0;
const ANGLE: f64 = 30.0;
/// Number of balls, step and end (s): the balls on the other side turn at 3/4 of a period.
const BALLS: usize = 5;
const H: f64 = 1e-3;
const END: f64 = 1.2;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("time (s)", "angle of the last ball (degrees)"));
    outcome
        .plot
        .curve("angle at the start", [0.0, END], |_| ANGLE);
    let fall = 2.0 * G * LENGTH * (1.0 - ANGLE.to_radians().cos());
    for count in [1, 2] {
        let swung = swung(count)?;
        for k in BALLS - count..BALLS {
            let name = format!("largest angle of ball {} of 5, {count} in", k + 1);
            outcome.relative(name, "degrees", ANGLE, swung.largest[k], 0.01);
        }
        let name = format!("largest speed of balls that stay / impact, {count} in");
        outcome.at_most(name, "1", 0.01, swung.left / fall.sqrt());
        outcome
            .plot
            .points(format!("measured, {count} in"), swung.last);
    }
    Ok(outcome)
}

/// Largest angles (degrees) of the balls, largest speed of the balls that stay while the others are at
/// half of their height and more (m/s), and angles of the last ball over time (s, degrees).
struct Swung {
    largest: [f64; BALLS],
    left: f64,
    last: Vec<[f64; 2]>,
}

/// A cradle in which this number of balls begin at the angle.
fn swung(count: usize) -> Result<Swung, Error> {
    let mut scene = scene(H, 1).barrier(1e-6, 1e9).with_restitution(1.0);
    scene.time = scene.time.by(Scheme::Bdf2);
    let (sin, cos) = ANGLE.to_radians().sin_cos();
    let pivot = |k: usize| [k as f64 * (2.0 * RADIUS + GAP), 0.0];
    for k in 0..BALLS {
        let [x, y] = pivot(k);
        let at = if k < count {
            [x - LENGTH * sin, y - LENGTH * cos]
        } else {
            [x, y - LENGTH]
        };
        let [holds, ball] = [format!("holder {k}"), format!("ball {k}")];
        scene = scene
            .with_body(Body::rigid(&ball, Circle::new(RADIUS), STONE).at(at))
            .with_obstacle(holder(&holds, pivot(k)))
            .with_joint(Joint::rod(&holds, &ball, [pivot(k), at]));
    }

    let mut simulation = Simulation::new(scene)?;
    let mut swung = Swung {
        largest: [0.0; BALLS],
        left: 0.0,
        last: Vec::new(),
    };
    while simulation.time() < END {
        simulation.step()?;
        let mut angles = [0.0; BALLS];
        for (k, angle) in angles.iter_mut().enumerate() {
            let centre = simulation.body(&format!("ball {k}"))?.centre();
            *angle = (centre.x - pivot(k)[0]).atan2(-centre.y).to_degrees();
            swung.largest[k] = swung.largest[k].max(*angle);
        }
        if angles[BALLS - 1] > 0.7 * ANGLE {
            for k in 0..BALLS - count {
                let speed = simulation.body(&format!("ball {k}"))?.velocity().norm();
                swung.left = swung.left.max(speed);
            }
        }
        swung.last.push([simulation.time(), angles[BALLS - 1]]);
    }
    Ok(swung)
}

//! A torque that turns two wheels through gears.
//!
//! Gears hold the angles at `a_1 = r a_2` with the ratio `r`; a negative one turns the wheels in
//! opposite senses. The wheels are solid, with `I = m R^2 / 2`. The power of the torque `T` goes to
//! both of them, `T w_1 = I_1 w_1 w_1' + I_2 w_2 w_2'`, and with `w_2 = w_1 / r` the first one
//! gains `T / (I_1 + I_2 / r^2)` per second.
//!
//! The acceleration is constant, so that implicit Euler has the exact speed, here to 1e-7 after 1
//! s. The error of the ratio, `|a_1 - r a_2|`, is at most 1e-9 rad in all steps: it does not add
//! up.

use crate::scenes::{Exact, STONE, holder, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::GearPair;

pub(super) const CASE: Case = Case {
    name: "joint_gear",
    title: "A torque on one of two wheels with gears",
    proves: "Gears keep their ratio over many turns and pass on torque by it.",
    formula: "w_1 = t T / (I_1 + I_2 / r^2), w_2 = w_1 / r with the ratio r",
    source: "Conservation of angular momentum; implicit Euler is exact for constant torques",
    weight: Weight::Quick,
    run,
};

/// Ratio (1), torque (N m), radii of the wheels (m), step (s), number of steps.
const RATIO: f64 = -2.5;
const TORQUE: f64 = 200.0;
const RADII: [f64; 2] = [0.2, 0.5];
const H: f64 = 0.01;
const STEPS: u32 = 100;

fn run() -> Result<Outcome, Error> {
    let mut scene = scene(H, 1).tolerance(1e-10).weightless();
    for (k, x) in [0.0, 2.0].into_iter().enumerate() {
        let mut wheel = Body::rigid(format!("wheel {k}"), Circle::new(RADII[k]), STONE);
        wheel.group = Some("jointed".to_owned());
        scene = scene
            .with_body(wheel.at([x, 0.0]))
            .with_obstacle(holder(&format!("axle {k}"), [x, 0.0]))
            .with_joint(Joint::hinge(
                format!("axle {k}"),
                format!("wheel {k}"),
                [x, 0.0],
            ));
    }
    let gear = Joint::Gear(GearPair {
        bodies: ["wheel 0".to_owned(), "wheel 1".to_owned()],
        ratio: RATIO,
        ..GearPair::default()
    });
    let scene = scene
        .with_joint(gear)
        .with_load(Load::torque("wheel 0", TORQUE));
    let mut simulation = Simulation::new(scene)?;

    let inertia = [0, 1].map(|k| {
        let body = simulation.body(&format!("wheel {k}"));
        body.map(|body| 0.5 * body.mass() * RADII[k] * RADII[k])
    });
    let [first, second] = inertia;
    let rate = TORQUE / (first? + second? / (RATIO * RATIO));

    let mut largest = 0.0_f64;
    let mut measured = Vec::new();
    let mut speed = f64::NAN;
    for _ in 0..STEPS {
        simulation.step()?;
        let [a, b] = [simulation.body("wheel 0")?, simulation.body("wheel 1")?];
        let angles = [a, b].map(|body| body.angle().unwrap_or(f64::NAN));
        largest = largest.max((angles[0] - RATIO * angles[1]).abs());
        speed = a.angular_velocity().unwrap_or(f64::NAN);
        measured.push([simulation.time(), speed]);
    }

    let mut outcome = Outcome::new(Plot::new("time (s)", "speed of the first wheel (rad/s)"));
    outcome.relative(
        "speed of the first wheel after 1 s",
        "rad/s",
        rate,
        speed,
        1e-7,
    );
    outcome.absolute("largest error of the angles", "rad", 0.0, largest, 1e-9);
    outcome.plot.curve("closed form", [0.0, 1.0], |t| rate * t);
    outcome.plot.points("measured", measured);
    Ok(outcome)
}

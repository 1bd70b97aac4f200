//! A wheel that a brake stops.
//!
//! A solid wheel of the radius `R` has the moment of inertia `I = m R^2 / 2`. The brake opposes its
//! turning by at most `T`, as dry friction does: the angular velocity falls by `T / I` per second,
//! about 9.9 rad/s^2, to 0 and not below. The wheel stops after about 1.26 s of 2 s.
//!
//! The torque is constant while the wheel turns, so that implicit Euler has the closed form at
//! every step. The largest error of the speed is 1e-7 rad/s; a brake that only damps would miss
//! that by far.

use crate::scenes::{Exact, STONE, holder, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::Hinge;

pub(super) const CASE: Case = Case {
    name: "joint_brake",
    title: "A brake slips at its largest torque, and then holds",
    proves: "A brake takes its torque from a wheel that turns, and holds one that does not.",
    formula: "w = max(0, w_0 - t T / I)",
    source: "Dry friction; implicit Euler is exact for constant torques",
    weight: Weight::Quick,
    run,
};

/// Radius of the wheel (m), torque of the brake (N m), speed at the start (degrees/s), step (s).
const RADIUS: f64 = 0.2;
const TORQUE: f64 = 25.0;
const SPIN: f64 = 720.0;
const H: f64 = 0.01;

fn run() -> Result<Outcome, Error> {
    let mut wheel = Body::rigid("wheel", Circle::new(RADIUS), STONE).with_spin(SPIN);
    // The axle is within the wheel: bodies of one group pass through each other.
    wheel.group = Some("jointed".to_owned());
    let hinge = Joint::Hinge(Hinge {
        bodies: ["axle".to_owned(), "wheel".to_owned()],
        brake: Some(TORQUE),
        ..Hinge::default()
    });
    let scene = scene(H, 1)
        .tolerance(1e-10)
        .weightless()
        .with_body(wheel)
        .with_obstacle(holder("axle", [0.0, 0.0]))
        .with_joint(hinge);
    let mut simulation = Simulation::new(scene)?;
    let mass = simulation.body("wheel")?.mass();
    let rate = TORQUE / (0.5 * mass * RADIUS * RADIUS);
    let start = SPIN.to_radians();
    let exact = |t: f64| (start - rate * t).max(0.0);

    let mut largest = 0.0_f64;
    let mut measured = Vec::new();
    while simulation.time() < 2.0 {
        simulation.step()?;
        let t = simulation.time();
        let speed = simulation.body("wheel")?.angular_velocity();
        let speed = speed.unwrap_or(f64::NAN);
        largest = largest.max((speed - exact(t)).abs());
        measured.push([t, speed]);
    }

    let mut outcome = Outcome::new(Plot::new("time (s)", "speed (rad/s)"));
    outcome.absolute("largest error of the speed", "rad/s", 0.0, largest, 1e-7);
    outcome.plot.curve("closed form", [0.0, 2.0], exact);
    outcome.plot.points("measured", measured);
    Ok(outcome)
}

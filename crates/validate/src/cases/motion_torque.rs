//! A force and a torque on a free rigid body.
//!
//! Moments of inertia per mass about the centre are `(a^2 + b^2) / 12` for a rectangle of the sides
//! `a` and `b`, `R^2 / 2` for a circle, and `(R^2 + r^2) / 2` for a ring. A constant torque `M`
//! turns a body from rest by `M / I h^2 n (n + 1) / 2` in `n` steps of implicit Euler, more than
//! six turns for the circle; a constant force moves it by the same sum of `F / m`.
//!
//! All have a tolerance of 5e-5, for the ring: it is a polygon of 600 sides, which is smaller than
//! its circle. The angle is in rad and counts full turns.

use crate::formulas::implicit_travel;
use crate::scenes::{DENSITY, Exact, STONE, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use std::f64::consts::PI;

pub(super) const CASE: Case = Case {
    name: "motion_torque",
    title: "Rigid bodies under a constant torque and force",
    proves: "Moments of inertia of solid shapes are exact, and a torque turns a body by many turns without an error.",
    formula: "angle = M / I h^2 n (n + 1)/2 with I of rectangle, circle and ring",
    source: "Euler's equation in the plane; moments of inertia of textbooks",
    weight: Weight::Quick,
    run,
};

/// Step (s), number of steps.
const H: f64 = 0.01;
const STEPS: usize = 200;

/// Turns and pushes three shapes at once, and judges angle and way after 2 s.
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("time (s)", "angle (rad)"));
    let segments = 600;
    for (label, shape, inertia, mass) in [
        (
            "rectangle",
            Shape::from(Rectangle::new([0.3, 0.1], [1, 1])),
            0.1 / 12.0,
            0.03,
        ),
        ("circle", Circle::new(0.1).into(), 0.005, 0.01 * PI),
        (
            "ring",
            Ring::new(0.1, 0.05, segments).into(),
            0.5 * 0.0125,
            0.0075 * PI,
        ),
    ] {
        let mass = DENSITY * mass;
        let torque = 0.1 * mass;
        let rate = torque / (mass * inertia);
        // A force in N as large as the mass in kg gives an acceleration of 1 m/s^2.
        let mut body = Body::rigid("body", shape, STONE);
        body.torque = torque;
        body.force = [mass, 0.0];

        let mut simulation = Simulation::new(scene(H, STEPS).weightless().with_body(body))?;
        let mut angles = Vec::new();
        for _ in 0..STEPS {
            simulation.step()?;
            let angle = simulation.body("body")?.angle().unwrap_or(f64::NAN);
            angles.push([simulation.time(), angle]);
        }

        // A ring of many sides is round to a few hundred-thousandths.
        let name = format!("angle after 2 s, {label}");
        let expected = implicit_travel(rate, H, STEPS);
        let got = angles[STEPS - 1][1];
        outcome.relative(name, "rad", expected, got, 5e-5);
        let name = format!("travel in 2 s, {label}");
        let got = simulation.body("body")?.centre().x;
        outcome.relative(name, "m", implicit_travel(1.0, H, STEPS), got, 5e-5);
        outcome
            .plot
            .curve(label, [0.0, 2.0], |t| 0.5 * rate * t * t);
        outcome.plot.points(format!("{label}, measured"), angles);
    }
    Ok(outcome)
}

//! Momentum of bodies of several kinds that collide with friction.
//!
//! A rigid ball that spins at 300 degrees/s, an affine square and a deformable disk collide without
//! gravity and with a coefficient of friction of 0.5. No force comes from outside, so the sum of
//! `m v` over all bodies stays what it was.
//!
//! The drift is compared with the momentum of the ball, 20 pi kg m/s, and has a tolerance of 1e-12,
//! that of rounding: forces of a contact are equal and opposite by construction, however well a
//! step is solved. The body hit must have at least 1 kg m/s at the end, so that the case is not
//! empty.

use crate::scenes::{Exact, RUBBER, STONE, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::math::Vec2;
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "impact_momentum",
    title: "Momentum in collisions with friction",
    proves: "Contact and friction between bodies of different kinds are equal and opposite to rounding.",
    formula: "sum of m v = constant",
    source: "Newton's third law",
    weight: Weight::Quick,
    run,
};

/// Lets the three bodies collide in 100 steps, and judges the largest drift of all of them.
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("time (s)", "momentum (kg m/s)"));
    let ball = Body::rigid("rigid", Circle::new(0.1), STONE);
    let square = Body::affine("affine", Square::new(0.2, 1), STONE);
    let disk = Body::deformable("deformable", Disk::new(0.1, 4), RUBBER);
    let scene = scene(0.005, 100)
        .weightless()
        .elastic(Law::neo_hookean(1e5, 0.4))
        .barrier(2e-3, 1e5)
        .rough(0.5, 1e-3)
        .with_body(
            ball.at([-0.3, 0.03])
                .with_velocity([2.0, 0.0])
                .with_spin(300.0),
        )
        .with_body(square.at([0.0, 0.0]).rotated(10.0))
        .with_body(disk.at([0.3, -0.05]).with_velocity([-1.0, 0.2]));

    let mut simulation = Simulation::new(scene)?;
    let start = momentum(&simulation);
    let size = 2.0 * 10.0 * std::f64::consts::PI;
    let mut drift = 0.0_f64;
    let mut parts = [Vec::new(), Vec::new(), Vec::new()];
    for _ in 0..100 {
        simulation.step()?;
        drift = drift.max((momentum(&simulation) - start).norm() / size);
        for (points, body) in parts.iter_mut().zip(simulation.bodies()) {
            points.push([simulation.time(), body.mass() * body.velocity().x]);
        }
    }

    // Something has to collide, or nothing is proved.
    let passed = parts[1].last().map_or(f64::NAN, |point| point[1].abs());
    outcome.at_least("momentum of the body hit", "kg m/s", 1.0, passed);
    outcome.absolute("largest drift / momentum", "1", 0.0, drift, 1e-12);
    outcome.plot.curve("sum", [0.0, 0.5], |_| start.x);
    for (label, points) in ["rigid", "affine", "deformable"].into_iter().zip(parts) {
        outcome.plot.points(label, points);
    }
    Ok(outcome)
}

/// Momentum of all bodies (kg m/s).
fn momentum(simulation: &Simulation) -> Vec2 {
    simulation
        .bodies()
        .map(|body| body.velocity() * body.mass())
        .sum()
}

//! Angular momentum of two rigid bodies in an oblique collision, as the step shrinks.
//!
//! Forces act along one line, and so have no couple, at the positions of the step's end. Implicit
//! Euler takes the arm from there, an error that is linear in the step.
//!
//! About the origin, each body has `m c x v + I w`, with its mass `m`, the place `c` and velocity
//! `v` of its centre, its moment of inertia `I` and its angular velocity `w`. Two squares collide
//! off their centres, without gravity, with and without friction.
//!
//! The drift is a share of the momentum at the start, 0.3 s later. It has to be at most 1.5e-3 at the
//! shortest step, 1e-4 s; the plot shows it at three steps beside a line of order 1.

use crate::scenes::{Exact, STONE, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::math::cross;
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "impact_spin",
    title: "Angular momentum in an oblique collision with friction",
    proves: "Contact and friction have no couple: the drift of angular momentum vanishes with the step.",
    formula: "sum of m c x v + I w = constant + O(h)",
    source: "Newton's third law in its strong form",
    weight: Weight::Quick,
    run,
};

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::logarithmic("h (s)", "drift / angular momentum"));
    outcome
        .plot
        .line("order 1", vec![[1e-4, 4e-4], [1e-2, 4e-2]]);

    for (label, mu) in [("mu 0", 0.0), ("mu 0.8", 0.8)] {
        let mut measured = Vec::new();
        for h in [1e-2, 1e-3, 1e-4] {
            measured.push([h, drift(mu, h)?]);
        }
        let last = measured[2][1];
        outcome.at_most(format!("drift, {label}, h 1e-4 s"), "1", 1.5e-3, last);
        outcome.plot.points(label, measured);
    }
    Ok(outcome)
}

/// Change of the angular momentum as a share of it, 0.3 s after the start.
fn drift(mu: f64, h: f64) -> Result<f64, Error> {
    let square = |name: &str| Body::rigid(name, Square::new(0.2, 1), STONE);
    let scene = scene(h, 1)
        .weightless()
        .barrier(5e-3, 1e6)
        .rough(mu, 1e-3)
        .with_body(
            square("left")
                .at([-0.25, 0.08])
                .with_velocity([2.0, 0.0])
                .rotated(20.0),
        )
        .with_body(square("right").at([0.05, -0.05]).with_velocity([-1.0, 0.0]));
    let mut simulation = Simulation::new(scene)?;
    let start = angular_momentum(&simulation);
    while simulation.time() < 0.3 {
        simulation.step()?;
    }
    Ok((angular_momentum(&simulation) / start - 1.0).abs())
}

/// Angular momentum of all rigid bodies about the origin (kg m^2/s).
fn angular_momentum(simulation: &Simulation) -> f64 {
    let parts = simulation.bodies().map(|body| {
        // The second node of a rigid body is its angle, whose mass is the moment of inertia.
        let inertia = body.node_mass()[1].x;
        let spin = body.angular_velocity().unwrap_or(f64::NAN);
        body.mass() * cross(body.centre(), body.velocity()) + inertia * spin
    });
    parts.sum()
}

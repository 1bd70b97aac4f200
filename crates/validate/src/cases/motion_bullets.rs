//! Bullets that fly at wires, up to ten kilometres a second.
//!
//! Two bullets of the radius 1 mm fly inside a closed square wire, 1 m wide and without thickness.
//! At 10 km/s a step of 0.01 s would take them 100 m, through the wire many times. The line search
//! stops each step of Newton's method before the first contact, and the barrier grows without limit
//! at the distance 0.
//!
//! The quantity is the smallest distance of a bullet from the wire in 20 steps, in units of
//! `d_hat`, and negative outside. It must not be below 0: there is no tolerance.

use crate::scenes::{Exact, STONE, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "motion_bullets",
    title: "Bullets at up to 10 km/s stay in a loop of wire",
    proves: "Nothing passes through a wire without thickness, although a bullet would fly a hundred metres in a step.",
    formula: "distance to the wire > 0 after every step",
    source: "Li et al. 2020, Incremental Potential Contact: the filtered line search",
    weight: Weight::Quick,
    run,
};

/// Fires the bullets at five speeds, and judges the smallest distance of each run.
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::logarithmic(
        "speed (m/s)",
        "smallest distance / d_hat",
    ));
    let mut measured = Vec::new();
    for speed in [1.0, 10.0, 100.0, 1000.0, 10_000.0] {
        let distance = distance(speed)?;
        let name = format!("smallest distance / d_hat, {speed} m/s");
        outcome.at_least(name, "1", 0.0, distance);
        measured.push([speed, distance]);
    }
    outcome.plot.points("measured", measured);
    Ok(outcome)
}

/// Smallest signed distance (in `d_hat`) of two bullets from a square loop of wire around them.
fn distance(speed: f64) -> Result<f64, Error> {
    let [d_hat, radius, half] = [1e-4, 1e-3, 0.5];
    let corners = vec![[-half, -half], [half, -half], [half, half], [-half, half]];
    let bullet = |name: &str, x: f64| Body::rigid(name, Circle::new(radius), STONE).at([x, 0.2]);
    // The tolerance follows the speed: at 10 km/s the usual 1e-10 m/s is near rounding.
    let scene = scene(0.01, 20)
        .weightless()
        .tolerance(1e-6 * speed)
        .barrier(d_hat, 1e6)
        .with_body(bullet("straight", 0.3).with_velocity([0.0, -speed]))
        .with_body(bullet("slanted", -0.3).with_velocity([0.5 * speed, -speed]))
        .with_obstacle(Obstacle::new("wire", Polyline::closed(corners)));

    let mut simulation = Simulation::new(scene)?;
    let mut smallest = f64::INFINITY;
    for _ in 0..20 {
        simulation.step()?;
        for name in ["straight", "slanted"] {
            // The square is about the origin, so that the larger coordinate belongs to the nearest
            // side.
            let distance = half - simulation.body(name)?.centre().amax() - radius;
            smallest = smallest.min(distance / d_hat);
        }
    }
    Ok(smallest)
}

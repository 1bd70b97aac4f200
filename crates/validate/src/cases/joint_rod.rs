//! A mass on a rod without mass.
//!
//! A ball of mass `m` starts at rest on a level rod of the length `L`. By energy,
//! `v^2 = 2 g L cos t` at the angle `t` from the vertical. The rod carries the part of the weight
//! along it and turns the ball: `T = m g cos t + m v^2 / L = 3 m g cos t`, three times the weight
//! at the bottom.
//!
//! Implicit Euler with steps of 5e-4 s takes a little energy, and the force agrees to 5e-3. The
//! length is a constraint, solved in each step, and agrees to 1e-10 m.

use crate::scenes::{Exact, G, STONE, holder, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::math::Vec2;
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "joint_rod",
    title: "A mass on a rod swings from the horizontal",
    proves: "A rod keeps its length and carries three times the weight at the lowest point.",
    formula: "T = 3 m g cos t at the angle t from the vertical",
    source: "Conservation of energy, v^2 = 2 g L cos t",
    weight: Weight::Quick,
    run,
};

/// Length of the rod (m), step (s).
const LENGTH: f64 = 1.0;
const H: f64 = 5e-4;

/// Swings the ball for 1 s, and judges its distance from the pivot and the force at the bottom.
fn run() -> Result<Outcome, Error> {
    let mut ball = Body::rigid("ball", Circle::new(0.05), STONE).at([LENGTH, 0.0]);
    ball.group = Some("jointed".to_owned());
    let scene = scene(H, 1)
        .tolerance(1e-11)
        .with_body(ball)
        .with_obstacle(holder("holder", [0.0, 0.0]))
        .with_joint(Joint::rod("holder", "ball", [[0.0, 0.0], [LENGTH, 0.0]]));
    let mut simulation = Simulation::new(scene)?;
    let weight = G * simulation.body("ball")?.mass();

    let mut largest = 0.0_f64;
    let mut forces = Vec::new();
    let mut at_bottom = f64::NAN;
    while simulation.time() < 1.0 {
        simulation.step()?;
        let place: Vec2 = simulation.body("ball")?.centre();
        largest = largest.max((place.norm() - LENGTH).abs());
        let force: f64 = simulation.joints().map(|joint| joint.force.norm()).sum();
        let angle = place.x.atan2(-place.y);
        forces.push([angle, force / weight]);
        if at_bottom.is_nan() && angle <= 0.0 {
            at_bottom = force / weight;
        }
    }

    let mut outcome = Outcome::new(Plot::new("angle from the vertical (rad)", "force / weight"));
    outcome.absolute("largest change of length", "m", 0.0, largest, 1e-10);
    outcome.relative("force / weight at the bottom", "1", 3.0, at_bottom, 5e-3);
    outcome
        .plot
        .curve("3 cos t", [-1.4, 1.57], |t| 3.0 * t.cos());
    outcome.plot.points("measured", forces);
    Ok(outcome)
}

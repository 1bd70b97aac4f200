//! A block on a rough slope tips over its lower edge.
//!
//! `b` and `h` are width and height (m), and `t` is the slope's angle. The vertical through the
//! centre meets the slope at `(h/2) tan t` below the middle of the base, which is the lower edge at
//! `tan t = b/h`. The coefficient of 2 exceeds the slope's tangent by far, so that the block cannot
//! slide.

use crate::scenes::{Exact, STONE, on_slope, scene, slope};
use crate::{Case, Outcome, Plot, Quantity, Weight};
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "friction_tip",
    title: "A block tips where its weight leaves the base",
    proves: "A block on a rough slope stands below tan t = b / h and tips above it.",
    formula: "tan t = b / h",
    source: "Statics: the weight passes through the lower edge",
    weight: Weight::Quick,
    run,
};

/// Width and height of the block (m).
const SIZE: [f64; 2] = [0.1, 0.2];

/// Judges the angle (degrees) after 1.5 s: at most 0.1 at 0.97 of the limit, at least 20 at 1.03 of
/// it.
///
/// The reach of the barrier is 1e-6 m, so that gaps below the edges do not tilt the block
/// noticeably.
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("time (s)", "angle of the block (degrees)"));
    for share in [0.97, 1.03] {
        let angles = angles((share * SIZE[0] / SIZE[1]).atan())?;
        let got = angles.last().map_or(f64::NAN, |point| point[1].abs());
        let name = format!("angle after 1.5 s, {share} of the limit");
        outcome.check(if share < 1.0 {
            Quantity::at_most(name, "degrees", 0.1, got)
        } else {
            Quantity::at_least(name, "degrees", 20.0, got)
        });
        outcome.plot.points(format!("{share} of the limit"), angles);
    }
    Ok(outcome)
}

/// Angle (degrees) that the block has turned, over time (s), on a slope of this angle (rad).
fn angles(slope_angle: f64) -> Result<Vec<[f64; 2]>, Error> {
    let block = Body::rigid("block", Rectangle::new(SIZE, [1, 1]), STONE)
        .at(on_slope(slope_angle, 0.0, 0.5 * SIZE[1] + 0.99e-6))
        .rotated(-slope_angle.to_degrees());
    let scene = scene(0.005, 300)
        .barrier(1e-6, 1e5)
        .rough(2.0, 1e-5)
        .with_body(block)
        .with_obstacle(slope(slope_angle));

    let mut simulation = Simulation::new(scene)?;
    let start = simulation.body("block")?.angle();
    let mut angles = Vec::new();
    while simulation.time() < 1.5 {
        simulation.step()?;
        let angle = simulation.body("block")?.angle();
        let turned = angle.zip(start).map_or(f64::NAN, |(now, then)| now - then);
        angles.push([simulation.time(), turned.to_degrees()]);
    }
    Ok(angles)
}

//! A stack of bricks that leans over the edge of a table.
//!
//! Brick `k` from the top may lean out by `L / 2k` over the one below it: the centre of mass of the
//! upper `k` bricks is then right above the edge of that one. Four bricks reach
//! `L / 2 (1 + 1/2 + 1/3 + 1/4) = 25/24 L` over the table, more than one brick's length.
//!
//! All distances are 4 % smaller or larger than the limit. The upper brick must not sink by more
//! than 1 mm in 2 s in the first case, and must fall by at least 5 cm in the second. The limit
//! itself, between standing and falling, is not simulated.

use crate::scenes::{Exact, STONE, scene};
use crate::{Case, Outcome, Plot, Quantity, Weight};
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "rest_overhang",
    title: "Overhang of four bricks, the harmonic stack",
    proves: "Bricks that lean out by 4 % less than the harmonic series stand, and by 4 % more fall.",
    formula: "brick k from the top leans out by L / 2k over what is below it",
    source: "Statics: the centre of mass of the upper k bricks is above the edge",
    weight: Weight::Quick,
    run,
};

/// Length and height of a brick (m), number of bricks, gap at the start (m).
const LENGTH: f64 = 0.2;
const HEIGHT: f64 = 0.05;
const BRICKS: usize = 4;
const GAP: f64 = 0.95e-4;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("time (s)", "fall of the upper brick (m)"));
    for share in [0.96, 1.04] {
        let fall = fall(share)?;
        let got = fall.last().map_or(f64::NAN, |point| point[1]);
        let name = format!("fall in 2 s, {share} of the limit");
        outcome.check(if share < 1.0 {
            Quantity::at_most(name, "m", 1e-3, got)
        } else {
            Quantity::at_least(name, "m", 0.05, got)
        });
        outcome.plot.points(format!("{share} of the limit"), fall);
    }
    Ok(outcome)
}

/// Fall (m) of the upper brick over time (s), where bricks lean out by this share of the limit.
fn fall(share: f64) -> Result<Vec<[f64; 2]>, Error> {
    // The edge of the table is at x = 0, its upper side at y = 0.
    let table = Rectangle::new([1.0, 0.2], [1, 1]);
    let mut scene = scene(0.005, 400)
        .tolerance(1e-8)
        .barrier(1e-4, 1e6)
        .rough(0.5, 1e-4)
        .with_obstacle(Obstacle::new("table", table).at([-0.5, -0.1]));
    let mut edge = 0.0;
    for k in (1..=BRICKS).rev() {
        edge += share * 0.5 * LENGTH / k as f64;
        let level = (BRICKS - k) as f64;
        let height = (level + 0.5) * HEIGHT + (level + 1.0) * GAP;
        let brick = Rectangle::new([LENGTH, HEIGHT], [1, 1]);
        let brick = Body::rigid(format!("brick {k}"), brick, STONE);
        scene = scene.with_body(brick.at([edge - 0.5 * LENGTH, height]));
    }

    let mut simulation = Simulation::new(scene)?;
    let start = simulation.body("brick 1")?.centre().y;
    let mut fall = Vec::new();
    while simulation.time() < 2.0 {
        simulation.step()?;
        fall.push([
            simulation.time(),
            start - simulation.body("brick 1")?.centre().y,
        ]);
    }
    Ok(fall)
}

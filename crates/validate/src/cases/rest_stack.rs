//! Forces between the blocks of a stack at rest.
//!
//! Blocks of equal weight `W` lie on each other; below block `k`, counted from 0 at the bottom, is
//! the weight of `8 - k` blocks. The force on each block by the one below it is the sum of all
//! contacts of that pair.
//!
//! Each agrees to 1e-8 after 200 steps of 0.05 s. The lowest one carries eight times as much as the
//! uppermost, and by the same barrier, so gaps shrink downwards.

use crate::scenes::{DENSITY, Exact, G, STONE, after, force_between, ground, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "rest_stack",
    title: "Forces at the interfaces of a stack of 8 blocks",
    proves: "Each interface of a stack carries the weight of all blocks above it.",
    formula: "F_k = (8 - k) W below block k",
    source: "Newton's first law",
    weight: Weight::Quick,
    run,
};

/// Number of blocks.
const BLOCKS: usize = 8;
/// Side of a block (m).
const SIDE: f64 = 0.1;

fn run() -> Result<Outcome, Error> {
    let mut scene = scene(0.05, 200).barrier(1e-3, 1e6).with_obstacle(ground());
    for k in 0..BLOCKS {
        let height = SIDE * (k as f64 + 0.5) + 0.95e-3 * (k + 1) as f64;
        let block = Body::rigid(format!("block {k}"), Square::new(SIDE, 1), STONE);
        scene = scene.with_body(block.at([0.0, height]));
    }
    let simulation = after(scene, 200)?;

    // The force on each block by what is below it.
    let weight = DENSITY * G * SIDE * SIDE;
    let mut outcome = Outcome::new(Plot::new("block, from below", "force / weight of a block"));
    let mut measured = Vec::new();
    for k in 0..BLOCKS {
        let below = match k {
            0 => "ground".to_owned(),
            _ => format!("block {}", k - 1),
        };
        let block = format!("block {k}");
        let force = force_between(&simulation, &block, &below).y / weight;
        let expected = (BLOCKS - k) as f64;
        let name = format!("force / weight, below block {k}");
        outcome.relative(name, "1", expected, force, 1e-8);
        measured.push([k as f64, force]);
    }

    outcome.plot.curve("weight above", [0.0, 7.0], |k| 8.0 - k);
    outcome.plot.points("contact forces", measured);
    Ok(outcome)
}

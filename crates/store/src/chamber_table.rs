//! `chambers.csv`: pressure, volume and amount of the gas in each chamber, at every step and at the start.
//!
//! | columns | contents |
//! |---|---|
//! | `step`, `time` | number of the step, time at its end (s) |
//! | `chamber` | name of the chamber |
//! | `pressure` ... | its numbers, [`OF_CHAMBERS`], in their order |
//!
//! Numbers are in the shortest form that reads back to the same bits.

use super::body_table::put;
use super::csv::quoted;
use ipcsim::measures::OF_CHAMBERS;
use ipcsim::time::{ChamberState, World};
use std::fmt::Write;

/// Name of the table's file.
pub const CHAMBERS: &str = "chambers.csv";

/// First line of the table, with its line feed.
pub fn header() -> String {
    let mut line = "step,time,chamber".to_owned();
    for part in &OF_CHAMBERS {
        line = line + "," + part.name;
    }
    line + "\n"
}

/// Names of the chambers of a world, in their order.
pub fn names(world: &World) -> Vec<String> {
    let chambers = world.loading.gas.chambers.iter();
    chambers.map(|chamber| chamber.name.clone()).collect()
}

/// Lines of one state, each with its line feed, for chambers with these `names`.
pub fn rows(step: usize, time: f64, chambers: &[ChamberState], names: &[String]) -> String {
    let mut text = String::new();
    for (state, name) in chambers.iter().zip(names) {
        // Writing to a string cannot fail.
        let _ = write!(text, "{step},{time:?},{}", quoted(name));
        for part in &OF_CHAMBERS {
            put(&mut text, (part.of)(state));
        }
        text.push('\n');
    }
    text
}

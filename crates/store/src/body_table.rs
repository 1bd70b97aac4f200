//! `bodies.csv`: where each body is, how it moves, and its energies.
//!
//! | columns | contents |
//! |---|---|
//! | `step`, `time` | number of the step, time at its end (s) |
//! | `body` | name of the body or obstacle |
//! | `x`, `y` ... | the quantities of bodies, [`BODY`], in their order |
//!
//! A field is empty where a quantity is undefined, as the angle of a body that deforms. Numbers are in
//! the shortest form that reads back to the same bits.

use super::csv::quoted;
use ipcsim::quantities::{BODY, Moment};
use ipcsim::time::{State, World};
use std::fmt::Write;

/// Name of the table's file.
pub const BODIES: &str = "bodies.csv";

/// Quantities of a body, in the order of [`BODY`]; `None` where they are undefined.
pub type BodyNumbers = [Option<f64>; BODY.len()];

/// First line of the table, with its line feed.
pub fn header() -> String {
    let mut line = "step,time,body".to_owned();
    for quantity in &BODY {
        line = line + "," + quantity.name;
    }
    line + "\n"
}

/// Quantities of all bodies and obstacles of a state.
pub fn numbers(world: &World, state: &State) -> Vec<BodyNumbers> {
    // A state without its record tells them all.
    let elastic = world.elastic_by_body(state);
    let moment = Moment::of(world, state).with_elastic(&elastic);
    let bodies = world.bodies.iter();
    bodies
        .map(|body| BODY.map(|quantity| quantity.at_body(&moment, body)))
        .collect()
}

/// Lines of one state, each with its line feed, for bodies with these `names`.
pub fn rows(step: usize, time: f64, bodies: &[BodyNumbers], names: &[String]) -> String {
    let mut text = String::new();
    for (numbers, name) in bodies.iter().zip(names) {
        // Writing to a string cannot fail.
        let _ = write!(text, "{step},{time:?},{}", quoted(name));
        for number in numbers {
            put(&mut text, *number);
        }
        text.push('\n');
    }
    text
}

/// The quantity of this name among those of a body.
pub fn number(numbers: &BodyNumbers, name: &str) -> Option<f64> {
    let place = BODY.iter().position(|quantity| quantity.name == name)?;
    numbers[place]
}

/// Appends a comma and a number, if there is one.
pub(super) fn put(line: &mut String, number: Option<f64>) {
    line.push(',');
    if let Some(number) = number {
        // Writing to a string cannot fail.
        let _ = write!(line, "{number:?}");
    }
}

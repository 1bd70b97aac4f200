//! Motion does not depend on a uniform velocity.

use crate::prelude::*;
use crate::validate::symmetry::{Map, SAME, compare, outcome};
use crate::validate::{Case, Outcome, Weight};

pub(super) const CASE: Case = Case {
    name: "invariance_galilean",
    title: "The same scene on a train",
    proves: "A scene that moves as a whole, ground included, moves in itself as at rest.",
    formula: "x' = x + v t",
    source: "Galilean relativity",
    weight: Weight::Quick,
    run,
};

fn run() -> Result<Outcome, Error> {
    let mut outcome = outcome();
    for velocity in [[3.0, 0.0], [-1.0, 2.0]] {
        let map = Map { velocity, ..SAME };
        let [x, y] = velocity;
        compare(&mut outcome, &format!("velocity ({x}, {y}) m/s"), map, 1e-8)?;
    }
    Ok(outcome)
}

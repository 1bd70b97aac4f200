//! Motion does not depend on the order of bodies.
//!
//! The list of five bodies that fall on each other is reversed, and with it the order of unknowns,
//! of contacts and of sums. A method that treats contacts one after another depends on that order;
//! one that minimizes a single energy depends on it by rounding only.
//!
//! The quantity is the largest distance (m) of a centre from the original in 80 steps of 5 ms, at
//! most 1e-9 m.

use crate::symmetry::{Map, SAME, compare, outcome};
use crate::{Case, Outcome, Weight};
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "invariance_order",
    title: "The same scene with its bodies in the opposite order",
    proves: "Bodies may be listed in any order.",
    formula: "x' = x",
    source: "Forces act at the same time",
    weight: Weight::Quick,
    run,
};

fn run() -> Result<Outcome, Error> {
    let mut outcome = outcome();
    let map = Map {
        is_reversed: true,
        ..SAME
    };
    compare(&mut outcome, "reversed", map, 1e-9)?;
    Ok(outcome)
}

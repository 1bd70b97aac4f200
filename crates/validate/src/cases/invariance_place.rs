//! Motion does not depend on the place.
//!
//! Five bodies and the ground are moved by `c`, once by some metres, and once by a kilometre, where
//! the spacing of numbers is about 1e-13 m. Gaps of 1 mm are differences of such places.
//!
//! The quantity is the largest distance (m) of a centre from `x + c` in 80 steps of 5 ms, at most
//! 1e-8 m.

use crate::symmetry::{Map, SAME, compare, outcome};
use crate::{Case, Outcome, Weight};
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "invariance_place",
    title: "The same scene far from the origin",
    proves: "A scene a kilometre from the origin moves as at the origin.",
    formula: "x' = x + c",
    source: "Homogeneity of space",
    weight: Weight::Quick,
    run,
};

fn run() -> Result<Outcome, Error> {
    let mut outcome = outcome();
    for shift in [[1.0, 2.0], [1000.0, -500.0]] {
        let map = Map { shift, ..SAME };
        compare(&mut outcome, &format!("moved by {} m", shift[0]), map, 1e-8)?;
    }
    Ok(outcome)
}

//! Motion does not depend on the place.

use crate::prelude::*;
use crate::validate::symmetry::{Map, SAME, compare, outcome};
use crate::validate::{Case, Outcome, Weight};

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

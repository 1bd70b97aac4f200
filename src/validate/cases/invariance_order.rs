//! Motion does not depend on the order of bodies.

use crate::prelude::*;
use crate::validate::symmetry::{Map, SAME, compare, outcome};
use crate::validate::{Case, Outcome, Weight};

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

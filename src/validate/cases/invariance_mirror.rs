//! Motion does not depend on left and right.

use crate::prelude::*;
use crate::validate::symmetry::{Map, SAME, compare, outcome};
use crate::validate::{Case, Outcome, Weight};

pub(super) const CASE: Case = Case {
    name: "invariance_mirror",
    title: "The same scene in a mirror",
    proves: "A mirrored scene moves as the original, mirrored.",
    formula: "x' = (-x, y)",
    source: "Parity of classical mechanics",
    weight: Weight::Quick,
    run,
};

fn run() -> Result<Outcome, Error> {
    let mut outcome = outcome();
    let map = Map {
        is_mirrored: true,
        ..SAME
    };
    compare(&mut outcome, "mirrored", map, 1e-9)?;
    Ok(outcome)
}

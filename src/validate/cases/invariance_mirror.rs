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

/// Reason of the miss.
const REASON: &str =
    "friction at a vertex turns with one of the two edges that meet there, and a mirror swaps them";

fn run() -> Result<Outcome, Error> {
    let mut outcome = outcome();
    let map = Map {
        is_mirrored: true,
        ..SAME
    };
    compare(&mut outcome, "mirrored", map, 1e-9)?;

    // The mirrored scene takes the other edge.
    for quantity in &mut outcome.quantities {
        *quantity = quantity.clone().known_miss(REASON, 1e-3);
    }
    Ok(outcome)
}

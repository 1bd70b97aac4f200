//! Motion does not depend on left and right.
//!
//! Places, directions, angles and spins of five bodies that fall on each other change their side.
//! The mirror would show a preferred sense of rotation, or a wrong sign of friction or of a moment.
//!
//! The quantity is the largest distance (m) of a centre from the mirrored original in 80 steps of 5
//! ms, at most 1e-9 m.

use crate::symmetry::{Map, SAME, compare, outcome};
use crate::{Case, Outcome, Weight};
use ipcsim::prelude::*;

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

//! Motion does not depend on the direction of the axes.
//!
//! Gravity, the ground and five bodies are turned by one angle. At 37 degrees no side is along an
//! axis; at 90 and 180 degrees the axes change places or signs.
//!
//! The quantity is the largest distance (m) of a centre from `R x`, with the matrix of rotation
//! `R`, in 80 steps of 5 ms, at most 1e-9 m.

use crate::symmetry::{Map, SAME, compare, outcome};
use crate::{Case, Outcome, Weight};
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "invariance_rotation",
    title: "The same scene, turned",
    proves: "A scene that is turned with its gravity moves as the original, turned.",
    formula: "x' = R x",
    source: "Isotropy of space",
    weight: Weight::Quick,
    run,
};

fn run() -> Result<Outcome, Error> {
    let mut outcome = outcome();
    for degrees in [37.0, 90.0, 180.0] {
        let map = Map { degrees, ..SAME };
        compare(&mut outcome, &format!("{degrees} degrees"), map, 1e-9)?;
    }
    Ok(outcome)
}

//! Motion does not depend on a uniform velocity.
//!
//! Five bodies, rigid, affine and deformable, fall on each other and on rough ground. The mapped
//! scene has the velocity `v` in addition: bodies at the start, the ground throughout. Friction
//! acts by relative velocities, so a ground that moves along changes nothing.
//!
//! The quantity is the largest distance (m) of a centre from `x + v t` in 80 steps of 5 ms, at most
//! 1e-8 m. Newton's method itself stops at 1e-11 m/s.

use crate::symmetry::{Map, SAME, compare, outcome};
use crate::{Case, Outcome, Weight};
use ipcsim::prelude::*;

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

//! Motion scales with all lengths.

use crate::prelude::*;
use crate::validate::symmetry::{Map, SAME, compare, outcome};
use crate::validate::{Case, Outcome, Weight};

pub(super) const CASE: Case = Case {
    name: "invariance_scale",
    title: "The same scene at other sizes",
    proves: "If all lengths grow by a factor, and stresses by its square, the motion grows by the factor.",
    formula: "x' = k x with E, kappa, stiffness times k^2, times and densities the same",
    source: "Buckingham 1914: dimensional analysis",
    weight: Weight::Quick,
    run,
};

fn run() -> Result<Outcome, Error> {
    let mut outcome = outcome();
    for scale in [1000.0, 0.001] {
        let map = Map { scale, ..SAME };
        compare(&mut outcome, &format!("lengths x {scale}"), map, 1e-9)?;
    }
    Ok(outcome)
}

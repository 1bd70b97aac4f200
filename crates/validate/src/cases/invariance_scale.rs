//! Motion scales with all lengths.
//!
//! Let lengths grow by `k`, with times and the density `rho` as before. Velocities and gravity grow
//! by `k`, and inertia per area, `rho` times acceleration times length, grows by `k^2`. Moduli, the
//! stiffness `kappa` of the barrier and that of affine bodies must grow by `k^2` to balance it, and
//! all lengths of contact by `k`.
//!
//! The quantity is the largest distance (m) of a centre from `k x`, divided by `k`, in 80 steps of
//! 5 ms, at most 1e-9 m: the motion is the same a thousand times larger or smaller.

use crate::symmetry::{Map, SAME, compare, outcome};
use crate::{Case, Outcome, Weight};
use ipcsim::prelude::*;

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

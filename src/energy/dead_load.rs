//! Constant forces.

use crate::math::{Vec2, parallel};

/// The potential energy `-sum_i f_i . q_i` (J) of constant generalized forces `f` (N, N m) at the coordinates `q`.
///
/// Only reported: in the incremental potential constant forces are part of the predicted coordinates `q_tilde`, where their
/// size does not grow with the distance from the origin and so hides no other energy.
pub fn dead_load(force: impl Fn(usize) -> Vec2 + Sync, q: &[Vec2]) -> f64 {
    -parallel::sum(q.len(), |i| force(i).dot(&q[i]))
}

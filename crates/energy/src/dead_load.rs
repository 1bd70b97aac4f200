//! Potential of constant forces, for reports.

use ipcsim_math::{Vec2, parallel};

/// Potential energy `-sum_i f_i . q_i` (J) of constant generalized forces `f` (N, N m) at the
/// coordinates `q` (m, rad). The sum has a fixed order.
///
/// Only reports use it. In the incremental potential constant forces are part of the predicted
/// coordinates `q_tilde`: as an energy they would grow with the distance from the origin and drown
/// the digits of all others.
pub fn dead_load(force: impl Fn(usize) -> Vec2 + Sync, q: &[Vec2]) -> f64 {
    -parallel::sum(q.len(), |i| force(i).dot(&q[i]))
}

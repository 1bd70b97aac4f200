//! Gravity.

use crate::math::{Vec2, parallel};

/// The potential energy `-sum_i m_i g . x_i` (J) of `mass` (kg) at `x` (m) in the field `g` (m/s^2).
///
/// Only reported: in the incremental potential gravity is part of the predicted position `x_tilde`, where its size does
/// not grow with the distance from the origin and so hides no other energy.
pub fn gravity(mass: &[f64], g: Vec2, x: &[Vec2]) -> f64 {
    -parallel::sum(x.len(), |i| mass[i] * g.dot(&x[i]))
}

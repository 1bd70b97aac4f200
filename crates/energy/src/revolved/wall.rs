//! The axis as a wall: nothing off the axis reaches it, and what is on it stays there.
//!
//! Radii are linear along a step, so that its bound is the root of a linear function. On a quadratic
//! triangle the radius is a quadratic function, above zero where its Bernstein coefficients are: the
//! radii of the corners and, for each side, `2 r_m - (r_a + r_b) / 2` with the radius `r_m` of its middle.

use crate::tuning::AREA_KEPT;
use ipcsim_math::Vec2;

/// Sides of a quadratic triangle: two corners and the middle between them.
const SIDES: [[usize; 3]; 3] = [[0, 1, 3], [1, 2, 4], [2, 0, 5]];

/// Largest fraction of a motion on which a radius (m) that changes by `change` keeps its share; 1 on the
/// axis.
fn fraction(radius: f64, change: f64) -> f64 {
    if radius > 0.0 && change < 0.0 {
        ((1.0 - AREA_KEPT) * radius / -change).min(1.0)
    } else {
        1.0
    }
}

/// Largest fraction of the motion `p` from `x` (m) that leaves a tenth of the radius of each node.
pub(super) fn step<const N: usize>(x: &[Vec2; N], p: &[Vec2; N]) -> f64 {
    let both = x.iter().zip(p);
    let steps = both.map(|(x, p)| fraction(x.x, p.x));
    steps.fold(1.0, f64::min)
}

/// True if nodes at `x` (m) are off the axis, or on it if their radius at rest is 0.
pub(super) fn admits<const N: usize>(radii: &[f64; N], x: &[Vec2; N]) -> bool {
    let mut both = radii.iter().zip(x);
    both.all(|(&radius, x)| x.x > 0.0 || radius == 0.0 && x.x == 0.0)
}

/// Coefficients of the radius (m) of the sides of a triangle with these nodes.
fn coefficients(x: &[Vec2; 6]) -> [f64; 3] {
    SIDES.map(|[a, b, middle]| 2.0 * x[middle].x - 0.5 * (x[a].x + x[b].x))
}

/// As [`step`], for the coefficients of the sides.
pub(super) fn curved_step(x: &[Vec2; 6], p: &[Vec2; 6]) -> f64 {
    let both = coefficients(x).into_iter().zip(coefficients(p));
    let steps = both.map(|(start, change)| fraction(start, change));
    steps.fold(1.0, f64::min)
}

/// True if all coefficients that are positive at rest are positive at `x` (m). On a side along the axis
/// they are 0.
pub(super) fn admits_curved(rest: &[Vec2; 6], x: &[Vec2; 6]) -> bool {
    let mut both = coefficients(rest).into_iter().zip(coefficients(x));
    both.all(|(rest, now)| rest <= 0.0 || now > 0.0)
}

//! Volume of revolution under a side of an outline.
//!
//! With the outline counter-clockwise the volume of the full turn is the sum over its sides of
//! `pi int r^2 y' ds`. The integrand is a polynomial, of the degree 2 for a straight side and 5 for a
//! parabola, which three points integrate exactly.
//!
//! With shape functions `N_i(s)` and their slopes `N_i'(s)` the radius is `r = sum_i N_i r_i`,
//! the rise is `y' = sum_i N_i' y_i`, and
//!
//! `dv/dr_i = pi int 2 r y' N_i ds`, `dv/dy_i = pi int r^2 N_i' ds`.
//!
//! The rise counts from the first node: slopes of shape functions have the sum 0, so that the
//! volume does not change, and rounding does not grow with the height of the body. A side on the
//! axis has the volume 0, hence outlines may close along the axis.

use ipcsim_math::{Mat2, Vec2};
use std::f64::consts::PI;

/// Places in `[0, 1]` and weights of Gauss' rule with three points.
const GAUSS: [[f64; 2]; 3] = [
    [0.112_701_665_379_258_3, 0.277_777_777_777_777_8],
    [0.5, 0.444_444_444_444_444_4],
    [0.887_298_334_620_741_7, 0.277_777_777_777_777_8],
];

/// A point of a side with `K` nodes, in order: weight, shape functions and their slopes.
///
/// Weights sum to 1, the length of the interval.
struct Place<const K: usize> {
    weight: f64,
    shapes: [f64; K],
    slopes: [f64; K],
}

/// Shape functions and their slopes at a place in `[0, 1]` of a straight side, or of a parabola.
///
/// With three nodes the middle one is in the middle of the interval.
fn shapes<const K: usize>(s: f64) -> ([f64; K], [f64; K]) {
    let mut values = [0.0; K];
    let mut slopes = [0.0; K];
    if K == 2 {
        values.copy_from_slice(&[1.0 - s, s]);
        slopes.copy_from_slice(&[-1.0, 1.0]);
    } else {
        let parabola = [
            (1.0 - s) * (1.0 - 2.0 * s),
            4.0 * s * (1.0 - s),
            s * (2.0 * s - 1.0),
        ];
        values.copy_from_slice(&parabola);
        slopes.copy_from_slice(&[4.0 * s - 3.0, 4.0 - 8.0 * s, 4.0 * s - 1.0]);
    }
    (values, slopes)
}

/// Points of a side with two or three nodes.
///
/// They do not depend on positions.
fn places<const K: usize>() -> [Place<K>; 3] {
    GAUSS.map(|[s, weight]| {
        let (shapes, slopes) = shapes(s);
        Place {
            weight,
            shapes,
            slopes,
        }
    })
}

impl<const K: usize> Place<K> {
    /// Radius (m), and the slope of the place along the axis (m).
    fn of(&self, x: &[Vec2; K]) -> [f64; 2] {
        let mut radius = 0.0;
        let mut rise = 0.0;
        for ((node, shape), slope) in x.iter().zip(self.shapes).zip(self.slopes) {
            radius += node.x * shape;
            rise += (node.y - x[0].y) * slope;
        }
        [radius, rise]
    }
}

/// Volume (m^3) under a side with two or three nodes at `x` (m), in order.
pub(crate) fn volume<const K: usize>(x: &[Vec2; K]) -> f64 {
    let parts = places::<K>().map(|place| {
        let [radius, rise] = place.of(x);
        PI * place.weight * radius * radius * rise
    });
    parts.iter().sum()
}

/// Derivative of the volume with respect to each node (m^2).
pub(crate) fn slopes<const K: usize>(x: &[Vec2; K]) -> [Vec2; K] {
    let mut sums = [Vec2::zeros(); K];
    for place in places::<K>() {
        let [radius, rise] = place.of(x);
        for ((sum, shape), slope) in sums.iter_mut().zip(place.shapes).zip(place.slopes) {
            let outward = 2.0 * radius * rise * shape;
            *sum += Vec2::new(outward, radius * radius * slope) * (PI * place.weight);
        }
    }
    sums
}

/// Second derivatives of the volume (m).
///
/// The block of two nodes is `2 pi int [y' N_i N_j, r N_i N_j'; r N_i' N_j, 0] ds`.
pub(crate) fn curvature<const K: usize>(x: &[Vec2; K]) -> [[Mat2; K]; K] {
    let mut sums = [[Mat2::zeros(); K]; K];
    for place in places::<K>() {
        let [radius, rise] = place.of(x);
        for (i, row) in sums.iter_mut().enumerate() {
            for (j, block) in row.iter_mut().enumerate() {
                let even = rise * place.shapes[i] * place.shapes[j];
                let first = radius * place.shapes[i] * place.slopes[j];
                let second = radius * place.slopes[i] * place.shapes[j];
                *block += Mat2::new(even, first, second, 0.0) * (2.0 * PI * place.weight);
            }
        }
    }
    sums
}

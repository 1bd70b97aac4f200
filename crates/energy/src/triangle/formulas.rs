//! Formulas of a triangle, for one number or for the lanes of a register.
//!
//! Matrices are lists of their columns, and positions are lists of coordinates. Functions here have
//! no closures: only what is inlined is compiled for the processor's vectors.

use super::AREA_KEPT;
use crate::material::{Tangent, twist};
use ipcsim_math::Vec2;
use ipcsim_math::lanes::Real;

/// Positions of a triangle's vertices, coordinate by coordinate: `[x_0, y_0, x_1, y_1, x_2, y_2]`.
pub(super) fn corners(x: &[Vec2; 3]) -> [f64; 6] {
    let [a, b, c] = x;
    [a.x, a.y, b.x, b.y, c.x, c.y]
}

/// Edge vectors from vertex 0 to vertices 1 and 2.
#[inline(always)]
pub(super) fn sides<T: Real>(x: &[T; 6]) -> [[T; 2]; 2] {
    [[x[2] - x[0], x[3] - x[1]], [x[4] - x[0], x[5] - x[1]]]
}

/// Deformation gradient `F = u b_1^T + v b_2^T` from the sides `u` and `v` (m) and the derivatives
/// `b_1`, `b_2` (1/m).
#[inline(always)]
pub(super) fn deformation<T: Real>(x: &[T; 6], b: &[T; 4]) -> [T; 4] {
    let [u, v] = sides(x);
    [
        u[0] * b[0] + v[0] * b[2],
        u[1] * b[0] + v[1] * b[2],
        u[0] * b[1] + v[0] * b[3],
        u[1] * b[1] + v[1] * b[3],
    ]
}

/// Product of a 2x2 matrix and a vector.
#[inline(always)]
pub(super) fn times<T: Real>(m: &[T; 4], v: [T; 2]) -> [T; 2] {
    [m[0] * v[0] + m[2] * v[1], m[1] * v[0] + m[3] * v[1]]
}

/// Inner product of two vectors.
#[inline(always)]
fn dot<T: Real>(a: [T; 2], b: [T; 2]) -> T {
    a[0] * b[0] + a[1] * b[1]
}

/// Scalar cross product of two vectors: `a_x b_y - a_y b_x`.
#[inline(always)]
pub(super) fn cross_of<T: Real>(a: [T; 2], b: [T; 2]) -> T {
    a[0] * b[1] - a[1] * b[0]
}

/// Absolute value in each lane.
#[inline(always)]
pub(super) fn size<T: Real>(a: T) -> T {
    a.if_below(0.0, a * -1.0, a)
}

/// Blocks of the Hessian for vertices 1 and 2 (N/m).
pub(super) struct Blocks<T> {
    /// Block of vertex 1, symmetric: its lower triangle.
    pub(super) h11: [T; 3],
    /// Block of vertices 1 and 2.
    pub(super) h12: [T; 4],
    /// Block of vertex 2, symmetric: its lower triangle.
    pub(super) h22: [T; 3],
}

/// Blocks of the Hessian from the projected derivative of stress, see [`Tangent`].
///
/// A motion `dx` of vertex `i` gives `dF = dx b_i^T`. Then
///
/// - `C : dF = g_i . dx` with `g_i = C b_i` and `C = cof F`;
/// - `T : dF = t_i . dx` with `t_i = T b_i`;
/// - `cof(dx b_j^T) b_i = (b_i x b_j) (dx_2, -dx_1)`.
#[inline(always)]
pub(super) fn blocks<T: Real>(
    f: &[T; 4],
    b: &[T; 4],
    tangent: &Tangent<T>,
    volume: T,
) -> Blocks<T> {
    let (mode, norm) = twist(f);
    let c = [f[3], f[2] * -1.0, f[1] * -1.0, f[0]];
    let b1 = [b[0], b[1]];
    let b2 = [b[2], b[3]];
    let g1 = times(&c, b1);
    let g2 = times(&c, b2);
    let t1 = times(&mode, b1);
    let t2 = times(&mode, b2);

    // Factors of the four parts.
    let identity = tangent.identity * volume;
    let swap = tangent.cofactor * volume * (b1[0] * b2[1] - b1[1] * b2[0]);
    let of_volume = tangent.volume * volume;
    let of_twist = tangent.twist * volume / norm;

    // Sums of the parts, block by block.
    let first = [of_volume * g1[0], of_volume * g1[1]];
    let second = [of_volume * g2[0], of_volume * g2[1]];
    let third = [of_twist * t1[0], of_twist * t1[1]];
    let fourth = [of_twist * t2[0], of_twist * t2[1]];
    let e11 = identity * dot(b1, b1);
    let e12 = identity * dot(b1, b2);
    let e22 = identity * dot(b2, b2);
    Blocks {
        h11: [
            e11 + first[0] * g1[0] + third[0] * t1[0],
            first[1] * g1[0] + third[1] * t1[0],
            e11 + first[1] * g1[1] + third[1] * t1[1],
        ],
        h12: [
            e12 + first[0] * g2[0] + third[0] * t2[0],
            first[1] * g2[0] + third[1] * t2[0] - swap,
            first[0] * g2[1] + third[0] * t2[1] + swap,
            e12 + first[1] * g2[1] + third[1] * t2[1],
        ],
        h22: [
            e22 + second[0] * g2[0] + fourth[0] * t2[0],
            second[1] * g2[0] + fourth[1] * t2[0],
            e22 + second[1] * g2[1] + fourth[1] * t2[1],
        ],
    }
}

/// Twice the area that the motion `p` from `x` leaves above the share to be kept, at the least
/// (m^2).
///
/// The area changes by a linear and a quadratic term in the fraction of the motion. If both were
/// lost in full and this is still positive, the whole motion is allowed.
#[inline(always)]
pub(super) fn spare_area<T: Real>(x: &[T; 6], p: &[T; 6]) -> T {
    let [u, v] = sides(x);
    let [du, dv] = sides(p);
    (cross_of(u, v)) * (1.0 - AREA_KEPT)
        - size(cross_of(u, dv) + cross_of(du, v))
        - size(cross_of(du, dv))
}

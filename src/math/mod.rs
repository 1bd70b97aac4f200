//! Mathematics without physics: vectors and matrices of the plane, roots, exact integers, SIMD
//! lanes, a logarithm, projections to positive semi-definite matrices, ordered parallel sums.

pub mod definite;
pub(crate) mod integer;
pub mod lanes;
pub mod log;
pub mod number;
pub mod parallel;
pub mod polar;
pub mod roots;

/// A point or a direction in the plane.
pub type Vec2 = nalgebra::Vector2<f64>;
/// Matrix with two rows and two columns.
pub type Mat2 = nalgebra::Matrix2<f64>;

/// Rotation of `a` by a quarter turn, counter-clockwise: `(-a_y, a_x)`.
#[inline]
pub fn perp(a: Vec2) -> Vec2 {
    Vec2::new(-a.y, a.x)
}

/// Scalar cross product `a_x b_y - a_y b_x`, twice the signed area of the triangle `0, a, b`.
#[inline]
pub fn cross(a: Vec2, b: Vec2) -> f64 {
    a.x * b.y - a.y * b.x
}

/// Outer product `a b^T`, a matrix of rank one.
#[inline]
pub fn outer(a: Vec2, b: Vec2) -> Mat2 {
    Mat2::new(a.x * b.x, a.x * b.y, a.y * b.x, a.y * b.y)
}

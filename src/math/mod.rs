//! Numbers only: small vectors and matrices, roots, exact integers, lanes of registers, logarithms, projections, blocks, ordered parallel sums.

pub mod definite;
pub mod integer;
pub mod lanes;
pub mod log;
pub mod number;
pub mod parallel;
pub mod polar;
pub mod roots;

/// A point or a direction in the plane.
pub type Vec2 = nalgebra::Vector2<f64>;
/// A 2x2 matrix.
pub type Mat2 = nalgebra::Matrix2<f64>;

/// `a` turned by a quarter, counter-clockwise: `(-a_y, a_x)`.
#[inline]
pub fn perp(a: Vec2) -> Vec2 {
    Vec2::new(-a.y, a.x)
}

/// The scalar cross product `a_x b_y - a_y b_x`, twice the signed area of the triangle `0, a, b`.
#[inline]
pub fn cross(a: Vec2, b: Vec2) -> f64 {
    a.x * b.y - a.y * b.x
}

/// The outer product `a b^T`.
#[inline]
pub fn outer(a: Vec2, b: Vec2) -> Mat2 {
    Mat2::new(a.x * b.x, a.x * b.y, a.y * b.x, a.y * b.y)
}

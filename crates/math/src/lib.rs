//! Mathematics without physics, the floor that everything else stands on.
//!
//! - vectors and matrices of the plane, with products that their library lacks (here);
//! - [`definite`] and [`polar`]: eigenvalues, projections and decompositions of small matrices;
//! - [`elementary`]: sines, exponentials and logarithms with the same bits on every machine;
//! - [`jet`]: numbers with their first and second derivatives;
//! - [`PlaneTensor`]: stress or strain of a plane body;
//! - [`roots`]: roots of quadratic polynomials that do not cancel;
//! - `integer`: exact integers of a fixed length, for decisions that rounding must not touch;
//! - [`lanes`] and [`log`]: formulas for several numbers in a register, and a logarithm for them;
//! - [`parallel`]: loops on all threads whose sums have a fixed order;
//! - [`formula`] and [`varying`]: numbers as functions of place and time, from text or a table;
//! - [`units`]: numbers with units from text;
//! - [`number`]: numbers for people;
//! - [`random`]: random numbers that are functions of a seed, a key and a number;
//! - `groups`: groups of things that are joined.
//!
//! Everything here gives the same bits on any number of threads and in any number of lanes. A
//! recorded run can therefore be compared to the last bit.
#![cfg_attr(test, allow(clippy::float_cmp, reason = "exact numbers"))]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod definite;
pub mod elementary;
pub mod files;
pub mod formula;
pub mod geometry;
pub mod groups;
pub mod integer;
pub mod jet;
pub mod lanes;
pub mod log;
pub mod number;
pub mod parallel;
mod plane_tensor;
pub mod polar;
pub mod random;
pub mod roots;
pub mod sort;
mod tuning;
pub mod units;
pub mod varying;

pub use plane_tensor::PlaneTensor;

/// Point or direction in the plane.
pub type Vec2 = nalgebra::Vector2<f64>;
/// Matrix with two rows and two columns.
pub type Mat2 = nalgebra::Matrix2<f64>;

/// Rotation of `a` by a quarter turn, counter-clockwise: `(-a_y, a_x)`. It is orthogonal to `a` and
/// as long.
#[inline]
pub fn perp(a: Vec2) -> Vec2 {
    Vec2::new(-a.y, a.x)
}

/// Scalar cross product `a_x b_y - a_y b_x`, twice the signed area of the triangle `0, a, b`.
#[inline]
pub fn cross(a: Vec2, b: Vec2) -> f64 {
    a.x * b.y - a.y * b.x
}

/// Outer product `a b^T`, a matrix of rank one: it maps `v` to `a (b . v)`.
#[inline]
pub fn outer(a: Vec2, b: Vec2) -> Mat2 {
    Mat2::new(a.x * b.x, a.x * b.y, a.y * b.x, a.y * b.y)
}

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

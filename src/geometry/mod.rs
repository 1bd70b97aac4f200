//! Points, segments and boxes: distances, exact predicates.

pub mod aabb;
pub mod convex;
pub mod distance;
pub mod path;
pub mod predicates;
pub mod slide;

pub use aabb::Aabb;

//! Points, segments, boxes and convex shapes: distances, exact predicates, paths over a step.

pub mod aabb;
pub mod convex;
pub mod distance;
pub mod path;
pub mod predicates;
pub mod slide;

pub use aabb::Aabb;

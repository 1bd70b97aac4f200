//! Points, segments, boxes and convex shapes: distances, exact predicates, paths over a step.
//!
//! Nothing here knows bodies, energies or time steps. Questions with a yes or no are decided
//! exactly ([`predicates`]); lengths are computed from differences of positions, so they are
//! accurate far from the origin ([`distance`], [`convex`], [`slide`]). A [`path`] gives the
//! position of a point during a step, straight or on an arc, and bounds its distance from the
//! chord. [`bernstein`] says where a triangle with curved sides keeps its orientation.

pub mod aabb;
pub mod bernstein;
pub mod convex;
pub mod distance;
pub mod path;
pub mod predicates;
pub mod slide;
pub mod sweep;

pub use aabb::Aabb;

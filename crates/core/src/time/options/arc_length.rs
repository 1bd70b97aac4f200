//! Arc length: steps along a path of equilibria, beyond limit points.
//!
//! - `step_control` divides an increment that is not solved, and joins its parts;
//! - `continuation` is the end of one increment.

pub(in crate::time) mod continuation;
pub(in crate::time) mod step_control;

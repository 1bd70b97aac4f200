//! Friction within a solve: normal forces that follow the state, and the tangent along a direction.
//!
//! - `lagged_friction` brings friction up to date between directions;
//! - `friction_tangent` solves for a direction whose friction has the normal forces after it, a fixed
//!   point that `anderson` accelerates;
//! - `friction_coupling` has the forces at a state under such friction.

pub(crate) mod anderson;
pub(crate) mod friction_coupling;
pub(crate) mod friction_tangent;
pub(crate) mod lagged_friction;

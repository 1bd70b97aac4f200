//! Statics: steps whose ends are equilibria.
//!
//! - `equilibrium` is the search for one;
//! - `stiffness` tests that nothing could still move without any force there;
//! - `extrapolation` says where bodies go if they go on;
//! - `settling` brings the start of a run to one;
//! - `followed` has the forces of loads that depend on the end;
//! - `pseudo_transient` is the force that holds bodies back meanwhile.

pub(in crate::time) mod equilibrium;
pub(in crate::time) mod extrapolation;
pub(in crate::time) mod followed;
pub(in crate::time) mod pseudo_transient;
pub(in crate::time) mod settling;
mod stiffness;

//! Statics: steps whose ends are equilibria.
//!
//! - `equilibrium` is the search for one;
//! - `settling` brings the start of a run to one;
//! - `pseudo_transient` is the force that holds bodies back meanwhile.

pub(in crate::time) mod equilibrium;
pub(in crate::time) mod pseudo_transient;
pub(in crate::time) mod settling;

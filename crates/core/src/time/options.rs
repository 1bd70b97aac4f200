//! Options of a step, a room each. A reader who wants a plain step skips all of them.
//!
//! - `around_step` and `of_stage` are where a step and a stage ask for options;
//! - `control` has what a scene says of them.
//!
//! What an option leaves from one step to the next has a type and a file in [`memory`](super::memory),
//! which lists all of them. At the end of a stage [`of_stage::remembered`] fills them.
//!
//! Places where a step asks are functions with names, and options do not implement one trait with a
//! method for each place. Most options act in one place, and they build on each other: the energy
//! correction needs the velocities after restitution and the account that both add to, sleep takes
//! back what stiffening has found. A loop over options would hide this order.

pub(in crate::time) mod adaptive;
pub(in crate::time) mod arc_length;
pub(in crate::time) mod around_step;
pub(in crate::time) mod control;
pub(in crate::time) mod energy_correction;
pub(in crate::time) mod fallback;
pub(in crate::time) mod ledger;
pub(in crate::time) mod of_stage;
pub(in crate::time) mod predictor;
pub(in crate::time) mod recovery;
pub(in crate::time) mod restitution;
pub(in crate::time) mod sleep;
pub(in crate::time) mod sleeping;
pub(in crate::time) mod statics;
pub(in crate::time) mod sticking;
pub(in crate::time) mod stiffening;
pub(in crate::time) mod tightening;
pub(in crate::time) mod tunnelling;

//! The end of a run before its last step.

use crate::time::record::Record;
use crate::time::state::State;
use crate::time::world::World;
use std::fmt::Debug;

/// Condition at which a run ends, such as [`Until`](crate::quantities::Until).
///
/// It reads only the states before and after a step and the record of the step, never a clock: runs
/// end at the same step on every machine, on any number of threads and after a resumption.
pub trait Ending: Debug + Send + Sync {
    /// True if a run is over after the step that led `from` one state `to` another.
    fn is_over(&self, world: &World, from_to: [&State; 2], record: &Record) -> bool;
}

//! The parts that Newton's method works with.

use super::filter::Filter;
use super::strategy::Strategy;
use super::systems::Systems;
use crate::solve::log::Log;

/// Filter, matrices, and the notes taken while they work.
pub(super) struct Newton {
    /// Collision detection.
    pub(super) filter: Filter,
    /// Newton systems.
    pub(super) systems: Systems,
    /// Variant of the method.
    pub(super) strategy: Strategy,
    /// Timings and other notes.
    pub(super) log: Log,
}

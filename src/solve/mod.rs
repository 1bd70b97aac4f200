//! Minimising the incremental potential.

#[cfg(test)]
mod derivatives;
mod failure;
mod model;
mod modes;
mod newton;
mod pins;
mod potential;
mod pull_back;
pub mod scatter;
mod system;
mod timings;
mod track;

pub use failure::Failure;
pub use model::Model;
pub use modes::softest_modes;
pub use newton::{Direction, Manner, Memory, Pattern, Settings, Solved, Solver, Status};
pub use pins::{Blocked, Target};
pub use potential::Potential;
pub use timings::{Phase, Timings};
pub use track::Track;

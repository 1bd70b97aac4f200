//! Minimising the incremental potential.

mod failure;
pub mod linear;
mod newton;
mod pins;
mod potential;
mod system;
mod timings;

pub use failure::Failure;
pub use newton::{Settings, Solved, Solver, Status};
pub use pins::{Blocked, Target};
pub use potential::Potential;
pub use timings::{Phase, Timings};

//! Minimising the incremental potential.

mod assembly;
#[cfg(test)]
mod derivatives;
mod failure;
mod log;
mod model;
mod modes;
mod newton;
mod numbering;
mod pins;
mod potential;
mod pull_back;
#[allow(unreachable_pub, reason = "benchmarks use it by `bench_support`")]
pub(crate) mod scatter;
mod stage;
mod system;
mod timings;
mod track;

pub use failure::Failure;
pub use log::{Log, Watch};
pub use model::Model;
pub use modes::softest_modes;
pub use newton::{
    Iterate, Pattern, Search, Settings, Solved, Solver, SolverMemory, Status, Strategy, Touching,
};
pub use pins::{Blocked, Target};
pub use potential::Potential;
pub use stage::Stage;
pub use timings::{Phase, Timings};
pub use track::Track;

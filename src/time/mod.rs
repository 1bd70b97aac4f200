//! Stepping through time.

mod advance;
pub mod integrator;
mod memory;
mod record;
mod recovery;
mod report;
mod span;
mod state;
mod step;
mod world;

pub use memory::{Past, StepMemory};
pub use record::Record;
pub use recovery::{Recovery, Rung};
pub use report::{StepOutput, StepReport};
pub use span::Span;
pub use state::{SavedState, State};
pub use step::{begin, step};
pub use world::{LagSettings, Loads, World};

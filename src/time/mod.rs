//! Stepping through time.

mod advance;
pub mod integrator;
mod loading;
mod memory;
mod record;
mod recovery;
mod report;
mod rung;
mod span;
mod state;
mod step;
mod world;

pub use loading::{Loading, Loads};
pub use memory::{Past, StepMemory};
pub use record::Record;
pub use report::{StepOutput, StepReport};
pub use rung::{Recovery, Rung};
pub use span::Span;
pub use state::{SavedState, State};
pub use step::{begin, step};
pub use world::{LagSettings, World};

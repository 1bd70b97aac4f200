//! Stepping through time.

mod record;
mod recovery;
mod state;
mod step;
mod world;

pub use record::Record;
pub use recovery::{Recovery, Rung};
pub use state::State;
pub use step::{StepReport, initial_record, step};
pub use world::{LagSettings, World};

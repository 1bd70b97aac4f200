//! Stepping through time.
//!
//! A [`State`] moves from step to step in a [`World`], which does not change:
//!
//! - `step`: the plain step, from prediction to velocities;
//! - `options`: sleep, restitution, energy correction, adaptive steps, arc length, statics, the check
//!   against tunnelling, the ledger, fallbacks; a plain step meets none of them;
//! - `integrator`: a step as one or more stages, each the minimum of a potential;
//! - `loading`: gravity and other forces at a time; `chambers`: gas in closed chambers;
//! - `parameters`: changes between steps, of gravity, forces, friction and scripts;
//! - `span`: stretches of time that are solved as one step;
//! - `cell`: mean strain and stress of a scene that repeats;
//! - `record`, `report`: sums and account of a step;
//! - `memory`: data for the next step besides places and velocities.
//!
//! Minimisation itself is in [`crate::solve`].

mod cell;
mod chambers;
pub mod integrator;
pub mod linear;
mod loading;
mod memory;
mod options;
mod parameters;
mod reading;
mod record;
mod repeated;
mod report;
mod span;
mod state;
mod step;
#[cfg(test)]
pub(crate) mod testing;
mod world;

pub use cell::CellRecord;
pub(crate) use cell::inertia_of;
pub use chambers::{Chamber, ChamberState, Fill, Pipe, Pneumatics, Window};
pub use loading::{Loading, Loads};
pub use memory::{
    AdaptiveMemory, EnergyMemory, GasMemory, OptionMemory, Past, PathMemory, PlasticityMemory,
    Rest, SleepMemory, StepMemory, StickingMemory, StiffeningMemory,
};
pub use options::control::{Adaptive, ArcLength, Preload, Sleep, StepOptions};
pub use options::fallback::{Fallback, Recovery};
pub use options::ledger::{Impulse, Impulses, Ledger, Work};
pub use options::statics::settling::settle;
pub use options::stiffening::first_reaches;
pub use parameters::{Change, Grasp, Parameters};
pub use reading::Reading;
pub use record::Record;
pub use report::{Broke, StepOutput, StepReport, Substeps};
pub use span::Span;
pub use state::{SavedState, State};
pub use step::lagging::Lagging;
pub use step::{begin, step};
pub use world::{Flattest, Rod, World};

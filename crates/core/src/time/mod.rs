//! Stepping through time.
//!
//! A [`State`] moves from step to step in a [`World`], which does not change:
//!
//! - `integrator`: a step as one or more stages, each the minimum of a potential;
//! - `loading`: gravity and other forces at a time;
//! - `parameters`: what changes between steps of gravity, forces, friction and scripts;
//! - `advance`, `lagging`: one attempt at a step, with lagged friction;
//! - `setting`, `minimum`, `equilibrium`: the end of a stage, in dynamics and in statics;
//! - `restitution`: velocities after impacts;
//! - `restored`: velocities with the energy that the integrator has taken;
//! - `ledger`: work and impulses of a step, by what they come from;
//! - `adaptive`: substeps whose lengths follow from their errors; `expected`: where they begin;
//! - `along`, `path`: increments along a path of equilibria, beyond limit points;
//! - `recovery`, `rung`: fallbacks if the attempt fails;
//! - `sleep`, `stays`: groups of bodies at rest, which a step leaves where they are;
//! - `step`: the attempt and its fallbacks, the entry of this module;
//! - `until`, `ending`: the condition at which a run ends before its last step, and whether it holds;
//! - `record`, `report`: sums and account of a step;
//! - `memory`: what a step leaves to the next one beside places and velocities.
//!
//! Minimisation itself is in [`crate::solve`].

pub mod integrator;
mod loading;
mod memory;
mod options;
mod parameters;
mod record;
mod report;
mod span;
mod state;
mod step;
mod world;

pub use loading::{Loading, Loads};
pub use memory::{Past, Rest, StepMemory};
pub use options::control::{Adaptive, ArcLength, Sleep, StepOptions};
pub use options::fallback::{Fallback, Recovery};
pub use options::ledger::{Impulse, Impulses, Ledger, Work};
pub use options::until::Until;
pub use parameters::{Change, Parameters};
pub use record::Record;
pub use report::{StepOutput, StepReport, Substeps};
pub use span::Span;
pub use state::{SavedState, State};
pub use step::lagging::Lagging;
pub use step::{begin, settle, step};
pub use world::{Flattest, Rod, World};

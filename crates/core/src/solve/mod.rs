//! Minimising the incremental potential of a stage.
//!
//! A time integrator describes the end of a step as the minimum of a [`Potential`] over the
//! coordinates of all bodies. This module finds that minimum and keeps every state in between free
//! of intersections:
//!
//! - `stage`, `potential`: the function to minimise, with its gradient; `materials`: the elastic
//!   energies of a stage;
//! - `cell_inertia`: inertia relative to the free periods of a scene that repeats;
//! - `assembly`, `scatter`, `pull_back`: the Hessian, as a sparse matrix of 2 x 2 blocks;
//! - `numbering`, `system`, `factorisation`, `low_rank`: order of the unknowns, the matrix and its
//!   solution;
//! - `newton`: projected Newton's method with a filtered line search;
//! - `pins`: prescribed coordinates, eliminated or pulled by penalties;
//! - `failure`: why no minimum was found; `interrupt`: a solve that is stopped from outside;
//! - `log`, `timings`, `counts`, `track`, `descent`: notes for reports and certificates;
//! - `redundancy`: joints whose equations depend on each other, for messages;
//! - `modes`: softest modes of vibration, a basis for reduced bodies.

mod assembly;
mod cell_inertia;
mod constraint_places;
mod counts;
#[cfg(test)]
mod derivatives;
mod descent;
mod dirichlet;
#[doc(hidden)]
pub mod evaluation;
mod factorisation;
mod failure;
mod friction_slope;
mod gmres;
mod interrupt;
mod log;
mod low_rank;
mod materials;
mod model;
mod modes;
mod newton;
mod numbering;
mod pace;
mod pattern;
mod places;
mod potential;
mod pull_back;
mod redundancy;
mod rigid_pair;
#[doc(hidden)]
pub mod scatter;
mod slip_start;
mod stage;
mod stage_matrix;
mod system;
mod tangent_friction;
#[cfg(test)]
mod test_problems;
mod timings;
mod track;

pub(crate) use cell_inertia::CellInertia;
pub use counts::{Count, Counts};
pub use descent::Descent;
pub use dirichlet::{Blocked, Target};
pub use failure::Failure;
pub use friction_slope::{By, Changes, FrictionSlope, friction_slopes};
pub use gmres::{LinearSystem, Solution, gmres};
pub use interrupt::Interrupt;
pub use log::{Log, Watch};
pub use materials::{Materials, with_own};
pub use model::Model;
pub use modes::softest_modes;
pub use newton::{
    Increment, Iterate, Loaded, OnPath, PathChange, Remembered, Search, Settings, Solved, Solver,
    SolverMemory, Status, Strategy, Touching,
};
pub(crate) use newton::{Metric, prescribe};
pub use pace::Pace;
pub use pattern::Pattern;
pub use potential::Potential;
pub use redundancy::{RepeatedJoints, repeated_joints};
pub use slip_start::SlipStart;
pub use stage::{Stage, TurningFlight};
pub use stage_matrix::{Analysed, StageMatrix, Stiffened};
pub use tangent_friction::TangentFriction;
pub use timings::{Phase, Timings};
pub use track::Track;

//! Projected Newton's method with a filtered line search (Li et al. 2020, algorithm 1; the free
//! physics-based simulation book, chapters on filtered line search and moving boundary conditions).
//!
//! [`Solver::minimise`] is the algorithm on a page. It works on values that own their buffers:
//!
//! - an [`Iterate`] is the accepted state with its contacts;
//! - a `Direction` comes from the Newton system, which `systems` assembles and factorises;
//! - a `SolveState` counts directions, and knows the forces at the state;
//! - an `Assessment` says whether the minimum is reached;
//! - a `Bound` comes from collision detection, which `filter` runs;
//! - a `Trial` is a state that the line search evaluates.
//!
//! Other files hold additions to the paper's algorithm: the start of a stage (`start`), prescribed
//! motion (`prescribed`), states with open joints or missed targets (`incomplete`), the imbalance
//! of forces (`force_balance`), bodies that leave the neighbourhood of their cell (`overreach`), the rescue of slow solves (`slow`), and motions that nothing
//! resists (`zero_energy_modes`). Three methods have rooms:
//!
//! - `constraints`: multipliers of joints, by an augmented Lagrangian;
//! - `friction`: normal forces that follow the state, and the tangent along a direction;
//! - `arc_length`: increments along paths of equilibria.

mod active_candidates;
mod arc_length;
mod assessment;
mod carried_start;
mod composite;
mod constraints;
mod direction;
mod extrapolated_start;
mod failures;
mod filter;
mod force_balance;
mod friction;
mod incomplete;
mod iterate;
mod line_search;
mod memory;
mod minimise;
mod overreach;
mod prescribed;
mod problem;
mod progress;
mod saddle;
mod search_direction;
mod settings;
mod slow;
mod solve_state;
mod solver;
mod stagnation;
mod start;
mod strategy;
mod systems;
mod workspace;
mod zero_energy_modes;

pub use arc_length::{Increment, Loaded, OnPath, PathChange};
pub(crate) use arc_length::{Metric, prescribe};
pub use iterate::Iterate;
pub use memory::{Remembered, SolverMemory};
pub use settings::{Settings, Solved, Status};
pub use solver::{Solver, Touching};
pub use strategy::{Search, Strategy};

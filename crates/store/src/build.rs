//! Program and machine of a run, as far as its bits may depend on them.

use ipcsim::scene::schema::Solver;
use ipcsim::sparse::LinearSolver;
use serde::{Deserialize, Serialize};
use std::env::consts::{ARCH, OS};

/// How the factorisation of a run rounds products and sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Products {
    /// One by one: the hash is the same on every machine.
    Separate,
    /// Fused where the processor can, by `solver.fused`: the hash is that of one kind of processor.
    Fused,
    /// As the library faer does: the hash is that of one kind of processor.
    Faer,
}

/// The build that wrote a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Build {
    /// Processor and system, such as `x86_64 linux`.
    pub target: String,
    /// Rounding of products in the factorisation.
    pub products: Products,
}

impl Build {
    /// This build, with the settings of a scene.
    pub fn of(solver: &Solver) -> Self {
        Self {
            target: format!("{ARCH} {OS}"),
            products: match solver.factorisation() {
                LinearSolver::Multifrontal => Products::Separate,
                LinearSolver::Fused => Products::Fused,
                LinearSolver::Faer => Products::Faer,
            },
        }
    }
}

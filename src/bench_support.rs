//! Internals that benchmarks measure. They are no part of the interface and change at any time.

pub use crate::commands::bench::calibration::Calibration;

/// The disks that broad phases search.
pub mod disks {
    pub use crate::contact::broad::disks::{next, path};
}

/// Sums of energies' derivatives straight into the places of a matrix.
pub mod scatter {
    pub use crate::solve::evaluation::Evaluation;
    pub use crate::solve::scatter::*;
}

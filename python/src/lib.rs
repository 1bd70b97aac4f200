//! Native half of the Python package `ipcsim`.
//!
//! The crate is a thin skin over the library: it turns arrays and exceptions of Python into values
//! and errors of Rust, and computes nothing itself. One file holds one class or one group of
//! functions:
//!
//! - [`errors`] makes exceptions of errors, with their fields;
//! - [`origin`] reads scenes, [`work`] chooses the threads that compute, [`signals`] lets Ctrl-C stop
//!   them, [`arrays`] fills `NumPy` arrays;
//! - [`simulation`], [`state`] and [`batch`] are classes, [`forces`] and
//!   [`results`] read the first;
//! - [`gradients`] has runs with their derivatives;
//! - [`study`] has the runs of a sweep;
//! - [`tools`] has check, verify, validate, collision detection and the program itself.
//!
//! What needs no access to Rust is Python, in the folder `ipcsim`.

mod arrays;
mod batch;
mod errors;
mod forces;
mod gradients;
mod origin;
mod results;
mod signals;
mod simulation;
mod state;
mod study;
mod tools;
mod work;

/// Module `ipcsim._native`.
#[pyo3::pymodule]
mod _native {
    #[pymodule_export]
    use super::batch::Batch;
    #[pymodule_export]
    use super::gradients::{Gradients, Rollout, vjp_all};
    #[pymodule_export]
    use super::simulation::Simulation;
    #[pymodule_export]
    use super::state::State;
    #[pymodule_export]
    use super::study::{Store, Study, study_of};
    #[pymodule_export]
    use super::tools::{
        ccd, check, check_path, compare_file, main, open_run, read_table, schema, validate, verify,
    };
}

//! Gradients of simulations through contact and friction.
//!
//! A [`Problem`] is a scene with the paths of the numbers that its gradients are by. A [`Run`] is its
//! trajectory, at whose steps forces balance to rounding. [`gradient`] goes through it backwards, once
//! for any number of parameters; [`tangent`] forwards, once for one direction of parameters; [`check`]
//! compares with runs of other parameters.
//!
//! Derivatives are those of the equations that steps solve, at their solutions; see `docs/gradients.md`
//! of the project.

mod adjoint;
mod checked;
mod error;
mod frozen;
mod objective;
mod parameter;
mod problem;
mod run;
mod tangents;
mod varied;

pub use adjoint::{Cotangents, Gradient, gradient, pull_back, varied};
pub use checked::{Check, Checked, check};
pub use error::Error;
pub use ipcsim::time::linear::{Omitted, Refused, Variation};
pub use objective::{Objective, When};
pub use parameter::Parameter;
pub use problem::Problem;
pub use run::{Events, Run};
pub use tangents::{Tangent, tangent};
pub use varied::{Point, Varied};

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

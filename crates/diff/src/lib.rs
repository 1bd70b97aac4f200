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
mod fields;
mod frozen;
mod gauss_newton;
mod number;
mod objective;
mod of_cell;
mod of_measure;
mod optimise;
mod parameter;
mod passed;
mod plan;
mod problem;
mod quasi_newton;
mod run;
mod search;
mod slopes;
mod tangents;
mod term;
mod varied;
mod vertices;

pub use adjoint::{Cotangents, Gradient, gradient, pull_back, pull_back_readings, varied};
pub use checked::{Check, Checked, check};
pub use error::Error;
pub use gauss_newton::gauss_newton;
pub use ipcsim::time::linear::{Omitted, Refused, Variation};
pub use objective::{Fit, Objective, Readings};
pub use optimise::{Entry, Search};
pub use parameter::Parameter;
pub use passed::Passed;
pub use plan::{Changed, Goal, Method, Plan, Scale, Target};
pub use problem::{MEMORY, Problem};
pub use quasi_newton::quasi_newton;
pub use run::{Events, Run};
pub use search::{Derived, Ended, Found, Function, Limits, Variable};
pub use tangents::{Jacobian, Tangent, jacobian, tangent, tangents};
pub use varied::{Point, Varied};
pub use vertices::{by_state, of_vertices};

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

//! A step to first order, for gradients.
//!
//! The end of a step solves `F(q; q_n, v_n, memory, p) = 0`, the balance of forces with the friction
//! of the end, and `c(q; p) = 0`, the closed joints. [`StepEquation`] evaluates both at any
//! coordinates, with the numbers of any world; [`LinearStep`] has their derivatives at the solution,
//! and maps changes of a state through the step, forwards and backwards.

mod by_start;
mod closing;
mod contact_slopes;
mod dyads;
mod equation;
mod fields;
mod flowing;
mod impact;
mod joint_rows;
mod linear_step;
mod path;
mod polish;
mod refused;
mod variation;

pub use crate::solve::StageMatrix;
pub use equation::{StepEquation, Values};
pub use linear_step::{Adjoint, LinearStep, Omitted};
pub use polish::{Polished, polish};
pub use refused::Refused;
pub use variation::{Explicit, Variation};

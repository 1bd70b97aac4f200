//! Validation: what the simulator computes beside closed forms and independent computations.
//!
//! A [`Case`] is a small experiment whose result is known without the simulator: a formula from a
//! textbook, a paper, or a differential equation that the case integrates by itself. It builds a
//! scene in code, runs it, and judges [`Quantity`] by quantity: expected, got, tolerance. The
//! result also has a [`Plot`] of what was expected beside what was measured.
//!
//! Tolerances are those of the method, not of the day: what implicit Euler, linear triangles and a
//! barrier of finite reach leave. Where a method falls short of the formula by its nature, the
//! quantity is a *known miss*. It is listed with its number and its reason, fails beyond a limit of
//! its own, and is reported as mended once it meets the formula.
//!
//! - `cases`: one file for each case, and the list of all;
//! - `case`, `quantity`, `plot`: the values that cases are made of;
//! - `scenes`, `oscillator`, `round`, `grains`, `pressure`, `symmetry`, `turned`, `formulas`: scenes, meshes and formulas that several cases
//!   share;
//! - `perturb`: cases with a number that is off, which they must notice;
//! - `report`: the results as one HTML page with a plot for each case.
#![cfg_attr(test, allow(clippy::float_cmp, reason = "exact numbers"))]

mod case;
pub mod cases;
mod formulas;
mod gas;
mod grains;
mod oscillator;
mod perturb;
mod plot;
mod pressure;
mod quantity;
mod repeated;
pub mod report;
mod round;
mod scenes;
mod six_nodes;
mod symmetry;
mod turned;

pub use case::{Case, Outcome, Report, Weight, run_all};
pub use perturb::{Perturbation, perturbed};
pub use plot::{Mark, Plot, Series};
pub use quantity::{Bound, KnownMiss, Quantity, Verdict};

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

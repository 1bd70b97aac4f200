//! Bodies, constraints, Newton's method and time steps of Incremental Potential Contact.
//!
//! A step minimises an incremental potential: inertia, the energies of `ipcsim_energy`, and the
//! barrier and friction of `ipcsim_contact`. A [`time::World`] does not change in a run, a
//! [`time::State`] does, and [`time::step`] gives the next one. A module uses only those above it
//! in this list:
//!
//! - [`body`]: coordinates, masses, loads and prescribed motion of bodies;
//! - [`constraint`]: joints between bodies;
//! - [`solve`]: the potential of a step, and Newton's method with a filtered line search;
//! - [`time`]: the step, its integrators and options;
//! - [`forces`]: forces of contact, friction, joints and loads at a state;
//! - [`fields`]: stress, strain, velocity and other quantities at a place of a body;
//! - [`quantities`]: the list of all numbers of a state, and conditions on them;
//! - [`measures`]: numbers that a scene asks for by name at every step.
#![cfg_attr(test, allow(clippy::float_cmp, reason = "exact numbers"))]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod body;
pub mod constraint;
pub mod fields;
pub mod forces;
pub mod measures;
pub mod quantities;
pub mod solve;
pub mod time;
mod tuning;

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

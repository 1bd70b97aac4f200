//! End-to-end tests.

mod ccd_advancement;
mod ccd_nonlinear;
mod support;
mod tutorial;

//! End-to-end tests.

mod ccd;
mod ccd_advancement;
mod ccd_families;
mod ccd_nonlinear;
mod ccd_oracle;
mod ccd_separation;
mod support;
mod tutorial;

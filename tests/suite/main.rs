//! End-to-end tests.
#![allow(clippy::unwrap_used, clippy::panic, clippy::float_cmp, reason = "a test that fails should stop at once")]

mod ccd_advancement;
mod ccd_nonlinear;
mod cli_check;
mod cli_render;
mod cli_run;
mod cli_verify;
mod program;
mod support;
mod tutorial;

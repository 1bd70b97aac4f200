//! End-to-end tests.

mod ccd_advancement;
mod ccd_nonlinear;
mod cli_check;
mod cli_render;
mod cli_run;
mod cli_verify;
mod program;
mod support;
mod tutorial;

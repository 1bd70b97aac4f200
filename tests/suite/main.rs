//! End-to-end tests.

mod ccd_advancement;
mod ccd_nonlinear;
mod chapters;
mod collision;
mod contact;
mod elasticity;
mod floors;
mod friction;
mod invariance;
mod narrow;
mod newton;
mod prescribed;
mod recorded;
mod support;
mod tutorial;

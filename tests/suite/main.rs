//! End-to-end tests.

mod ccd_nonlinear;

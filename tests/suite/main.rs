//! End-to-end tests.

mod ccd;
mod ccd_families;
mod ccd_oracle;
mod ccd_separation;

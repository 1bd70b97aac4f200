//! Increments along a path of equilibria by arc length (Crisfield 1991, chapter 9).
//!
//! - `increment` is the corrector's loop;
//! - `bordered_system` solves stiffness and constraint together;
//! - `corrector` bounds, tests and halves one correction.

pub(crate) mod bordered_system;
pub(crate) mod corrector;
pub(crate) mod increment;

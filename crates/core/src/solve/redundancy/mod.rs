//! Joints whose equations depend on each other, for messages.
//!
//! - `row_basis`: an orthonormal basis of rows, and rows as sums of others;
//! - `equations`: the equations of joints to first order, with scaled coordinates;
//! - `linkage`: joints that share bodies, and their motion to another place;
//! - `search`: the smallest sets of joints that repeat each other, everywhere or in one place.

mod equations;
mod linkage;
mod row_basis;
mod search;

pub use search::{RepeatedJoints, repeated_joints};

//! Contact between points, edges and half-planes.
//!
//! Three steps, each a value that a function returns:
//!
//! 1. [`Candidates`]: pairs of a [`Surface`] that may come near while vertices stay within margins;
//! 2. [`Contacts`]: pairs within the activation distance at given positions, each a barrier energy;
//! 3. [`Friction`]: friction energies of contacts, lagged at these positions.
//!
//! [`max_step`] bounds a step so that nothing touches, with the methods of [`ccd`]. [`Outlines`]
//! finds intersections of a state, and [`Prover`] proves that a motion has none. Forces of single
//! contacts are in [`ContactForces`].

pub mod barrier;
pub mod broad;
mod candidates;
pub mod ccd;
mod filter;
mod find;
mod forces;
mod friction;
mod half_plane;
mod intersect;
mod min_translation;
mod pair;
mod point_edge;
mod proof;
mod rest_gap;
mod step_bound;
mod surface;
pub mod tuning;

pub use candidates::Candidates;
pub use filter::Filter;
pub use find::Contacts;
pub use forces::{ContactForces, NormalForce};
pub use friction::{Friction, FrictionContact, FrictionForce, FrictionTable, Lag};
pub use half_plane::{HalfPlane, PlaneContact};
pub use intersect::{Intersection, Outlines};
pub use min_translation::MinTranslations;
pub use pair::{ContactPair, VertexForces};
pub use point_edge::{LineContact, PointContact};
pub use proof::{Breach, Proved, Prover};
pub use rest_gap::rest_gaps;
pub use step_bound::{Limit, is_free, keeps_gaps, max_step, queries};
pub use surface::{Disk, SharedVertices, Surface};

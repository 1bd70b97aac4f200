//! Contact between points, edges and half-planes: which pairs are near, when they would meet, what they cost.

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
mod pair;
mod point_edge;
mod proof;
mod rest_gap;
mod step_bound;
mod surface;
mod way_out;

pub use candidates::Candidates;
pub use filter::Filter;
pub use find::Contacts;
pub use forces::{ContactForces, FrictionForce, NormalForce, VertexForces};
pub use friction::{Friction, FrictionContact, FrictionTable, Lag};
pub use half_plane::{HalfPlane, PlaneContact};
pub use intersect::{Intersection, Outlines};
pub use pair::ContactPair;
pub use point_edge::{LineContact, PointContact};
pub use proof::{Breach, Proved, Prover};
pub use rest_gap::rest_gaps;
pub use step_bound::{GAP_KEPT, Limit, is_free, keeps_gaps, max_step, queries};
pub use surface::{Disk, SharedVertices, Surface};
pub use way_out::WaysOut;

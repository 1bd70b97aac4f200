//! Forces of contacts, between bodies and of supports, for readers of results.
//!
//! The solver minimises sums of energies and needs no single force. The functions here take the
//! derivatives apart after a step. Nothing is searched or solved again: the solver still has the
//! contacts, the friction and the stage that the step ended with, a
//! [`Touching`](crate::solve::Touching).
//!
//! | what | function |
//! |---|---|
//! | each contact: gap, normal force, friction, slip | [`contacts`] |
//! | sums per pair of bodies, joints, reactions of supports, loads | [`Sums::of`] |
//! | joints: angle or length, rate, motor, spring, damper, brake, limit | [`joint_states`] |
//! | only reactions | [`reactions`] |
//! | resultants of loads | [`loads`] |
//! | contact pressure along the outline of a body, and at all vertices | [`pressure()`], [`pressures`] |
//! | stress of single bodies and as a field, by contacts | [`Grains`] |
//! | contact forces vertex by vertex | [`vertex_contacts`], [`normal_on_vertices`] |
//!
//! The library reads them through `Simulation`, a run through its writers.

mod coarse;
mod contact;
mod joint_state;
mod load;
mod pressure;
mod reaction;
mod sums;
mod support;
mod vertex_contact;
mod vertices;

pub use coarse::{Branch, Coarse, Grain, Grains};
pub use contact::{Contact, contacts};
pub use joint_state::{Drives, JointState, joint_states};
pub use load::{LoadForce, loads};
pub use pressure::{SurfacePoint, VertexPressure, pressure, pressures};
pub use reaction::{Reaction, reactions};
pub use sums::{JointForce, JointMoment, PairForce, Sums, joints};
pub use support::SupportKind;
pub use vertex_contact::{VertexContact, vertex_contacts};
pub use vertices::{lengths_at, normal_on_vertices};

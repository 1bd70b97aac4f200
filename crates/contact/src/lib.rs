//! Contact between points, edges and half-planes.
//!
//! A step runs through three stages, each a value that a function returns:
//!
//! 1. [`Candidates`]: pairs of a [`Surface`] that may come near while vertices stay within margins;
//! 2. [`Contacts`]: pairs within the activation distance at given positions, each a barrier energy;
//! 3. [`Friction`]: friction energies of contacts, lagged at these positions.
//!
//! In a step, only the search for candidates looks at the whole surface ([`broad`]). Candidates
//! serve many evaluations of the energy until a vertex leaves its margin. The energy of a contact
//! is a [`barrier`] of its gap, which is infinite when the gap closes.
//!
//! The barrier alone does not stop a large step that jumps through a surface. [`max_step`]
//! therefore bounds every step so that nothing touches on the way, with the methods of [`ccd`]. Two
//! tools check the result: [`Outlines`] finds intersections of a state, and [`Prover`] proves that
//! a motion has none. Forces of single contacts are in [`ContactForces`].
#![cfg_attr(test, allow(clippy::float_cmp, reason = "exact numbers"))]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod adapted_pair;
mod adaptive_stiffness;
pub mod barrier;
mod barriers;
pub mod broad;
mod candidates;
pub mod ccd;
mod close_rest;
mod early_out;
mod filter;
mod find;
mod flush;
mod friction;
mod gap_model;
mod half_plane;
mod images;
mod intersect;
mod join_flush;
mod linear_gaps;
mod min_translation;
mod nearest;
mod pair;
mod pair_energies;
mod pair_forces;
mod pair_scale;
mod play;
mod point_edge;
mod proof;
mod rest_gap;
mod restitution;
mod rod_neighbours;
mod seams;
mod segments;
mod sliced_candidates;
mod step_bound;
mod surface;
mod swept_penetration;
mod touch;
pub mod tuning;

pub use adapted_pair::AdaptedPair;
pub use adaptive_stiffness::{Stiffened, keep_doublings, stiffen};
pub use barriers::{Barriers, Hardness};
pub use candidates::{Candidates, FoundAt};
pub use close_rest::{AtRest, GapAtRest, rest_closely};
pub use early_out::is_short;
pub use filter::Filter;
pub use find::Contacts;
pub use flush::Flush;
pub use friction::{
    Anchor, Anchored, Coefficients, Friction, FrictionContact, FrictionForce, FrictionTable, Known,
    Lag, LinearSlips, Press, Resisted, RollingCouple, Rubbing, RubbingContacts, SlidingContact,
    SlipLaw, SlipSlopes, Turning, VertexWeights,
};
pub use half_plane::{HalfPlane, PlaneContact};
pub use images::{Images, Place};
pub use intersect::{Intersection, Outlines};
pub use join_flush::join_flush;
pub use linear_gaps::{GapSlopes, LinearGaps};
pub use min_translation::MinTranslations;
pub use nearest::{Gap, nearest_gaps};
pub use pair::{ContactPair, Nearest, VertexForces};
pub use pair_energies::PairEnergies;
pub use pair_forces::{ContactForces, NormalForce, Opposite, PressedPiece};
pub use pair_scale::PairScale;
pub use play::{Play, plays};
pub use point_edge::{LineContact, PointContact};
pub use proof::{Breach, Proved, Prover};
pub use rest_gap::{rest_gaps, strand_gaps};
pub use restitution::{RestSpeed, Restitution};
pub use rod_neighbours::{RodChain, RodNeighbours};
pub use seams::{reaches_differ, reaches_over_seams};
pub use segments::{CornerContact, FloorContact, Piece, StripContact};
pub use step_bound::{Limit, is_free, keeps_gaps, max_step, queries};
pub use surface::{ContactModel, Disk, SharedVertices, Surface};
pub use swept_penetration::{Pace, SweptPenetration, SweptPenetrations};
pub use touch::Motion;
pub use tuning::{ELASTIC_SLIP, LEAST_OF_MATERIAL, PRESSURES, ROLLING_SPEED};

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

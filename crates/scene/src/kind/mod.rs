//! Kinds of bodies: one file each, and the registration here.
//!
//! A kind says by which coordinates a body moves: all its vertices, a reduced basis, or a few
//! numbers for the whole. From this follows everything else: the shapes that it can have, whether
//! its material needs a law, and the keys that it reads.
//!
//! Nothing here knows how a body is checked or assembled. Checks, assembly and preflight ask a kind
//! through [`Rules`], and each of the first two has one table of kinds, `check/kinds.rs` and
//! `assemble/kinds.rs`. A new kind is a file here with its answers, a variant of [`Kind`] with its
//! parameters, an arm in [`Kind::rules`] and [`names_of`], and an arm in both tables.

mod affine;
mod deformable;
mod modal;
mod polynomial;
mod rigid;
mod rod;
mod rules;

pub(super) use rules::{Freedom, Rules, ShapeClass};

use super::schema::{Affine, ElasticRod, Kind, Modal, Polynomial};
use deformable::Deformable;
use rigid::Rigid;

impl Kind {
    /// Answers of the kind about itself, with its parameters.
    pub(crate) fn rules(&self) -> &dyn Rules {
        match self {
            Self::Deformable => &Deformable,
            Self::Rigid => &Rigid,
            Self::Affine(affine) => affine,
            Self::Polynomial(polynomial) => polynomial,
            Self::Modal(modal) => modal,
            Self::Rod(rod) => rod,
        }
    }
}

/// Names of the kinds that satisfy a condition, joined by "and", for messages.
///
/// The condition must not depend on the parameters of a kind: those asked here are examples.
pub(super) fn names_of(condition: impl Fn(&dyn Rules) -> bool) -> String {
    let kinds: [&dyn Rules; 6] = [
        &Deformable,
        &Rigid,
        &Affine { stiffness: None },
        &Polynomial { order: 1 },
        &Modal { modes: 3 },
        &ElasticRod::default(),
    ];
    let chosen = kinds.into_iter().filter(|kind| condition(*kind));
    chosen.map(Rules::name).collect::<Vec<_>>().join(" and ")
}

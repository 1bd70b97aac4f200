//! Kinds of bodies: one file each, and the registration here.
//!
//! Checks, assembly and preflight ask a kind through [`Rules`] and never match on it.

mod affine;
mod deformable;
mod modal;
mod polynomial;
mod rigid;
mod rules;

pub(super) use rules::{Freedom, NewBody, Rules, ShapeClass};

use super::schema::{Affine, Kind, Modal, Polynomial};
use deformable::Deformable;
use rigid::Rigid;

impl Kind {
    /// Answers of the kind about itself.
    pub(in crate::scene) fn rules(&self) -> &dyn Rules {
        match self {
            Self::Deformable => &Deformable,
            Self::Rigid => &Rigid,
            Self::Affine(affine) => affine,
            Self::Polynomial(polynomial) => polynomial,
            Self::Modal(modal) => modal,
        }
    }
}

/// Names of the kinds that satisfy a condition, joined by "and".
pub(super) fn names_of(condition: impl Fn(&dyn Rules) -> bool) -> String {
    let kinds: [&dyn Rules; 5] = [
        &Deformable,
        &Rigid,
        &Affine { stiffness: None },
        &Polynomial { order: 1 },
        &Modal { modes: 3 },
    ];
    let chosen = kinds.into_iter().filter(|kind| condition(*kind));
    chosen.map(Rules::name).collect::<Vec<_>>().join(" and ")
}

//! States of a solve: the accepted one, and the one that the line search tries.
//!
//! Both own their configurations and contacts. Accepting a trial exchanges the two, so that no
//! iteration allocates.

use crate::body::Configuration;
use crate::solve::model::Model;
use ipcsim_contact::Contacts;

/// A state of a solve, without contact, and the pairs whose barriers act there.
#[derive(Clone, Debug, Default)]
pub struct Iterate {
    /// Coordinates `q` and the positions `x(q)`.
    pub at: Configuration,
    /// Contacts found there: pairs closer than `d_hat`.
    pub contacts: Contacts,
}

/// A state that the line search tries.
#[derive(Debug, Default)]
pub(super) struct Trial {
    /// Coordinates, positions and contacts.
    pub(super) iterate: Iterate,
    /// True if it differs from the state that the search started from.
    pub(super) moved: bool,
    /// Potential there (J s^2), infinite where something touches.
    pub(super) value: f64,
    /// Smallest gap there (m).
    pub(super) gap: f64,
}

impl Trial {
    /// A trial with room for all nodes and vertices of a model, and without contacts.
    pub(super) fn zero(model: &Model) -> Self {
        Self {
            iterate: Iterate {
                at: Configuration::zero(&model.coordinates),
                contacts: Contacts::default(),
            },
            ..Self::default()
        }
    }

    /// Makes the trial the accepted state; the old one's memory serves the next trial.
    pub(super) fn accept(&mut self, iterate: &mut Iterate) {
        std::mem::swap(&mut self.iterate, iterate);
    }
}

//! States on the way to a minimum.

use crate::body::Configuration;
use crate::contact::Contacts;

/// A state on the way to a minimum, free of contact, with everything that is near there.
#[derive(Clone, Debug, Default)]
pub struct Iterate {
    /// Coordinates and positions.
    pub at: Configuration,
    /// Contacts found there.
    pub contacts: Contacts,
}

/// A state that the line search tries.
#[derive(Debug, Default)]
pub(super) struct Trial {
    /// The state and its contacts.
    pub(super) iterate: Iterate,
    /// True if it differs from the state that the search started from.
    pub(super) moved: bool,
    /// Potential there (J s^2), infinite where something touches.
    pub(super) value: f64,
    /// Smallest gap there (m).
    pub(super) gap: f64,
}

impl Trial {
    /// Makes the trial the accepted state; the old one's memory serves the next trial.
    pub(super) fn accept(&mut self, iterate: &mut Iterate) {
        std::mem::swap(&mut self.iterate, iterate);
    }
}

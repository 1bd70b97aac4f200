//! End of a stage before its velocities are known.

use crate::body::Configuration;
use crate::solve::Stage;
use crate::time::state::State;
use ipcsim_contact::{Contacts, Friction, FrictionTable, PairEnergies, Press};
use ipcsim_math::Vec2;

/// Contacts where a stage begins, for the bound on the energy that contacts add.
#[derive(Clone, Debug, Default)]
pub(in crate::time) struct PressedBefore {
    /// Energies of barriers.
    pub(in crate::time) energies: PairEnergies,
    /// Places where bodies press on each other.
    pub(in crate::time) presses: Vec<Press>,
}

/// End of a stage, as its minimum leaves it.
#[derive(Clone, Copy)]
pub(in crate::time) struct StageEnd<'a> {
    /// The stage.
    pub(in crate::time) stage: &'a Stage,
    /// State from which the stage began.
    pub(in crate::time) from: &'a State,
    /// Configuration at its end.
    pub(in crate::time) at: &'a Configuration,
    /// Contacts there.
    pub(in crate::time) contacts: &'a Contacts,
    /// Contacts where the stage began.
    pub(in crate::time) outset: &'a PressedBefore,
    /// Friction that acted in the stage.
    pub(in crate::time) friction: &'a Friction,
    /// Positions that friction is a function of (m), `[vertices]`.
    pub(in crate::time) tangents: &'a [Vec2],
    /// Coefficients of friction.
    pub(in crate::time) table: &'a FrictionTable,
    /// Forces of the rows of joints (N).
    pub(in crate::time) multipliers: &'a [Vec2],
    /// Imbalance of the forces of the stage (m/s).
    pub(in crate::time) imbalance: f64,
}

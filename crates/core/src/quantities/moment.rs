//! A moment of a run: a state, how it was reached, and its record.

use super::motion::{Earlier, Motion};
use crate::body::Body;
use crate::time::{Record, State, World};
use ipcsim_math::Vec2;

/// A state of a run at which quantities have values.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    /// World of the run.
    pub world: &'a World,
    /// Motion before the step; `None` where only the present one is known, as at the start.
    pub before: Option<&'a Earlier>,
    /// The state.
    pub state: &'a State,
    /// Energies and contacts of the state; `None` where only its places and velocities are known.
    pub record: Option<&'a Record>,
}

impl Moment<'_> {
    /// The fastest motion at the end of the step; `None` without a state before it.
    pub(super) fn motion(&self) -> Option<Motion> {
        Some(Motion::of(self.before?, self.state))
    }

    /// Centre of a body (m).
    pub(super) fn centre(&self, body: &Body) -> Vec2 {
        self.world.at_centre(body, &self.state.q, &self.state.x)
    }

    /// Velocity of the centre of a body (m/s).
    pub(super) fn velocity(&self, body: &Body) -> Vec2 {
        self.world.at_centre(body, &self.state.q_dot, &self.state.v)
    }
}

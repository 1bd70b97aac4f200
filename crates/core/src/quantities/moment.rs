//! A moment of a run: a state, how it was reached, and its record.

use super::motion::{Earlier, Motion};
use crate::body::{Body, BodyKind};
use crate::time::{Record, State, World};
use ipcsim_math::Vec2;

/// A state of a run at which quantities have values.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    /// World of the run.
    pub(super) world: &'a World,
    /// The state.
    pub(super) state: &'a State,
    /// The fastest motion at the end of the step; `None` where only the state is known.
    pub(super) motion: Option<Motion>,
    /// Energies that bodies store (J), `[bodies]`, if they are known.
    pub(super) elastic: Option<&'a [f64]>,
    /// Energies and contacts of the state; `None` where only its places and velocities are known.
    pub(super) record: Option<&'a Record>,
}

impl<'a> Moment<'a> {
    /// A state whose places and velocities are known.
    pub fn of(world: &'a World, state: &'a State) -> Self {
        Self {
            world,
            state,
            motion: None,
            elastic: None,
            record: None,
        }
    }

    /// The same with the energies that bodies store (J), `[bodies]`, which are computed once for all.
    #[must_use]
    pub fn with_elastic(self, elastic: &'a [f64]) -> Self {
        Self {
            elastic: Some(elastic),
            ..self
        }
    }

    /// A state whose record is known.
    pub(crate) fn recorded(world: &'a World, state: &'a State, record: &'a Record) -> Self {
        Self {
            record: Some(record),
            ..Self::of(world, state)
        }
    }

    /// World of the run.
    pub fn world(&self) -> &'a World {
        self.world
    }

    /// The state.
    pub fn state(&self) -> &'a State {
        self.state
    }

    /// Centre of a body (m).
    pub(super) fn centre(&self, body: &Body) -> Vec2 {
        self.world.at_centre(body, &self.state.q, &self.state.x)
    }

    /// Energy that a body stores by deforming (J); `None` for bodies that do not.
    pub(super) fn elastic(&self, body: &Body) -> Option<f64> {
        if matches!(
            body.kind,
            BodyKind::Rigid | BodyKind::Obstacle | BodyKind::HalfPlane
        ) || body.vertices.is_empty()
        {
            return None;
        }
        let number = self.world.model.surface.body[body.vertices.start];
        let stored = self.elastic.map(|all| all[number]);
        stored.or_else(|| Some(self.world.elastic_by_body(self.state)[number]))
    }

    /// Velocity of the centre of a body (m/s).
    pub(super) fn velocity(&self, body: &Body) -> Vec2 {
        self.world.at_centre(body, &self.state.q_dot, &self.state.v)
    }
}

/// Motion before a step.
#[derive(Debug)]
pub(crate) struct Before(Earlier);

impl Before {
    /// Motion of a state.
    pub(crate) fn of(state: &State) -> Self {
        Self(Earlier::of(state))
    }

    /// The end of a step to a `state`, whose record is known.
    pub(crate) fn until<'a>(
        &self,
        world: &'a World,
        state: &'a State,
        record: &'a Record,
    ) -> Moment<'a> {
        Moment {
            motion: Some(Motion::of(&self.0, state)),
            ..Moment::recorded(world, state, record)
        }
    }
}

//! Friction of a stage, with the configuration about which it is linear.
//!
//! Friction is a function of positions on tangents of the vertices' paths, on which a wheel that
//! turns once slides by its circumference. With slip in a frame that turns, these are tangents at
//! the configuration where friction is lagged; with the slip of Li et al. 2020, at the reference of
//! the stage.

use super::model::Model;
use super::newton::Iterate;
use super::slip_start::tangent_positions;
use super::stage::Stage;
use crate::body::Configuration;
use ipcsim_contact::{Contacts, Friction, FrictionTable, Lag, LinearGaps, Turning};
use ipcsim_math::Vec2;
use std::borrow::Cow;
use std::ops::{Deref, DerefMut};

/// Lagged friction, a function of positions on tangents.
#[derive(Clone, Debug, Default)]
pub struct TangentFriction {
    /// The friction.
    pub friction: Friction,
    /// Configuration at whose tangents it is a function; `None` for the reference of the stage, and
    /// where all vertices are free.
    pub at: Option<Configuration>,
}

impl TangentFriction {
    /// Friction of the contacts of a state against sliding in a stage.
    pub fn lagged(model: &Model, stage: &Stage, table: &FrictionTable, iterate: &Iterate) -> Self {
        let mut lagged = Self::default();
        let Iterate { at, contacts } = iterate;
        let mut none = Friction::default();
        lagged.renew(model, stage, table, (contacts, at), &mut none);
        lagged
    }

    /// Becomes the friction of the `contacts` at `at`, with what Newton's method expects of contacts
    /// that both have. Friction so far is in `older` then.
    pub fn renew(
        &mut self,
        model: &Model,
        stage: &Stage,
        table: &FrictionTable,
        (contacts, at): (&Contacts, &Configuration),
        older: &mut Friction,
    ) {
        let surface = &model.surface;
        let friction = &mut self.friction;
        with_lag(model, stage, table, at, |lag| {
            friction.renew(surface, contacts, &at.x, lag, older);
        });
        let turns = stage.slip.is_some() && !model.coordinates.all_free();
        self.at = turns.then(|| at.clone());
    }

    /// Adds the friction of contacts with near places that it does not have yet, which were found at the
    /// configuration `at` where it was lagged.
    pub(super) fn add_others(
        &mut self,
        model: &Model,
        stage: &Stage,
        table: &FrictionTable,
        (contacts, at): ((&Contacts, &LinearGaps), &Configuration),
    ) {
        let friction = &mut self.friction;
        with_lag(model, stage, table, at, |lag| {
            friction.add_others(&model.surface, contacts, &at.x, lag);
        });
    }

    /// Configuration at whose tangents friction is a function.
    pub fn tangent_at<'a>(&'a self, stage: &'a Stage) -> &'a Configuration {
        self.at.as_ref().unwrap_or(&stage.reference)
    }

    /// Positions (m), `[vertices]`, that friction is a function of, for a configuration `at`.
    pub fn positions<'a>(
        &self,
        model: &Model,
        stage: &Stage,
        at: &'a Configuration,
    ) -> Cow<'a, [Vec2]> {
        tangent_positions(model, self.tangent_at(stage), at)
    }
}

/// Calls something with the arguments of friction that is lagged at a configuration.
fn with_lag(
    model: &Model,
    stage: &Stage,
    table: &FrictionTable,
    at: &Configuration,
    call: impl FnOnce(Lag),
) {
    let Some(start) = &stage.slip else {
        let lag = Lag::along_tangents(table, &stage.reference.x, stage.slip_time);
        return call(lag);
    };
    let spun = tangent_positions(model, &start.at, at);
    call(Lag {
        turning: Some(Turning {
            spun: &spun,
            known: start.known(),
        }),
        ..Lag::along_tangents(table, &start.at.x, stage.slip_time)
    });
}

impl Deref for TangentFriction {
    type Target = Friction;

    fn deref(&self) -> &Friction {
        &self.friction
    }
}

impl DerefMut for TangentFriction {
    fn deref_mut(&mut self) -> &mut Friction {
        &mut self.friction
    }
}

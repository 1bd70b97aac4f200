//! Friction of a stage, with the configuration about which it is linear.
//!
//! Friction is a function of positions on tangents of the vertices' paths, on which a wheel that
//! turns once slides by its circumference. With slip in a frame that turns, these are tangents at
//! the configuration where friction is lagged; with the slip of Li et al. 2020, at the reference of
//! the stage.

use super::model::Model;
use super::newton::Iterate;
use super::stage::Stage;
use crate::body::Configuration;
use ipcsim_contact::{Contacts, Friction, FrictionTable, Known, Lag, Turning};
use ipcsim_math::Vec2;
use std::borrow::Cow;
use std::ops::{Deref, DerefMut};

/// Where slip of a stage begins, if it is measured in a frame that turns with the surfaces.
#[derive(Clone, Debug)]
pub struct SlipStart {
    /// Configuration at the start of the step.
    at: Configuration,
    /// What the integrator takes off.
    known: KnownSlip,
}

/// Slip that an integrator takes off that of a step, see [`Known`].
#[derive(Clone, Debug)]
enum KnownSlip {
    /// Nothing.
    Nothing,
    /// Slip by displacements (m), `[vertices]`.
    Velocity(Vec<Vec2>),
    /// A share (1) of the slip from the start to another configuration.
    Share {
        share: f64,
        x: Vec<Vec2>,
        spun: Vec<Vec2>,
    },
}

/// Lagged friction, a function of positions on tangents.
#[derive(Clone, Debug, Default)]
pub struct TangentFriction {
    /// The friction.
    pub friction: Friction,
    /// Configuration at whose tangents it is a function; `None` for the reference of the stage, and
    /// where all vertices are free.
    pub at: Option<Configuration>,
}

impl SlipStart {
    /// Slip from the configuration `at`, all of which counts.
    pub fn new(at: Configuration) -> Self {
        Self {
            at,
            known: KnownSlip::Nothing,
        }
    }

    /// This slip less that of velocities `q_dot` (m/s; of angles rad/s, `[nodes]`) at its start in
    /// a time (s).
    #[must_use]
    pub fn less_velocity(self, model: &Model, q_dot: &[Vec2], time: f64) -> Self {
        let way: Vec<Vec2> = q_dot.iter().map(|v| v * time).collect();
        let mut moved = vec![Vec2::zeros(); self.at.x.len()];
        model.coordinates.displacements(&self.at, &way, &mut moved);
        Self {
            known: KnownSlip::Velocity(moved),
            ..self
        }
    }

    /// This slip less a share (1) of that from its start to another configuration of the motion.
    #[must_use]
    pub fn less(self, model: &Model, end: Configuration, share: f64) -> Self {
        let spun = tangent_positions(model, &self.at, &end).into_owned();
        Self {
            known: KnownSlip::Share {
                share,
                x: end.x,
                spun,
            },
            ..self
        }
    }

    /// What the integrator takes off.
    fn known(&self) -> Known<'_> {
        match &self.known {
            KnownSlip::Nothing => Known::Nothing,
            KnownSlip::Velocity(moved) => Known::Velocity(moved),
            KnownSlip::Share { share, x, spun } => Known::Share {
                share: *share,
                x,
                spun,
            },
        }
    }
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
        let Some(start) = &stage.slip else {
            self.at = None;
            let lag = Lag::along_tangents(table, &stage.reference.x, stage.slip_time);
            self.friction.renew(surface, contacts, &at.x, lag, older);
            return;
        };

        let spun = tangent_positions(model, &start.at, at);
        let lag = Lag {
            turning: Some(Turning {
                spun: &spun,
                known: start.known(),
            }),
            ..Lag::along_tangents(table, &start.at.x, stage.slip_time)
        };
        self.friction.renew(surface, contacts, &at.x, lag, older);
        self.at = (!model.coordinates.all_free()).then(|| at.clone());
    }

    /// Configuration at whose tangents friction is a function.
    pub fn tangent_at<'a>(&'a self, stage: &'a Stage) -> &'a Configuration {
        self.at.as_ref().unwrap_or(&stage.reference)
    }

    /// Positions (m), `[vertices]`, of which friction is a function, for a configuration `at`.
    pub fn positions<'a>(
        &self,
        model: &Model,
        stage: &Stage,
        at: &'a Configuration,
    ) -> Cow<'a, [Vec2]> {
        tangent_positions(model, self.tangent_at(stage), at)
    }
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

/// Positions `x_0 + J_0 (q - q_0)` (m), `[vertices]`, of a configuration on the tangents of another
/// one; the positions themselves where all vertices are free.
fn tangent_positions<'a>(
    model: &Model,
    tangent_at: &Configuration,
    at: &'a Configuration,
) -> Cow<'a, [Vec2]> {
    if model.coordinates.all_free() {
        return Cow::Borrowed(&at.x);
    }

    // Displacement along the tangents, then where it begins.
    let moved = at.q.iter().zip(&tangent_at.q);
    let p: Vec<Vec2> = moved.map(|(q, start)| q - start).collect();
    let mut y = tangent_at.x.clone();
    model.coordinates.displacements(tangent_at, &p, &mut y);
    for (y, start) in y.iter_mut().zip(&tangent_at.x) {
        *y += start;
    }
    Cow::Owned(y)
}

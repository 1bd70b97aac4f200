//! Where slip of a stage begins.
//!
//! A stage that measures slip in frames that turn with the surfaces keeps the configuration at the
//! start of its step, and what its integrator takes off the slip of the step.

use super::model::Model;
use crate::body::Configuration;
use ipcsim_contact::Known;
use ipcsim_math::Vec2;
use std::borrow::Cow;

/// Where slip of a stage begins, if it is measured in a frame that turns with the surfaces.
#[derive(Clone, Debug)]
pub struct SlipStart {
    /// Configuration at the start of the step.
    pub(super) at: Configuration,
    /// What the integrator takes off.
    known: KnownSlip,
}

/// A configuration before the start of a step.
pub(super) struct Before {
    /// Share of the slip to it that does not count (1).
    pub(super) share: f64,
    /// The configuration.
    pub(super) at: Configuration,
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
        /// Coordinates of that configuration.
        at: Vec<Vec2>,
        x: Vec<Vec2>,
        spun: Vec<Vec2>,
    },
    /// The same, and displacements (m) by the velocities of both, `[vertices]` each.
    Alternating {
        share: f64,
        x: Vec<Vec2>,
        spun: Vec<Vec2>,
        moved: [Vec<Vec2>; 2],
    },
}

impl SlipStart {
    /// Slip from the configuration `at`, where all of it counts.
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
                at: end.q,
                x: end.x,
                spun,
            },
            ..self
        }
    }

    /// This slip less a share (1) of that from its start to a `past` configuration, and less half of the
    /// change since then of the slip of velocities `q_dot` in a time (s), at its start and there
    /// (m/s; of angles rad/s, `[nodes]`).
    #[must_use]
    pub fn less_alternating(
        self,
        model: &Model,
        past: Configuration,
        share: f64,
        (q_dot, time): ([&[Vec2]; 2], f64),
    ) -> Self {
        // Half of each velocity, as a displacement.
        let moved = |at: &Configuration, q_dot: &[Vec2]| {
            let way: Vec<Vec2> = q_dot.iter().map(|v| v * (0.5 * time)).collect();
            let mut moved = vec![Vec2::zeros(); at.x.len()];
            model.coordinates.displacements(at, &way, &mut moved);
            moved
        };
        let moved = [moved(&self.at, q_dot[0]), moved(&past, q_dot[1])];
        let spun = tangent_positions(model, &self.at, &past).into_owned();
        Self {
            known: KnownSlip::Alternating {
                share,
                x: past.x,
                spun,
                moved,
            },
            ..self
        }
    }

    /// Configuration before the start, if a share of the slip to it does not count.
    ///
    /// # Errors
    /// The name of another part of the motion that does not count.
    pub(super) fn before(&self, model: &Model) -> Result<Option<Before>, &'static str> {
        match &self.known {
            KnownSlip::Nothing => Ok(None),
            KnownSlip::Share { share, at, .. } => Ok(Some(Before {
                share: *share,
                at: Configuration::of(&model.coordinates, at.clone()),
            })),
            KnownSlip::Velocity(_) | KnownSlip::Alternating { .. } => Err("slip by velocities"),
        }
    }

    /// What the integrator takes off.
    pub(super) fn known(&self) -> Known<'_> {
        match &self.known {
            KnownSlip::Nothing => Known::Nothing,
            KnownSlip::Velocity(moved) => Known::Velocity(moved),
            KnownSlip::Share { share, x, spun, .. } => Known::Share {
                share: *share,
                x,
                spun,
            },
            KnownSlip::Alternating {
                share,
                x,
                spun,
                moved: [now, then],
            } => Known::Alternating {
                share: *share,
                x,
                spun,
                moved: [now, then],
            },
        }
    }
}

/// Positions `x_0 + J_0 (q - q_0)` (m), `[vertices]`, of a configuration on the tangents of another
/// one; the positions themselves where all vertices are free.
pub(super) fn tangent_positions<'a>(
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

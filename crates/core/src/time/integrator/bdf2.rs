//! Second-order backward differences with steps of any length (Hairer, Norsett, Wanner, "Solving
//! Ordinary Differential Equations I", section III.5).
//!
//! One stage, and one past state. All forces act as they are at the end of the step, so stiff
//! energies and contact stay stable; slow motion loses far less energy than by implicit Euler.

use super::implicit_euler::at_the_end;
use super::{Departure, ImplicitEuler, Integrator};
use crate::body::Configuration;
use crate::solve::Stage;
use crate::time::memory::Past;
use crate::tuning::BDF2_MOST_RATIO;
use ipcsim_energy::Before;
use ipcsim_math::Vec2;

/// Backward differences: `v` is the derivative at the end of the step of the parabola through three
/// states, and its derivative follows likewise.
///
/// With `w = h_n / h_{n-1}` and `beta = h (1 + w) / (1 + 2 w)`
///
/// `q = q_ref + beta v`, `q_ref = ((1 + w)^2 q_n - w^2 q_{n-1}) / (1 + 2 w)`
///
/// and the same for `v` with the accelerations at the end. Second order; damps vibrations that
/// steps do not resolve. The first step, and one that is more than twice as long as the step before
/// it, is implicit Euler.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bdf2;

impl Integrator for Bdf2 {
    fn history(&self) -> usize {
        1
    }

    fn stage(&self, from: Departure) -> Stage {
        match from.start.memory.history.first() {
            Some(past) if from.span.h <= BDF2_MOST_RATIO * past.h => {
                backward(from, Behind::of(past))
            }
            _ => ImplicitEuler.stage(from),
        }
    }
}

/// State before the start of a stage.
#[derive(Clone, Copy)]
pub(super) struct Behind<'a> {
    /// Coordinates (m; of angles rad), `[nodes]`.
    pub(super) q: &'a [Vec2],
    /// Velocities of the coordinates (m/s; of angles rad/s), `[nodes]`.
    pub(super) q_dot: &'a [Vec2],
    /// Time from this state to the start of the stage (s).
    pub(super) h: f64,
}

impl<'a> Behind<'a> {
    /// The past state that a step remembers.
    fn of(past: &'a Past) -> Self {
        Self {
            q: &past.q,
            q_dot: &past.q_dot,
            h: past.h,
        }
    }
}

/// Stage of backward differences from a departure and the state `behind` it.
pub(super) fn backward(from: Departure, behind: Behind) -> Stage {
    let Departure {
        model, start, span, ..
    } = from;
    let h = span.h;
    let w = h / behind.h;
    let beta = h * (1.0 + w) / (1.0 + 2.0 * w);

    // The same combination of both states for coordinates and for velocities.
    let newer = (1.0 + w) * (1.0 + w) / (1.0 + 2.0 * w);
    let older = w * w / (1.0 + 2.0 * w);
    let combined = |new: &[Vec2], old: &[Vec2]| -> Vec<Vec2> {
        let pairs = new.iter().zip(old);
        pairs.map(|(new, old)| new * newer - old * older).collect()
    };
    let reference = combined(&start.q, behind.q);
    let velocity = combined(&start.q_dot, behind.q_dot);

    // And for strains, whose rates are damped.
    let mut behind_x = Vec::new();
    if !model.dampers.is_empty() {
        behind_x = Configuration::of(&model.coordinates, behind.q.to_vec()).x;
    }
    let before = Before {
        states: &[(newer, &start.x), (-older, &behind_x)],
        moving: None,
    };
    let reference = Configuration::of(&model.coordinates, reference);
    at_the_end(from, reference, &velocity, beta, &before)
}

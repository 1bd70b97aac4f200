//! Second-order backward differences with steps of any length (Hairer, Norsett, Wanner, "Solving
//! Ordinary Differential Equations I", section III.5).
//!
//! One stage, and one past state. All forces act as they are at the end of the step, so stiff
//! energies and contact stay stable; slow motion loses far less energy than by implicit Euler.

use super::even_motion::move_with_periods;
use super::implicit_euler::at_the_end;
use super::{Departure, ImplicitEuler, Integrator};
use crate::body::Configuration;
use crate::constraint::{first_residuals, have_rates};
use crate::solve::{Model, Stage};
use crate::time::memory::Past;
use crate::time::state::State;
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

    fn reference_weights(&self, start: &State, h: f64) -> Option<[f64; 2]> {
        Some(match start.memory.history.first() {
            Some(past) if h <= BDF2_MOST_RATIO * past.h => weights(h / past.h),
            _ => [1.0, 0.0],
        })
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

/// Weights of the newer state and of minus the older one in the reference, for steps of the ratio `w`.
fn weights(w: f64) -> [f64; 2] {
    let newer = (1.0 + w) * (1.0 + w) / (1.0 + 2.0 * w);
    let older = w * w / (1.0 + 2.0 * w);
    [newer, older]
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
    let [newer, older] = weights(w);
    let combined = |new: &[Vec2], old: &[Vec2]| -> Vec<Vec2> {
        let pairs = new.iter().zip(old);
        pairs.map(|(new, old)| new * newer - old * older).collect()
    };
    let reference = combined(&start.q, behind.q);
    let velocity = combined(&start.q_dot, behind.q_dot);

    // And for strains, whose rates are damped, and for residuals of joints.
    let mut behind_x = Vec::new();
    if !model.dampers.is_empty() || have_rates(&model.joints) {
        behind_x = Configuration::of(&model.coordinates, behind.q.to_vec()).x;
    }
    let mut residuals = from.residuals();
    if !residuals.is_empty() {
        let turned = turned_behind(model, start, behind);
        let older_ones = first_residuals(&model.joints, &behind_x, &turned);
        for (newer_one, older_one) in residuals.iter_mut().zip(older_ones) {
            *newer_one = *newer_one * newer - older_one * older;
        }
    }
    let before = Before {
        states: &[(newer, &start.x), (-older, &behind_x)],
        moving: None,
    };
    let reference = Configuration::of(&model.coordinates, reference);
    let residuals = from.residuals_from(residuals, &reference.x);
    let mut stage = at_the_end(from, reference, &velocity, beta, &before);
    let flown = stage.predicted.q.clone();
    move_with_periods(from, &flown, &mut stage);
    Stage { residuals, ..stage }
}

/// Angles of both bodies of each joint (rad), over turns, in the state `behind` a `start`.
///
/// A rigid body may have turned many times since, and its coordinates tell by how much. Others turn
/// by less than half a turn, which the angle near the present one tells.
fn turned_behind(model: &Model, start: &State, behind: Behind) -> Vec<Vec2> {
    let mut turned = start.memory.turned.clone();
    for (angles, joint) in turned.iter_mut().zip(&model.joints) {
        let Some(row) = joint.rows.iter().find(|row| row.rule.counts_turns()) else {
            continue;
        };
        for (side, frame) in row.frames.iter().enumerate() {
            if let Some(node) = model.coordinates.angle_node(frame.vertices[0]) {
                angles[side] -= start.q[node].x - behind.q[node].x;
            }
        }
    }
    turned
}

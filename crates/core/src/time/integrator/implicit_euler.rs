//! Implicit Euler (the free physics-based simulation book, chapter on optimisation time
//! integrators).
//!
//! One stage and no history. Stiff energies stay stable at any length of the step.

use super::even_motion::move_with_periods;
use super::{Departure, Integrator};
use crate::body::Configuration;
use crate::solve::Stage;
use crate::time::state::State;
use ipcsim_energy::{Before, Reference};
use ipcsim_math::Vec2;

/// Implicit Euler: `v = (q - q_n)/h`, and all forces act as they are at the end of the step.
///
/// First order; it damps vibrations the more the longer the step. A body that is thrown up comes
/// back slower by `h g`, as if its restitution were smaller. The end of a step minimises
/// `1/2 |q - q_tilde|_M^2 + h^2 (energies)` with `q_tilde = q_n + h v_n + h^2 a`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImplicitEuler;

impl Integrator for ImplicitEuler {
    fn order(&self) -> usize {
        1
    }

    fn reference_weights(&self, _start: &State, _h: f64) -> Option<[f64; 2]> {
        Some([1.0, 0.0])
    }

    fn stage(&self, from: Departure) -> Stage {
        let start = from.start;
        let before = Before {
            states: &[(1.0, &start.x)],
            moving: None,
        };
        let reference = start.configuration();
        let mut stage = at_the_end(from, reference, &start.q_dot, from.span.h, &before);
        move_with_periods(from, &start.q, &mut stage);
        Stage {
            residuals: from.residuals(),
            ..stage
        }
    }
}

/// Stage of a method all of whose forces act as they are at the end, `v = (q - q_ref) / beta`, with
/// inertia from the `velocity` (m/s; of angles rad/s, `[nodes]`) at `q_ref`. Rates of strain count
/// from the state `before`; residuals of joints are left to the caller.
///
/// So `q_tilde = q_ref + beta v + beta^2 a` and `s_e = s_c = beta^2`.
pub(super) fn at_the_end(
    from: Departure,
    reference: Configuration,
    velocity: &[Vec2],
    beta: f64,
    before: &Before,
) -> Stage {
    let coordinates = &from.model.coordinates;
    let end = from.span.end;
    let scale = beta * beta;

    // Where bodies fly under loads at the end of the stage.
    let loads = from.loads(end);
    let push: Vec<Vec2> = loads.acceleration.iter().map(|a| a * scale).collect();
    let q = &reference.q;
    let flown = (0..q.len()).map(|i| q[i] + velocity[i] * beta + push[i]);
    let predicted = Configuration::of(coordinates, flown.collect());

    Stage {
        end,
        predicted,
        expected: Vec::new(),
        push,
        pull: loads.massless.iter().map(|f| f * scale).collect(),
        materials: from.materials(end),
        following: from.following(end),
        damping: from.model.dampers.stage(
            before,
            Reference {
                x: &reference.x,
                q: &reference.q,
                beta,
            },
        ),
        residuals: Vec::new(),
        inertia: 1.0,
        reference,
        beta: Some(beta),
        clock: beta,
        elasticity: scale,
        explicit: 0.0,
        contact: scale,
        slip: None,
        turning: None,
        slip_time: beta,
        tolerance: from.tolerance,
    }
}

//! Implicit Euler (the free physics-based simulation book, chapter on optimisation time
//! integrators).
//!
//! One stage and no history. Stiff energies stay stable at any length of the step.

use super::{Departure, Integrator};
use crate::body::Configuration;
use crate::solve::Stage;
use crate::time::span::Span;

/// Implicit Euler: `v = (q - q_n)/h`, and all forces act as they are at the end of the step.
///
/// First order; it damps vibrations the more the longer the step. The end of a step minimises `1/2
/// |q - q_tilde|_M^2 + h^2 (energies)` with `q_tilde = q_n + h v_n + h^2 a`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImplicitEuler;

impl Integrator for ImplicitEuler {
    fn stage(&self, from: Departure) -> Stage {
        let Departure {
            model, start, span, ..
        } = from;
        let Span { end, h } = span;
        let scale = h * h;

        // Where bodies fly under loads at the end of the step.
        let loads = from.loading.at(model, end);
        let push: Vec<_> = loads.acceleration.into_iter().map(|a| a * scale).collect();
        let flown = (0..start.q.len()).map(|i| start.q[i] + start.q_dot[i] * h + push[i]);
        let predicted = Configuration::of(&model.coordinates, flown.collect());

        Stage {
            end,
            predicted,
            push,
            pull: loads.massless.iter().map(|f| f * scale).collect(),
            inertia: 1.0,
            reference: start.configuration(),
            beta: Some(h),
            elasticity: scale,
            contact: scale,
            slip_time: h,
            tolerance: from.tolerance,
        }
    }
}

//! Statics: increments of loads and prescribed motion, each solved to equilibrium.
//!
//! Time only says how far loads and scripts have come. Nothing has a velocity, and inertia has no
//! part in a stage but for the force that holds bodies back while they look for equilibrium, see
//! [`equilibrium`](crate::time::options::statics::equilibrium).

use super::{Departure, Integrator};
use crate::solve::Stage;
use crate::time::state::State;
use ipcsim_energy::Dissipation;
use ipcsim_math::Vec2;

/// Equilibrium of all forces at the end of each increment.
///
/// The stage minimises `m/2 |q - q_tilde|_M^2 + T^2 (energies - loads)`, where `q_tilde` is the
/// state so far, `T` the clock of the world, and `m` falls from 1 to 0. At `m = 0` a minimum is an
/// equilibrium, and a stable one. All loads are linear terms or energies, so the place at which
/// they act does not matter. Friction follows the slip since the start of the increment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statics;

impl Integrator for Statics {
    fn is_static(&self) -> bool {
        true
    }

    fn reference_weights(&self, _start: &State, _h: f64) -> Option<[f64; 2]> {
        Some([1.0, 0.0])
    }

    fn stage(&self, from: Departure) -> Stage {
        let Departure {
            model,
            start,
            span,
            clock,
            ..
        } = from;
        let scale = clock * clock;

        // Weight and loads, as forces on coordinates.
        let loads = from.loads(span.end);
        let mut pull: Vec<Vec2> = loads
            .acceleration
            .iter()
            .zip(&model.mass)
            .map(|(a, mass)| a.component_mul(mass) * scale)
            .collect();
        for (pull, force) in pull.iter_mut().zip(&loads.massless) {
            *pull += force * scale;
        }

        Stage {
            end: span.end,
            predicted: start.configuration(),
            expected: Vec::new(),
            push: vec![Vec2::zeros(); start.q.len()],
            pull,
            materials: from.materials(span.end),
            following: from.following(span.end),
            damping: Dissipation::default(),
            residuals: from.residuals(),
            inertia: 1.0,
            reference: start.configuration(),
            beta: None,
            clock,
            elasticity: scale,
            explicit: 0.0,
            contact: scale,
            slip: None,
            turning: None,
            slip_time: span.h,
            tolerance: from.tolerance,
        }
    }
}

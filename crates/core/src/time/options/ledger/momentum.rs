//! Momentum of all bodies, and its change by forces on nodes.
//!
//! Linear momentum is the sum of `L^T p` over nodes with the momenta `p = M q'`, where `L` is the
//! motion of a node when all bodies move along together ([`Coordinates::lift`]). Angular momentum
//! is the sum of `r . p`, where `r` is the motion of a node when all bodies turn about the origin
//! together ([`Coordinates::spin`]).
//!
//! [`Coordinates::lift`]: crate::body::Coordinates::lift
//! [`Coordinates::spin`]: crate::body::Coordinates::spin

use super::Impulse;
use crate::body::Configuration;
use crate::solve::{Model, Potential};
use crate::time::state::State;
use crate::time::world::World;
use ipcsim_contact::{Contacts, VertexForces};
use ipcsim_math::{Vec2, cross};

/// Change of the momentum of all bodies by forces on the nodes of a configuration.
pub(super) struct Pairing<'a> {
    /// Bodies.
    model: &'a Model,
    /// Velocities of the nodes where all bodies turn about the origin at 1 rad/s, `[nodes]`.
    spin: Vec<Vec2>,
}

impl<'a> Pairing<'a> {
    /// Pairing at the configuration `at`.
    pub(super) fn of(model: &'a Model, at: &Configuration) -> Self {
        Self {
            model,
            spin: model.coordinates.spin(at),
        }
    }

    /// Impulse of forces on nodes (N; on angles N m), `[nodes]` or none, within a time (s).
    pub(super) fn impulse(&self, forces: &[Vec2], duration: f64) -> Impulse {
        let coordinates = &self.model.coordinates;
        let nodes = forces.iter().enumerate();
        let linear: Vec2 = nodes
            .map(|(i, force)| coordinates.lift(i).tr_mul(force))
            .sum();
        Impulse {
            linear: linear * duration,
            angular: self.moment(forces) * duration,
        }
    }

    /// Moment about the origin of forces on nodes.
    pub(super) fn moment(&self, forces: &[Vec2]) -> f64 {
        let pairs = self.spin.iter().zip(forces);
        pairs.map(|(spin, force)| spin.dot(force)).sum()
    }
}

/// Angular momentum of a state about the origin of the scene (kg m^2/s).
pub(in crate::time) fn angular_momentum(model: &Model, state: &State) -> f64 {
    let momenta: Vec<Vec2> = model
        .mass
        .iter()
        .zip(&state.q_dot)
        .map(|(mass, velocity)| mass.component_mul(velocity))
        .collect();
    Pairing::of(model, &state.configuration()).moment(&momenta)
}

/// Moment (N m) of contacts and friction with half-planes, about the origins of these.
///
/// The force on a half-plane that does not turn acts at its origin, its only coordinate, so that
/// the moments of both sides do not add up to 0: the half-plane is held by the rest, as a couple.
pub(super) fn planes_couple(
    world: &World,
    potential: &Potential,
    contacts: &Contacts,
    at: &Configuration,
) -> f64 {
    let is_plane = |body: usize| world.bodies[body].nodes.len() == 1;
    if !(0..world.bodies.len()).any(is_plane) {
        return 0.0;
    }
    let surface = &world.model.surface;
    let y = potential.tangent_positions(at);
    let friction = &potential.friction;

    // The second body of such a pair is the half-plane.
    let mut couple = 0.0;
    for force in contacts.forces(surface, &at.x) {
        if is_plane(force.bodies[1]) {
            couple += moment(&force.on_vertices, &at.x);
        }
    }
    for force in friction.forces(surface, &y) {
        if is_plane(force.bodies[1]) {
            couple += moment(&force.on_vertices, &at.x);
        }
    }
    for rolling in friction.couples(surface, &y) {
        if is_plane(rolling.bodies[1]) {
            couple += moment(&rolling.on_vertices, &at.x);
        }
    }
    couple
}

/// Moment of forces on vertices at positions `x` (m) about the origin of the scene (N m).
fn moment(forces: &VertexForces, x: &[Vec2]) -> f64 {
    let all = forces.iter();
    all.map(|(vertex, force)| cross(x[*vertex], *force)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::testing::{INERTIA, MASS, circles};

    /// Circles that move and turn.
    fn moving() -> (World, State) {
        let (world, mut state) = circles(&[[1.0, 2.0], [-3.0, 0.5]], false, 0.0);
        state.q_dot = [[0.3, -0.7], [4.0, 0.0], [-1.1, 0.2], [-9.0, 0.0]]
            .map(Vec2::from)
            .to_vec();
        (world, state)
    }

    #[test]
    fn angular_momentum_is_that_of_the_centres_and_of_the_spins() {
        let (world, state) = moving();
        let own = |k: usize| {
            let [center, velocity] = [state.q[k], state.q_dot[k]];
            MASS * (center.x * velocity.y - center.y * velocity.x) + INERTIA * state.q_dot[k + 1].x
        };
        let expected = own(0) + own(2);
        let found = angular_momentum(&world.model, &state);
        assert!((found - expected).abs() < 1e-14, "{found} {expected}");
    }

    #[test]
    fn impulses_are_what_forces_on_places_and_torques_change_in_time() {
        let (world, state) = moving();
        let pairing = Pairing::of(&world.model, &state.configuration());
        let forces = [[2.0, 3.0], [0.7, 0.0], [-5.0, 1.0], [0.0, 0.0]].map(Vec2::from);
        let impulse = pairing.impulse(&forces, 0.5);
        assert!((impulse.linear - Vec2::new(-1.5, 2.0)).norm() < 1e-14);
        // 1 x 3 - 2 x 2, the torque, and -3 x 1 - 0.5 x -5.
        let moment = (3.0 - 4.0) + 0.7 + (-3.0 + 2.5);
        assert!((impulse.angular - 0.5 * moment).abs() < 1e-14);
        assert_eq!(pairing.impulse(&[], 1.0), Impulse::default());
    }
}

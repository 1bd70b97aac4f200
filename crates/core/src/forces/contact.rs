//! Forces of contact and friction, pair by pair.
//!
//! Normal forces belong to the positions at the end of the step. Friction acted in the step: it
//! belongs to the contacts of the end if it follows the normal forces, and otherwise to the lagged
//! contacts, which need not be the same pairs. Both are collected under the pair, in the order of
//! pairs.

use crate::solve::{TangentFriction, Touching};
use crate::time::{State, World};
use ipcsim_contact::{ContactPair, Contacts, Friction, Nearest, NormalForce, Surface};
use ipcsim_math::Vec2;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Forces and slip between a vertex and an edge, a vertex or a half-plane, at the end of a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contact {
    /// Vertex and the other side of its contact, by numbers of the world.
    pub pair: ContactPair,
    /// Numbers of the body of the vertex, and of the body of the other side.
    pub bodies: [usize; 2],
    /// Point of the second body's surface that is nearest to the vertex (m).
    pub point: Vec2,
    /// Unit normal at that point (1), towards the first body.
    pub normal: Vec2,
    /// Gap (m): distance of the two sides less the one at which they touch.
    pub gap: f64,
    /// Force along the normal on the first body (N). It is positive, except for corrections where
    /// two edges share a vertex, which subtract the part that both edges count.
    pub normal_force: f64,
    /// Friction force on the first body (N). Contacts that overlap have one friction force
    /// together, which stands at the strongest of them, along the tangent of their sum.
    pub friction_force: Vec2,
    /// Distance (m) by which the surface of the first body has slid along the surface of the second
    /// in the step, along the tangent `(n_y, -n_x)`; belts count.
    pub slip: f64,
    /// Moment of rolling resistance on the first body (N m), counter-clockwise, against its
    /// turning.
    pub rolling_moment: f64,
    /// True if the slip is below `eps_v h`, within which friction is static.
    pub sticks: bool,
}

/// Forces of all pairs in the `state` at the end of a step that ended with
/// `last`, in the order of pairs.
///
/// Contacts come from the solver. Before the first step and after a step that failed they are
/// searched for.
pub fn contacts(world: &World, state: &State, last: &Touching) -> Vec<Contact> {
    let x = &state.x;
    let surface = &world.model.surface;
    let searched;
    let found = if last.stage.is_some() {
        &last.contacts
    } else {
        searched = world.contacts_at(x, &state.memory.options.stiffening.adapted);
        &searched
    };

    // Normal forces, then friction of the same or of further pairs.
    let mut pairs: BTreeMap<ContactPair, Contact> = BTreeMap::new();
    for normal in found.forces(surface, x) {
        let force = normal.force;
        let pair = pairs
            .entry(normal.pair)
            .or_insert_with(|| unloaded(&normal));
        pair.normal_force += force;
    }
    for friction in last.friction.forces(surface, &last.tangents) {
        let pair = pairs
            .entry(friction.pair)
            .or_insert_with(|| Contact::apart(surface, friction.pair, x));
        pair.friction_force += friction.force;
    }
    for couple in last.friction.couples(surface, &last.tangents) {
        let pair = pairs
            .entry(couple.pair)
            .or_insert_with(|| Contact::apart(surface, couple.pair, x));
        pair.rolling_moment += couple.moment;
    }

    let mut contacts: Vec<Contact> = pairs.into_values().collect();
    measure_slip(&mut contacts, world, found, state, last);
    contacts
}

/// Writes slip and state of all `contacts`, which were `found` in the `state`.
///
/// The slip is computed for friction with a coefficient of 1, so contacts without friction have one
/// too. A contact that others correct has the slip of its vertex' strongest contact.
fn measure_slip(
    contacts: &mut [Contact],
    world: &World,
    found: &Contacts,
    state: &State,
    last: &Touching,
) {
    let Some(stage) = &last.stage else {
        return;
    };
    let surface = &world.model.surface;
    let table = world.friction.rough();
    let at = state.configuration();
    let mut rough = TangentFriction::default();
    let mut none = Friction::default();
    rough.renew(&world.model, stage, &table, (found, &at), &mut none);
    let tangents = rough.positions(&world.model, stage, &at);

    // Slip by pair, and by vertex for pairs without one.
    let mut by_pair = BTreeMap::new();
    let mut by_point = BTreeMap::new();
    for friction in rough
        .forces(surface, &tangents)
        .chain(last.friction.forces(surface, &last.tangents))
    {
        by_pair.insert(friction.pair, friction.slip);
        by_point.insert(friction.pair.vertices()[0], friction.slip);
    }
    for contact in contacts {
        let own = by_pair.get(&contact.pair);
        let slip = own.or_else(|| by_point.get(&contact.pair.vertices()[0]));
        let along = Vec2::new(contact.normal.y, -contact.normal.x);
        contact.slip = slip.map_or(0.0, |slip| slip.dot(&along));

        let [a, b] = contact.bodies;
        let eps_v = world.friction.eps_v.between(a, b);
        contact.sticks = contact.slip.abs() < eps_v * stage.slip_time;
    }
}

/// A contact at the place of a normal force, without forces yet.
fn unloaded(at: &NormalForce) -> Contact {
    Contact {
        pair: at.pair,
        bodies: at.bodies,
        point: at.point,
        normal: at.normal,
        gap: at.gap,
        normal_force: 0.0,
        friction_force: Vec2::zeros(),
        slip: 0.0,
        rolling_moment: 0.0,
        sticks: true,
    }
}

impl Contact {
    /// Sum of normal and friction force on the first body (N).
    pub fn force(&self) -> Vec2 {
        self.normal * self.normal_force + self.friction_force
    }

    /// True if its vertices have numbers below `vertices` and its bodies below `bodies`.
    pub fn fits(&self, vertices: usize, bodies: usize) -> bool {
        self.pair.vertices().iter().all(|&vertex| vertex < vertices)
            && self.bodies.iter().all(|&body| body < bodies)
    }

    /// A pair beyond the reach of the barrier at the positions `x` (m), without forces yet.
    fn apart(surface: &Surface, pair: ContactPair, x: &[Vec2]) -> Self {
        let Nearest { gap, point, normal } = pair.nearest(surface, x);
        Self {
            pair,
            bodies: pair.bodies(surface),
            point,
            normal,
            gap,
            normal_force: 0.0,
            friction_force: Vec2::zeros(),
            slip: 0.0,
            rolling_moment: 0.0,
            sticks: true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::testing::{GRAVITY, H, MASS, RADIUS, circles, moved, resting_gap, touching};

    /// Contacts of a circle that its ground carries, after it has slid by a distance (m).
    fn slid(way: f64) -> Contact {
        let (world, from) = circles(&[[0.0, RADIUS + resting_gap()]], true, 0.4);
        let state = moved(&world, &from, |q| q[0].x += way);
        let last = touching(&world, &from, &state);
        let [contact] = &contacts(&world, &state, &last)[..] else {
            panic!("one contact")
        };
        contact.clone()
    }

    #[test]
    fn a_circle_that_rests_has_its_weight_as_normal_force() {
        let contact = slid(0.0);
        let weight = MASS * GRAVITY;
        assert_eq!(contact.bodies, [0, 1]);
        assert_eq!(contact.normal, Vec2::y());
        assert!((contact.normal_force - weight).abs() < 1e-9 * weight);
        assert!((contact.gap - resting_gap()).abs() < 1e-15);
        assert!(contact.point.norm() < 1e-15);
        assert!(contact.sticks && contact.slip == 0.0);
        assert_eq!(contact.friction_force, Vec2::zeros());
    }

    #[test]
    fn a_circle_that_slides_has_its_way_as_slip_and_coulombs_force_against_it() {
        for way in [3e-4, -3e-4] {
            let contact = slid(way);
            assert!((contact.slip - way).abs() < 1e-15 && !contact.sticks);
            let expected = -0.4 * MASS * GRAVITY * way.signum();
            let error = (contact.friction_force - Vec2::new(expected, 0.0)).norm();
            assert!(error < 1e-9, "{contact:?}");
        }

        // Within the speed at which friction is developed it sticks, with less force.
        let way = 0.3 * 1e-3 * H;
        let contact = slid(way);
        assert!(contact.sticks && (contact.slip - way).abs() < 1e-15);
        let friction = contact.friction_force.x;
        assert!(-0.4 * MASS * GRAVITY < friction && friction < 0.0);
    }
}

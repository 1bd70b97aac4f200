//! Forces of contact and friction with the names of their bodies, pair by pair.

use ipcsim_core::forces::{self, Contact};
use ipcsim_core::solve::Touching;
use ipcsim_core::time::{State, World};
use ipcsim_math::Vec2;

/// Force between a vertex of one body and an edge, a vertex or a half-plane of another.
///
/// The barrier acts at the end of the step, and so does friction. If the scene asks for lagged
/// friction, it is that of earlier positions: a pair that has come into contact in the step has no
/// friction yet, and one that has left contact still has friction.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactForce<'a> {
    /// Names of the first and second body or obstacle; forces act on the first, and their opposites
    /// on the second.
    pub bodies: [&'a str; 2],
    /// Vertex of the first body, then the two ends of an edge of the second; these are equal where
    /// the second has a vertex there, and missing where it is a half-plane.
    pub vertices: Vec<usize>,
    /// Point of the second body's surface that is nearest to the vertex (m).
    pub point: Vec2,
    /// Unit normal at that point (1), towards the first body.
    pub normal: Vec2,
    /// Gap (m): distance of the two sides less the one at which they touch.
    pub gap: f64,
    /// Force along the normal (N). It is positive, except for corrections where two edges share a
    /// vertex, which take off what both edges count.
    pub normal_force: f64,
    /// Friction force on the first body (N). Contacts that overlap have one friction force
    /// together, which stands at the strongest of them.
    pub friction_force: Vec2,
    /// Distance (m) by which the surface of the first body has slid along that of the second in the
    /// last step, along the tangent `(n_y, -n_x)`; 0 before the first step. Belts count. Over the
    /// time step it is the sliding speed.
    pub slip: f64,
    /// Moment of rolling resistance on the first body (N m), counter-clockwise, against its
    /// turning; the second one feels the opposite.
    pub rolling_moment: f64,
    /// True if the slip is below `eps_v h`, within which friction is static.
    pub sticks: bool,
}

impl ContactForce<'_> {
    /// Sum of normal and friction force on the first body (N).
    pub fn force(&self) -> Vec2 {
        self.normal * self.normal_force + self.friction_force
    }

    /// Force on the body or obstacle of this name (N): zero if it takes no part. Forces of a body
    /// on itself cancel.
    pub fn force_on(&self, body: &str) -> Vec2 {
        let [first, second] = self.bodies.map(|name| name == body);

        // Both are true for a body in contact with itself.
        match (first, second) {
            (true, false) => self.force(),
            (false, true) => -self.force(),
            _ => Vec2::zeros(),
        }
    }
}

/// Forces of all pairs in the `state` at the end of a step that ended with `last`.
pub(super) fn forces<'a>(
    world: &'a World,
    state: &State,
    last: &Touching,
) -> impl Iterator<Item = ContactForce<'a>> {
    let contacts = forces::contacts(world, state, last);
    contacts.into_iter().map(|contact| named(world, &contact))
}

/// A contact with the names of its bodies.
fn named<'a>(world: &'a World, contact: &Contact) -> ContactForce<'a> {
    ContactForce {
        bodies: contact.bodies.map(|body| world.bodies[body].name.as_str()),
        vertices: contact.pair.vertices(),
        point: contact.point,
        normal: contact.normal,
        gap: contact.gap,
        normal_force: contact.normal_force,
        friction_force: contact.friction_force,
        slip: contact.slip,
        rolling_moment: contact.rolling_moment,
        sticks: contact.sticks,
    }
}

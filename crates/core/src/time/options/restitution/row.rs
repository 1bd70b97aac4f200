//! Constraints of the motions of two bodies: contacts, which only push, and joints, which also
//! pull.

use super::rigid_motion::{Motion, Push, RigidMotion};
use crate::constraint::{ConstraintAction, Joint};
use ipcsim_contact::NormalForce;
use ipcsim_math::Vec2;
use ipcsim_math::groups::Groups;

/// One direction in which two bodies act on each other: by equal and opposite impulses.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// Numbers of the two bodies.
    pub(super) bodies: [usize; 2],
    /// Unit impulse on each of them.
    pushes: [Push; 2],
    /// True for joints, whose impulses have any sign.
    pub(super) pulls: bool,
    /// Relative velocity along the row by a unit impulse (1/kg); 0 if neither body can move.
    pub(super) softness: f64,
}

impl Row {
    /// A row between two bodies, with the unit impulse on each of them.
    fn new(
        wholes: &[Option<RigidMotion>],
        bodies: [usize; 2],
        pushes: [Push; 2],
        pulls: bool,
    ) -> Self {
        let softness = |side: usize| {
            let whole = wholes[bodies[side]].as_ref();
            whole.map_or(0.0, |whole| {
                pushes[side].dot(whole.response(&pushes[side], 1.0))
            })
        };
        Self {
            softness: softness(0) + softness(1),
            bodies,
            pushes,
            pulls,
        }
    }

    /// The normal of a contact: its velocity is that at which the gap opens (m/s). `None` if a body
    /// of the two deforms.
    pub(super) fn of_contact(
        wholes: &[Option<RigidMotion>],
        contact: &NormalForce,
    ) -> Option<Self> {
        let [a, b] = contact.bodies;
        let centres = [wholes[a].as_ref()?.centre, wholes[b].as_ref()?.centre];
        let pushes = [
            Push::at(contact.point - centres[0], contact.normal),
            Push::at(contact.point - centres[1], -contact.normal),
        ];
        Some(Self::new(wholes, [a, b], pushes, false))
    }

    /// The equations of a joint at the positions `x` (m, `[vertices]`); none if a body deforms.
    /// Ropes, limits and motors are none.
    pub(super) fn of_joint(wholes: &[Option<RigidMotion>], joint: &Joint, x: &[Vec2]) -> Vec<Self> {
        let [a, b] = joint.bodies;
        let (Some(first), Some(second)) = (&wholes[a], &wholes[b]) else {
            return Vec::new();
        };
        let closed = joint
            .rows
            .iter()
            .filter(|row| row.action == ConstraintAction::Closed);
        let rows = closed.flat_map(|row| {
            [Vec2::x(), Vec2::y()].map(|unit| {
                // A unit force on the residual is an impulse on two vertices of each body.
                let forces: Vec<(usize, Vec2)> = row.forces_by(x, unit).collect();
                let push = |k: usize| {
                    let (vertex, force) = forces[k];
                    let centre = if k < 3 { first.centre } else { second.centre };
                    Push::at(x[vertex] - centre, force)
                };
                let all = |k: usize| push(k).and(push(k + 1)).and(push(k + 2));
                let pushes = [all(0), all(3)];
                Self::new(wholes, [a, b], pushes, true)
            })
        });
        rows.collect()
    }

    /// Relative velocity along the row (m/s) if bodies move so, `[bodies]`; a positive one opens.
    pub(super) fn velocity(&self, motions: &[Motion]) -> f64 {
        let [a, b] = self.bodies;
        self.pushes[0].dot(motions[a]) + self.pushes[1].dot(motions[b])
    }

    /// Adds the change of the motions by an impulse (N s) along the row, `[bodies]`.
    pub(super) fn push(
        &self,
        wholes: &[Option<RigidMotion>],
        impulse: f64,
        motions: &mut [Motion],
    ) {
        for (&body, push) in self.bodies.iter().zip(&self.pushes) {
            if let Some(whole) = &wholes[body] {
                motions[body] = motions[body].plus(whole.response(push, impulse), 1.0);
            }
        }
    }
}

/// Number of the island of each body, `[bodies]`: bodies that impulses can move are in one if
/// `rows` connect them.
pub(super) fn roots<'a>(
    wholes: &[Option<RigidMotion>],
    rows: impl Iterator<Item = &'a Row>,
) -> Vec<usize> {
    let mut groups = Groups::new(wholes.len());
    for row in rows {
        let [a, b] = row.bodies;
        let both = [a, b]
            .iter()
            .all(|&body| wholes[body].as_ref().is_some_and(RigidMotion::is_free));
        if both {
            groups.join(a, b);
        }
    }
    (0..wholes.len()).map(|body| groups.root(body)).collect()
}

#[cfg(test)]
impl Row {
    /// A contact at a place (m) that pushes the first body along a normal, or a joint that holds it
    /// there along the same direction.
    pub(super) fn at(
        wholes: &[Option<RigidMotion>],
        bodies: [usize; 2],
        place: [f64; 2],
        normal: [f64; 2],
        pulls: bool,
    ) -> Self {
        let normal = Vec2::from(normal);
        let arm = |body: usize| Vec2::from(place) - wholes[body].as_ref().unwrap().centre;
        let pushes = [
            Push::at(arm(bodies[0]), normal),
            Push::at(arm(bodies[1]), -normal),
        ];
        Self::new(wholes, bodies, pushes, pulls)
    }
}

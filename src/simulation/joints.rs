//! Forces of joints, which hold two bodies together at the end of a step.
//!
//! A joint is closed by a force of any size, a multiplier, which the step has found and the state
//! remembers for the next one. Reading it costs nothing.

use crate::math::Vec2;
use crate::time::{State, World};

/// Force that a joint carries at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointForce<'a> {
    /// Names of the first and second body or obstacle, in the order of the scene.
    pub bodies: [&'a str; 2],
    /// Force on the second body (N); the first one feels its opposite.
    pub force: Vec2,
}

impl JointForce<'_> {
    /// Force on the body or obstacle of this name (N): zero if it is not joined here.
    pub fn force_on(&self, body: &str) -> Vec2 {
        match self.bodies.map(|name| name == body) {
            [true, false] => -self.force,
            [false, true] => self.force,
            _ => Vec2::zeros(),
        }
    }
}

/// Forces of all joints in the order of the scene; zero before the first step.
pub(super) fn forces<'a>(
    world: &'a World,
    state: &'a State,
) -> impl Iterator<Item = JointForce<'a>> {
    let joints = world.model.joints.iter().enumerate();
    joints.map(|(k, joint)| {
        // Before the first step there is no multiplier.
        let multiplier = state.memory.multipliers.get(k).copied();
        let slopes = joint
            .constraint
            .jacobian(&joint.vertices.map(|i| state.x[i]));
        let by_opening = slopes[2] + slopes[3];

        JointForce {
            bodies: joint.bodies.map(|body| &*world.bodies[body].name),
            force: multiplier.map_or_else(Vec2::zeros, |force| -by_opening.tr_mul(&force)),
        }
    })
}

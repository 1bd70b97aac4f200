//! Forces of joints, which hold two bodies together at the end of a step, with their names.

use ipcsim_core::forces;
use ipcsim_core::time::{State, World};
use ipcsim_math::Vec2;

/// Force that a joint carries at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointForce<'a> {
    /// Names of the first and second body or obstacle, in the order of the scene.
    pub bodies: [&'a str; 2],
    /// Force on the second body (N); the first one feels its opposite.
    pub force: Vec2,
    /// Moment on the second body (N m), counter-clockwise, about the place of the joint on the
    /// first; 0 for hinges, rods and ropes without motor, spring or limit.
    pub moment: f64,
    /// True if the joint has broken; then it has no force from the next step on.
    pub is_broken: bool,
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
pub(super) fn forces<'a>(world: &'a World, state: &State) -> impl Iterator<Item = JointForce<'a>> {
    let joints = forces::joints(world, state).into_iter();
    joints.map(|joint| JointForce {
        bodies: joint.bodies.map(|body| &*world.bodies[body].name),
        force: -joint.force,
        moment: joint.moment.map_or(0.0, |moment| -moment.moment),
        is_broken: joint.is_broken,
    })
}

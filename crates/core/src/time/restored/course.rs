//! What bodies do in a stage, by which their energy is restored.

use crate::body::Body;
use crate::time::restitution::Landing;
use crate::time::world::World;

/// What a body does in a stage, by which its energy is restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Course {
    /// Nothing touches or holds it.
    Flies,
    /// Others touch it.
    Hits,
    /// Some of its vertices are held.
    IsHeld,
    /// It is an obstacle.
    IsDriven,
}

/// Components whose motion is prescribed in a stage, `[nodes]`.
pub(super) fn fixed(world: &World, landing: Landing) -> Vec<[bool; 2]> {
    let Landing {
        stage, from, at, ..
    } = landing;
    let mut fixed = vec![[false; 2]; at.q.len()];
    for target in world.targets(&from.parameters, stage.end, from.time, &from.q) {
        for (fixed, axis) in fixed[target.node].iter_mut().zip(target.axes) {
            *fixed |= axis;
        }
    }
    fixed
}

/// What each body does in a stage. Scenes with joints do not keep their energy.
pub(super) fn courses(world: &World, landing: Landing, fixed: &[[bool; 2]]) -> Vec<Course> {
    let World { bodies, model, .. } = world;
    let is_loose = |node: usize| fixed[node] == [false; 2];
    let course = |body: &Body| {
        if body.kind.is_obstacle() {
            Course::IsDriven
        } else if body.nodes.clone().all(is_loose) {
            Course::Flies
        } else {
            Course::IsHeld
        }
    };
    let mut courses: Vec<Course> = bodies.iter().map(course).collect();

    let Landing { at, contacts, .. } = landing;
    let others = contacts.forces(&model.surface, &at.x);
    for contact in others.filter(|contact| contact.bodies[0] != contact.bodies[1]) {
        for body in contact.bodies {
            if courses[body] == Course::Flies {
                courses[body] = Course::Hits;
            }
        }
    }
    courses
}

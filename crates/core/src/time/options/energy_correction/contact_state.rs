//! States of bodies in a stage, by which their energy is restored.

use crate::body::Body;
use crate::time::step::stage_end::StageEnd;
use crate::time::world::World;

/// State of a body in a stage, by which its energy is restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BodyState {
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
pub(super) fn fixed(world: &World, landing: StageEnd) -> Vec<[bool; 2]> {
    let StageEnd {
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

/// State of each body in a stage. Scenes with joints do not keep their energy.
pub(super) fn body_states(world: &World, landing: StageEnd, fixed: &[[bool; 2]]) -> Vec<BodyState> {
    let World { bodies, model, .. } = world;
    let is_loose = |node: usize| fixed[node] == [false; 2];
    let course = |body: &Body| {
        if body.kind.is_obstacle() {
            BodyState::IsDriven
        } else if body.nodes.clone().all(is_loose) {
            BodyState::Flies
        } else {
            BodyState::IsHeld
        }
    };
    let mut body_states: Vec<BodyState> = bodies.iter().map(course).collect();

    let StageEnd { at, contacts, .. } = landing;
    let others = contacts.forces(&model.surface, &at.x);
    for contact in others.filter(|contact| contact.bodies[0] != contact.bodies[1]) {
        for body in contact.bodies {
            if body_states[body] == BodyState::Flies {
                body_states[body] = BodyState::Hits;
            }
        }
    }
    body_states
}

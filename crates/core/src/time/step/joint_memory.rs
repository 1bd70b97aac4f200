//! Joints within a step: their start in a stage, and their part of the memory of a step.
//!
//! A joint whose force exceeds its limit at the end of a step is broken in all later steps, and
//! `run.json` lists it.

use crate::constraint::{Constraints, Joint, WarmStart};
use crate::solve::{Model, Stage};
use crate::time::state::State;
use crate::time::world::World;
use ipcsim_math::Vec2;

/// Warm start of joints in a stage from a state.
pub(in crate::time) fn outset<'a>(stage: &'a Stage, from: &'a State) -> WarmStart<'a> {
    WarmStart {
        forces: &from.memory.multipliers,
        turned: &from.memory.turned,
        broken: &from.memory.broken,
        before: &stage.residuals,
        start: &from.x,
        beta: stage.beta.unwrap_or(stage.slip_time),
        end: stage.end,
        scale: stage.contact,
        share: stage.elasticity / stage.contact,
    }
}

/// Angles of the bodies of joints at the end of a stage (rad), over turns; empty if none are
/// counted.
pub(in crate::time) fn turned(model: &Model, constraints: &Constraints) -> Vec<Vec2> {
    if model.joints.iter().any(Joint::counts_turns) {
        constraints.turned(model.joints.len())
    } else {
        Vec::new()
    }
}

/// Numbers of the joints that have broken, but had not before.
pub(in crate::time) fn broke(before: &[bool], after: &[bool]) -> Vec<usize> {
    let had = |joint: usize| before.get(joint).copied().unwrap_or(false);
    let now = (0..after.len()).filter(|&joint| after[joint] && !had(joint));
    now.collect()
}

/// Of some joints the one whose force is the largest multiple of what it carries, after a stage with
/// these forces of all rows (N); of equal ones the first.
pub(in crate::time) fn weakest(world: &World, among: &[usize], forces: &[Vec2]) -> Option<usize> {
    let mut first = 0;
    let loads = world.model.joints.iter().map(|joint| {
        let own = first..first + joint.rows.len();
        first = own.end;
        joint.load(&forces[own])
    });
    let loads: Vec<f64> = loads.collect();
    let heavier = |one: usize, other: usize| {
        if loads[other] > loads[one] {
            other
        } else {
            one
        }
    };
    among.iter().copied().reduce(heavier)
}

/// Joints that have broken after a stage with these forces of their rows (N), for each joint; empty
/// if none has. Joints break at the end of the last stage of a step.
pub(in crate::time) fn broken(
    world: &World,
    before: &[bool],
    forces: &[Vec2],
    is_last: bool,
) -> Vec<bool> {
    let joints = &world.model.joints;
    let mut broken = before.to_vec();
    if !is_last {
        return broken;
    }

    let mut first = 0;
    for (number, joint) in joints.iter().enumerate() {
        let own = &forces[first..first + joint.rows.len()];
        first += joint.rows.len();

        // The list stays empty until a joint breaks.
        if joint.breaks_under(own) {
            broken.resize(joints.len(), false);
            broken[number] = true;
        }
    }
    broken
}

//! State of joints at the end of a step: angle or length, rate, and the forces in them.
//!
//! The force of a joint is the sum of what its rows do: what closes it, and its motor, spring, damper,
//! brake and limits. All were found by the step and are read here.

use super::sums::{JointForce, JointMoment, joints};
use crate::body::BodyKind;
use crate::constraint::{
    Along, ConstraintAction, ConstraintRow, DistanceConstraint, Joint, Rule, Spring,
};
use crate::time::{State, World};
use ipcsim_math::Vec2;
use serde::{Deserialize, Serialize};

/// A joint at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointState {
    /// Angle (rad) by which the second body has turned against the first since the start, over turns,
    /// and its rate (rad/s); `None` where a body has no angle that is counted.
    pub angle: Option<[f64; 2]>,
    /// Displacement along the line of the joint since the start, or distance of its ends (m), and its
    /// rate (m/s); `None` for joints that have none.
    pub length: Option<[f64; 2]>,
    /// Force on the first body (N); the second one feels the opposite.
    pub force: Vec2,
    /// Moment on the first body, as [`JointForce::moment`].
    pub moment: Option<JointMoment>,
    /// Torques on the angle, or forces on the length.
    pub drives: Drives,
    /// True if the joint has broken.
    pub is_broken: bool,
}

/// Torques (N m) on the angle of a joint, or forces (N) on its length, by their causes:
/// positive where they make it larger. `None` where a joint has no such thing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Drives {
    /// Motor or servo.
    pub motor: Option<f64>,
    /// Spring.
    pub spring: Option<f64>,
    /// Damper.
    pub damper: Option<f64>,
    /// Brake.
    pub brake: Option<f64>,
    /// Limits.
    pub limit: Option<f64>,
    /// Power of the motor (W).
    pub power: Option<f64>,
}

/// States of all joints, in the order of the scene; without forces before the first step.
pub fn joint_states(world: &World, state: &State) -> Vec<JointState> {
    let memory = &state.memory;
    // Springs may have another rest than the scene gives them.
    let driven = state.parameters.joints(&world.model.joints);
    let mut first = 0;
    let both = joints(world, state).into_iter().zip(&world.model.joints);
    both.enumerate()
        .map(|(number, (force, joint))| {
            let turned = memory.turned.get(number);
            let near = turned.map_or([0.0; 2], |turned| [turned.x, turned.y]);

            // Rows are numbered through all joints.
            let rows = first..first + joint.rows.len();
            first = rows.end;
            let own = memory.multipliers.get(rows).unwrap_or_default();
            of_joint(world, state, [joint, &driven[number]], &force, near, own)
        })
        .collect()
}

/// State of a joint, as the scene and as parameters have it, whose rows carry these `forces` (N) and whose bodies have turned `near` these
/// angles (rad).
fn of_joint(
    world: &World,
    state: &State,
    [joint, driven]: [&Joint; 2],
    force: &JointForce,
    near: [f64; 2],
    forces: &[Vec2],
) -> JointState {
    let mut drives = Drives::default();
    for ((row, driven), force) in joint.rows.iter().zip(&driven.rows).zip(forces) {
        // A motor that stops stays a motor, and a spring has the rest that it has now.
        let row = match driven.action {
            ConstraintAction::Sprung(_) => driven,
            _ => row,
        };
        drives.add(row, -force.x, state, near);
    }
    JointState {
        angle: angle(world, state, joint, near),
        length: length(joint, state),
        force: force.force,
        moment: force.moment,
        drives,
        is_broken: force.is_broken,
    }
}

impl Drives {
    /// Adds what a row does with a force (N or N m) that makes its residual larger.
    fn add(&mut self, row: &ConstraintRow, force: f64, state: &State, near: [f64; 2]) {
        let add = |to: &mut Option<f64>, value: f64| *to = Some(to.unwrap_or(0.0) + value);
        match &row.action {
            ConstraintAction::Driven(motor) if motor.is_brake() => add(&mut self.brake, force),
            ConstraintAction::Driven(_) | ConstraintAction::Served(_) => {
                add(&mut self.motor, force);
                add(&mut self.power, force * row.change(&state.x, &state.v).x);
            }
            ConstraintAction::Sprung(spring) if spring.damping > 0.0 => {
                let pull = pull(spring, row, force, state, near);
                add(&mut self.spring, pull);
                add(&mut self.damper, force - pull);
            }
            ConstraintAction::Sprung(_) => add(&mut self.spring, force),
            ConstraintAction::Limited(_) => add(&mut self.limit, force),
            ConstraintAction::Closed | ConstraintAction::Taut => {}
        }
    }
}

/// Part of the `force` (N or N m) of a row with a damper that is its spring's. A row without any force
/// has not acted yet, or has broken.
fn pull(spring: &Spring, row: &ConstraintRow, force: f64, state: &State, near: [f64; 2]) -> f64 {
    if force == 0.0 {
        return 0.0;
    }
    spring.stiffness * (spring.rest - row.first_residual(&state.x, near))
}

/// Angle of a joint (rad) and its rate (rad/s), by the angles of rigid bodies and obstacles, or by a
/// row that counts the turns of other bodies.
fn angle(world: &World, state: &State, joint: &Joint, near: [f64; 2]) -> Option<[f64; 2]> {
    let of = |of_nodes: &[Vec2]| {
        let [first, second] = joint.bodies.map(|body| {
            let body = &world.bodies[body];
            match body.kind {
                BodyKind::HalfPlane => Some(0.0),
                _ => body.angle(of_nodes),
            }
        });
        Some(second? - first?)
    };

    // Angles of rigid bodies are coordinates, counted over turns.
    let by_bodies = of(&state.q).zip(of(&state.q_dot));
    let by_row = || {
        // The row's vertices tell the angle up to whole turns, its memory the rest.
        let mut rows = joint.rows.iter();
        let row = rows.find(|row| matches!(row.rule, Rule::Turned(_)))?;
        let angle = row.first_residual(&state.x, near);
        Some((angle, row.change(&state.x, &state.v).x))
    };
    by_bodies.or_else(by_row).map(|(angle, rate)| [angle, rate])
}

/// Displacement of a joint along its line, or distance of its ends (m), and its rate (m/s).
fn length(joint: &Joint, state: &State) -> Option<[f64; 2]> {
    let row = joint.rows.first()?;
    let rule = match row.rule {
        Rule::Slot(_) | Rule::Slider(_) | Rule::Along(_) | Rule::Rack(_) => Rule::Along(Along),
        Rule::Rod(_) => Rule::Rod(DistanceConstraint { length: 0.0 }),
        _ => return None,
    };

    // A row for the measured length acts on nothing.
    let measured = ConstraintRow::new(rule, ConstraintAction::Closed, &row.frames, 1.0, 1.0);
    Some([
        measured.first_residual(&state.x, [0.0; 2]),
        measured.change(&state.x, &state.v).x,
    ])
}

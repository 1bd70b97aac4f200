//! Joints in an impact: their equations, motors and brakes, limits and ropes.

use super::impact::{Impact, Law, Passage};
use super::rigid_motion::Push;
use super::row::{Row, Wholes};
use crate::constraint::{Aim, ConstraintAction, ConstraintRow, Joint, Limits};
use crate::time::step::stage_end::StageEnd;
use crate::time::world::World;
use ipcsim_contact::SharedVertices;
use ipcsim_math::Vec2;

/// A row of a joint that has not broken, with its number among the rows of all joints.
struct Jointed<'a> {
    /// The joint.
    joint: &'a Joint,
    /// The row.
    row: &'a ConstraintRow,
    /// Number of its force.
    number: usize,
}

/// All rows of joints that have not `broken`, `[joints]`.
fn rows<'a>(joints: &'a [Joint], broken: &'a [bool]) -> impl Iterator<Item = Jointed<'a>> {
    let joints = joints.iter().enumerate();
    let all =
        joints.flat_map(|(index, joint)| joint.rows.iter().map(move |row| (index, joint, row)));
    all.enumerate()
        .filter(|(_, (index, ..))| !broken.get(*index).copied().unwrap_or(false))
        .map(|(number, (_, joint, row))| Jointed { joint, row, number })
}

/// The equations of all joints between bodies that move as a whole.
pub(super) fn equations(world: &World, wholes: Wholes, broken: &[bool]) -> Vec<Row> {
    let closed =
        rows(&world.model.joints, broken).filter(|own| own.row.action == ConstraintAction::Closed);
    closed
        .flat_map(|Jointed { joint, row, .. }| {
            [Vec2::x(), Vec2::y()]
                .into_iter()
                .filter_map(|along| Row::of_residual(wholes, joint.bodies, row, along))
        })
        .collect()
}

/// Speed (m/s or rad/s) that the motor or brake of a row keeps through an impact; `None` for other rows, and
/// for a motor that its bound keeps from its place.
fn kept_speed(row: &ConstraintRow, force: Option<&Vec2>, landing: StageEnd) -> Option<f64> {
    let ConstraintAction::Driven(motor) = &row.action else {
        return None;
    };
    let end = landing.stage.end;
    let speed = match &motor.aim {
        Aim::Speed(speed) => speed.at(Vec2::zeros(), end),
        Aim::Place(place) => {
            let [before, now] = [landing.from.time, end].map(|t| place.at(Vec2::zeros(), t));
            let is_there = force?.x.abs() < motor.most;
            is_there.then(|| (now - before) / (end - landing.from.time))?
        }
    };
    Some(motor.unit * speed)
}

/// Motors and brakes, with the largest impulse that they give in a stage.
pub(super) fn drives(world: &World, wholes: Wholes, landing: StageEnd) -> Vec<Row> {
    let time = landing.stage.friction_time();
    let joints = landing.from.parameters.joints(&world.model.joints);
    rows(&joints, &landing.from.memory.broken)
        .filter_map(|Jointed { joint, row, number }| {
            let aim = kept_speed(row, landing.multipliers.get(number), landing)?;
            let ConstraintAction::Driven(motor) = &row.action else {
                return None;
            };
            let most = motor.most * time;
            Some(Row {
                bounds: [-most, most],
                aim,
                ..Row::of_residual(wholes, joint.bodies, row, Vec2::x())?
            })
        })
        .collect()
}

/// True if a joint has a limit or is a rope.
pub(super) fn have_stops(world: &World) -> bool {
    let mut rows = world.model.joints.iter().flat_map(|joint| &joint.rows);
    rows.any(|row| {
        matches!(
            row.action,
            ConstraintAction::Limited(_) | ConstraintAction::Taut
        )
    })
}

/// Limits that push and ropes that pull, as impacts: the law acts at limits, and at ropes that were slack
/// before.
pub(super) fn stops(
    world: &World,
    wholes: Wholes,
    passage: &Passage,
    landing: StageEnd,
) -> Vec<Impact> {
    let before = &landing.from.memory;
    rows(&world.model.joints, &before.broken)
        .filter_map(|Jointed { joint, row, number }| {
            let force = landing.multipliers.get(number)?.x;
            let coefficient = match &row.action {
                ConstraintAction::Limited(limits) if acts(world, limits) => limits.restitution,
                ConstraintAction::Taut => 0.0,
                _ => return None,
            };
            if force == 0.0 {
                return None;
            }

            // The force opens the gap.
            let along = Vec2::new(-force.signum(), 0.0);
            let normal = Row::of_residual(wholes, joint.bodies, row, along)?;
            let was_open = before
                .multipliers
                .get(number)
                .is_none_or(|force| force.x == 0.0);
            let law = Law {
                coefficient,
                rest_speed: rest_speed(world, joint, row),
            };

            // The barrier of a limit pushes bodies away for some steps, and gives them no velocity.
            let is_limit = matches!(row.action, ConstraintAction::Limited(_));
            let law = (was_open || is_limit).then_some(law);
            Some(Impact::along(wholes, passage, normal, law))
        })
        .collect()
}

/// True if the law of restitution acts at limits: in the model of the book only where they rebound.
fn acts(world: &World, limits: &Limits) -> bool {
    let is_of_book = world.model.surface.shared_vertices == SharedVertices::PerEdge;
    !is_of_book || limits.restitution > 0.0
}

/// Approach speed (m/s or rad/s) up to which a limit or a rope stays closed: the speed of the two bodies,
/// for an angle at the length of the larger one.
fn rest_speed(world: &World, joint: &Joint, row: &ConstraintRow) -> f64 {
    let [a, b] = joint.bodies;
    let speed = world.options.restitution.rest_speed(a, b);
    if !row.rule.counts_turns() {
        return speed;
    }
    let lengths = joint.rows.iter().filter(|row| !row.rule.counts_turns());
    let length = lengths.fold(0.0_f64, |most, row| most.max(row.unit));
    if length > 0.0 { speed / length } else { speed }
}

/// Adds what limits, ropes and, if they are to be left out too, `drives` have given in a stage to
/// `given` impulses, `[bodies]`.
pub(super) fn add_given(
    world: &World,
    wholes: Wholes,
    landing: StageEnd,
    drives: bool,
    given: &mut [Push],
) {
    let time = landing.stage.friction_time();
    let joints = landing.from.parameters.joints(&world.model.joints);
    for Jointed { joint, row, number } in rows(&joints, &landing.from.memory.broken) {
        let force = landing.multipliers.get(number);
        let counts = match &row.action {
            ConstraintAction::Limited(limits) => acts(world, limits),
            ConstraintAction::Taut => true,
            _ => drives && kept_speed(row, force, landing).is_some(),
        };
        let Some(&force) = force.filter(|force| counts && **force != Vec2::zeros()) else {
            continue;
        };
        let Some(row) = Row::of_residual(wholes, joint.bodies, row, -force) else {
            continue;
        };
        for (&body, push) in joint.bodies.iter().zip(row.pushes) {
            given[body] = given[body].and(push.times(time));
        }
    }
}

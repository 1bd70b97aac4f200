//! Joints of stored states and segments: that they are closed, and that no limit is passed.
//!
//! Residuals are openings relative to the size of the larger body (an angle to 1 rad). Turns are
//! counted along the segments; stored states alone do not tell them. Then an angle counts as the
//! one nearest to the middle of its limits, and gears are left out.

use super::super::CommandError;
use ipcsim::constraint::{keeps, turned_after};
use ipcsim::geometry::path::Sweep;
use ipcsim::math::Vec2;
use ipcsim_store::events::Events;
use ipcsim_store::joint_entry::{Broken, ConstraintEntry, JointEntry, Keeps};
use ipcsim_store::stored_run::StoredRun;
use ipcsim_store::table::Moment;
use std::collections::BTreeMap;
use std::f64::consts::TAU;

/// Largest residual of a joint that is closed (1).
const CLOSED: f64 = 1e-10;

/// Rounding of an opening, in units of the last bit of the largest coordinate (1).
const ROUNDINGS: f64 = 32.0;

/// Joints of a run while its states or segments are tested.
pub(super) struct Joints<'a> {
    /// What is kept.
    entries: &'a [JointEntry],
    /// Joints that broke, by their numbers.
    broken: BTreeMap<usize, &'a Broken>,
    /// Angles of both bodies of each row (rad), over turns, by joint and row; empty if turns are
    /// not counted.
    near: Vec<Vec<[f64; 2]>>,
    /// Largest residual so far.
    worst: Option<Worst>,
}

/// The largest residual of a run.
struct Worst {
    /// Opening over size (1).
    residual: f64,
    /// How messages name the joint.
    label: String,
    /// Number of the step.
    step: usize,
}

impl<'a> Joints<'a> {
    /// Joints of a run, whose turns are counted if its segments are walked along.
    pub(super) fn of(run: &'a StoredRun, events: &'a Events, counts: bool) -> Self {
        let entries = &run.mesh.joints;
        let start = |joint: &JointEntry| vec![[0.0; 2]; joint.rows.len()];

        Self {
            entries,
            broken: events.broken.iter().map(|one| (one.joint, one)).collect(),
            near: if counts {
                entries.iter().map(start).collect()
            } else {
                Vec::new()
            },
            worst: None,
        }
    }

    /// Tests the joints where vertices are at `x` (m) at a moment; the first violation in words.
    pub(super) fn state(&mut self, moment: Moment, x: &[Vec2]) -> Option<String> {
        let step = moment.step;
        for (number, joint) in self.entries.iter().enumerate() {
            let broken = self.broken.get(&number);
            if broken.is_some_and(|broken| !broken.holds(moment)) {
                continue;
            }
            for (place, row) in joint.rows.iter().enumerate() {
                // Turns are known only where segments are walked along.
                let near = self.near.get(number).map(|rows| rows[place]);
                let Some(residual) = residual(row, moment.time, x, near) else {
                    continue;
                };

                // Rounding of positions far from the origin may open a joint by more than that.
                let vertices = row.held.frames.iter().flat_map(|frame| frame.vertices);
                let largest = vertices.map(|i| x[i].amax()).fold(0.0, f64::max);
                let rounding = ROUNDINGS * f64::EPSILON * largest / row.unit;
                if residual.is_nan() || residual > CLOSED + rounding {
                    return Some(violation(joint, row, residual));
                }

                if self
                    .worst
                    .as_ref()
                    .is_none_or(|worst| residual > worst.residual)
                {
                    self.worst = Some(Worst {
                        residual,
                        label: joint.label.clone(),
                        step,
                    });
                }
            }
        }
        None
    }

    /// Proves that no limit is reached on a segment of a step, and counts turns on it; the first
    /// violation in words. Segments do not tell their times, so that limits of a joint which breaks
    /// within the step are not judged in it.
    pub(super) fn segment(&mut self, step: usize, motion: &Sweep) -> Option<String> {
        for (number, joint) in self.entries.iter().enumerate() {
            let broken = self.broken.get(&number);
            let is_broken = broken.is_some_and(|broken| broken.step <= step);
            for (place, row) in joint.rows.iter().enumerate() {
                let near = self.near[number][place];
                if let (&Keeps::Between(range), false) = (&row.keeps, is_broken)
                    && !keeps(&row.held, near, range, motion)
                {
                    return Some(format!("the {} may pass a limit on the way", joint.label));
                }

                if row.held.rule.counts_turns() {
                    self.near[number][place] = turned_after(&row.held, near, motion);
                }
            }
        }
        None
    }

    /// Line that says what was tested; `None` without joints.
    pub(super) fn line(&self) -> Option<String> {
        let worst = self.worst.as_ref()?;
        let count = self.entries.len();
        Some(format!(
            "joints: {count} closed and within their limits in all states, gears by segments alone; the \
             largest residual is {:.1e} of a body's size, of the {} at step {}",
            worst.residual, worst.label, worst.step
        ))
    }
}

/// First violation of a joint in the stored states, in words, or the joints with their largest
/// residual.
///
/// # Errors
/// If the trajectory cannot be read.
pub(super) fn in_states<'a>(
    run: &'a StoredRun,
    events: &'a Events,
) -> Result<Result<Joints<'a>, String>, CommandError> {
    let mut joints = Joints::of(run, events, false);
    if joints.entries.is_empty() {
        return Ok(Ok(joints));
    }

    let mut trajectory = run.trajectory()?;
    let mut x = Vec::new();
    for moment in &run.moments {
        trajectory.next(&mut x)?;
        if let Some(found) = joints.state(*moment, &x) {
            return Ok(Err(format!("step {}: {found}", moment.step)));
        }
    }
    Ok(Ok(joints))
}

/// Residual of a row: its opening over its size, or how far it is beyond a limit; negative within
/// limits, at a time (s). `None` if the number of turns decides and is not known.
fn residual(row: &ConstraintEntry, time: f64, x: &[Vec2], near: Option<[f64; 2]>) -> Option<f64> {
    let counts = row.held.rule.counts_turns();
    let is_gear = counts && row.keeps == Keeps::Closed;
    if is_gear && near.is_none() {
        return None;
    }

    let opening = row.held.residual(x, near.unwrap_or_default());
    Some(match &row.keeps {
        Keeps::Closed => opening.norm() / row.unit,
        Keeps::Taut => opening.x.max(0.0) / row.unit,
        Keeps::At(course) => {
            let aim = course.read().ok()?.at(Vec2::zeros(), time);
            (opening.x - aim).abs() / row.unit
        }
        &Keeps::Between([least, most]) => {
            // The turn that is nearest to the middle.
            let middle = 0.5 * (least + most);
            let mut value = opening.x;
            if counts && near.is_none() {
                value -= TAU * ((value - middle) / TAU).round();
            }
            let beyond = (least - value).max(value - most);
            if beyond >= 0.0 { f64::INFINITY } else { 0.0 }
        }
    })
}

/// Message about a joint that is open, or beyond a limit.
fn violation(joint: &JointEntry, row: &ConstraintEntry, residual: f64) -> String {
    match &row.keeps {
        Keeps::Between([least, most]) => format!(
            "the {} is beyond its limits, {least} and {most}",
            joint.label
        ),
        Keeps::Closed | Keeps::Taut | Keeps::At(_) => format!(
            "the {} is open by {residual:.3e} of a body's size, more than {CLOSED:e}",
            joint.label
        ),
    }
}

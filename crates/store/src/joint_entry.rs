//! Part of `mesh.json` about joints, from which stored states are tested, and of `run.json` about
//! those that broke.

use super::table::Moment;
use ipcsim::constraint::{Aim, ConstraintAction, ConstraintRow, Held, Joint};
use ipcsim::scene::schema::Varying;
use ipcsim::time::{Broke, StepReport};
use serde::{Deserialize, Serialize};

/// A joint of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointEntry {
    /// How messages name it.
    pub label: String,
    /// What it keeps; motors and springs keep nothing.
    #[serde(rename = "ties")]
    pub rows: Vec<ConstraintEntry>,
}

/// What one row of a joint keeps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConstraintEntry {
    /// The opening.
    pub held: Held,
    /// Size that openings count relative to (m; of an angle 1 rad).
    pub unit: f64,
    /// What is kept of it.
    pub keeps: Keeps,
}

/// What is kept of an opening.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Keeps {
    /// It is zero.
    Closed,
    /// It is not positive.
    Taut,
    /// It is between these limits (m or rad).
    Between([f64; 2]),
    /// It follows this function of time (m).
    At(Varying),
}

/// A joint that broke.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Broken {
    /// Step in which it broke.
    pub step: usize,
    /// Number of the joint in the scene, from 0.
    pub joint: usize,
    /// How messages name it; empty in files of earlier versions.
    #[serde(default)]
    pub name: String,
    /// Time from which it has not held (s); 0 in files of earlier versions.
    #[serde(default)]
    pub from: f64,
}

impl Broken {
    /// True if the joint holds in the state of a moment: at the end of its step it does if it has
    /// broken there.
    pub fn holds(&self, moment: Moment) -> bool {
        let at_end = self.from.to_bits() == moment.time.to_bits();
        moment.step < self.step || moment.step == self.step && at_end
    }

    /// Joints that broke in a step, in a scene with these joints.
    pub(super) fn of(done: &StepReport, joints: &[Joint]) -> impl Iterator<Item = Self> {
        let step = done.record.step;
        done.broke.iter().map(move |&Broke { joint, from }| Self {
            step,
            joint,
            name: joints
                .get(joint)
                .map_or(String::new(), |one| one.label.clone()),
            from,
        })
    }
}

impl JointEntry {
    /// Entry of a joint.
    pub(super) fn of(joint: &Joint) -> Self {
        Self {
            label: joint.label.clone(),
            rows: joint.rows.iter().filter_map(ConstraintEntry::of).collect(),
        }
    }

    /// All vertices that its frames name.
    pub(super) fn vertices(&self) -> impl Iterator<Item = usize> {
        let frames = self.rows.iter().flat_map(|row| row.held.frames);
        frames.flat_map(|frame| frame.vertices)
    }
}

impl ConstraintEntry {
    /// Entry of a row; `None` for one that keeps nothing.
    fn of(row: &ConstraintRow) -> Option<Self> {
        let keeps = match &row.action {
            ConstraintAction::Closed => Keeps::Closed,
            ConstraintAction::Taut => Keeps::Taut,
            ConstraintAction::Limited(limits) => Keeps::Between(limits.range),
            ConstraintAction::Driven(motor) if motor.most.is_infinite() => match &motor.aim {
                Aim::Place(place) => Keeps::At(Varying::from(place)),
                Aim::Speed(_) => return None,
            },
            // A stored state cannot break what a motor or a spring asks for.
            ConstraintAction::Driven(_)
            | ConstraintAction::Sprung(_)
            | ConstraintAction::Served(_) => return None,
        };
        Some(Self {
            held: Held {
                rule: row.rule,
                frames: row.frames,
            },
            unit: row.unit,
            keeps,
        })
    }
}

//! `run.json`: what a run was and how it ended.
//!
//! The report is written when a run begins, with [`UNFINISHED`] as its reason, and replaced at the
//! end. So a folder without a report holds no run, and a folder with an unfinished one can be
//! resumed. All counts are sums or extremes over the records of the journal, so a resumed run
//! reports what an uninterrupted one would.
//!
//! Readers of the file: people, `run --resume` (options), `verify` and `render` (checksums), and
//! baselines (parameters).
//!
//! New results of a step belong in `StepReport`, and new options of a run in [`RunOptions`]: both
//! are then stored and resumed.

use super::build::Build;
use super::joint_entry::Broken;
use super::measured::Measured;
use super::mesh_file::MeshFile;
use super::naming::named;
use super::pair_numbers::PairNumbers;
use super::part::Part;
use super::residual_work::ResidualWork;
use super::stiffening::Stiffening;
use ipcsim::constraint::Joint;
use ipcsim::contact::GapAtRest;
use ipcsim::scene::Derived;
use ipcsim::solve::{Failure, Phase, Status, Timings};
use ipcsim::time::{Record, State, StepReport, Substeps, World};
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// End of a run, for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// All steps were done.
    Completed,
    /// A step failed, even after all fallbacks.
    Failed,
    /// The run was stopped from outside.
    Interrupted,
}

/// Reason why a run did not complete, for programs and for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// A short name for programs.
    pub kind: String,
    /// The step that failed.
    pub step: usize,
    /// One sentence for people.
    pub message: String,
    /// Vertices at fault, each as its number and its body.
    pub vertices: Vec<String>,
}

impl Reason {
    /// Reason of a failure in the step after `step`, with names of bodies and half-planes.
    pub fn of(failure: &Failure, step: usize, mesh: &MeshFile) -> Self {
        let mut vertices: Vec<String> = Vec::new();
        for vertex in failure.vertices() {
            let name = mesh.describe(vertex);
            if !vertices.contains(&name) {
                vertices.push(name);
            }
        }

        // A joint has its label instead of its number.
        let mut message = named(&failure.to_string(), mesh);
        let number = failure.joint();
        if let Some((number, joint)) = number.and_then(|k| Some((k, mesh.joints.get(k)?))) {
            let label = format!("the {}", joint.label);
            message = message.replace(&format!("joints[{number}]"), &label);
        }
        Self {
            kind: failure.kind().to_owned(),
            step: step + 1,
            message,
            vertices,
        }
    }

    /// The reason, with the joints that repeat each other at the state where the step began, if the
    /// failure may come from these.
    #[must_use]
    pub fn with_joints(mut self, world: &World, state: &State) -> Self {
        let may = ["open", "iterations", "no_progress", "indefinite"];
        if !may.contains(&&*self.kind) {
            return self;
        }
        let sets = world.repeated_joints(state);
        let told: Vec<String> = sets
            .iter()
            .take(REPEATED_SETS)
            .map(|set| world.tell_repeated(set, REPEATED_JOINTS))
            .collect();
        if !told.is_empty() {
            self.message = format!("{}; {}", self.message, told.join("; "));
        }
        self
    }
}

/// Largest number of sets of joints in a reason.
const REPEATED_SETS: usize = 2;

/// Largest number of joints of a set in a reason.
const REPEATED_JOINTS: usize = 12;

/// A step that failed at first, and the fallback that solved it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recovered {
    /// Number of the step.
    pub step: usize,
    /// Name of the fallback that solved the step.
    pub rung: String,
    /// A short name of why the step failed at first, for programs.
    pub kind: String,
    /// Reason why the step failed at first, in a sentence.
    pub why: String,
}

/// Substeps of a step whose error asked for several.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Divided {
    /// Number of the step.
    pub step: usize,
    /// Its substeps.
    #[serde(flatten)]
    pub substeps: Substeps,
}

/// Options of a run apart from its scene. A resumed run keeps them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunOptions {
    /// True if the run draws frames and charts.
    pub frames: bool,
    /// True if frames are drawn when the run has ended, and not by the run itself. It belongs to the
    /// command that was typed and is not stored.
    #[serde(skip)]
    pub frames_later: bool,
    /// Steps between checkpoints; without it they are written by the clock.
    pub checkpoint_every: Option<usize>,
    /// File that records the continuous collision queries.
    pub record_ccd: Option<PathBuf>,
    /// True if the run stores the ends of all accepted step segments.
    #[serde(default)]
    pub certify: bool,
    /// File that the scene was read from. A run of another file does not replace this one unasked.
    #[serde(default)]
    pub scene: Option<PathBuf>,
}

/// Steps whose friction exceeds Coulomb's bound by the normal forces at their end.
///
/// Friction lags by a solve if the scene asks for that. Otherwise it follows the normal forces, and
/// steps are counted here only where no fixed point was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LateFriction {
    /// Number of such steps.
    pub steps: usize,
    /// Number of such contacts in all steps.
    pub contacts: usize,
}

/// Largest von Mises stress at the vertices of all bodies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LargestStress {
    /// The stress (Pa).
    pub von_mises: f64,
    /// Name of the body.
    pub body: String,
    /// Place (m).
    pub place: [f64; 2],
    /// Time (s).
    pub time: f64,
}

/// Step in which a triangle had the smallest area of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlatIn {
    /// Number of the step.
    pub step: usize,
    /// Index of the triangle in the world.
    pub triangle: usize,
}

/// The contents of `run.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunReport {
    /// Name of the scene.
    pub scene: String,
    /// Version of the program that ran it.
    pub version: String,
    /// Build of the program; none in files of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build: Option<Build>,
    /// End of the run: completed, failed or interrupted.
    pub status: RunStatus,
    /// Reason why the run did not complete; none if it did.
    pub reason: Option<Reason>,
    /// Sentence about the condition that ended the run before its last step; none if there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<String>,
    /// Number of steps done.
    pub steps: usize,
    /// Number of pictures written.
    pub frames: usize,
    /// Number of step segments stored.
    #[serde(default)]
    pub segments: usize,
    /// Number of Newton directions computed.
    pub newton_iterations: usize,
    /// Number of steps that reached rounding before the tolerance.
    pub steps_at_rounding: usize,
    /// Steps that were tried again, each with the fallback that solved it.
    #[serde(default)]
    pub recoveries: Vec<Recovered>,
    /// Numbers and lengths of all substeps; none if steps were not divided by their errors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub substeps: Option<Substeps>,
    /// Substeps of each step that was divided, or in which one was rejected.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub divided: Vec<Divided>,
    /// Smallest distance of a contact (m).
    pub min_gap: Option<f64>,
    /// Smallest ratio of a triangle's area to its area at rest.
    pub min_j: Option<f64>,
    /// Where that ratio was.
    #[serde(skip)]
    pub flattest: Option<FlatIn>,
    /// Largest change of velocity (m/s) that updating lagged friction would have made in a step.
    #[serde(deserialize_with = "or_infinite")]
    pub friction_lag_residual: f64,
    /// Friction that is not that of the normal forces at the end of its step.
    #[serde(default)]
    pub late_friction: LateFriction,
    /// Number of times that the coefficients of restitution of bodies were lowered in an impact, which
    /// would have raised their energy.
    #[serde(default)]
    pub lowered_restitution: usize,
    /// Largest imbalance of forces at the end of a step (m/s): the speed that they would give a
    /// body in a step.
    #[serde(default, deserialize_with = "or_infinite")]
    pub imbalance: f64,
    /// Largest force (N) that still held a body back at the end of an increment of statics; 0 in
    /// dynamics.
    #[serde(
        default,
        deserialize_with = "or_infinite",
        skip_serializing_if = "is_zero"
    )]
    pub held: f64,
    /// Barriers that became stiffer where gaps fell below their corridor.
    #[serde(default)]
    pub stiffening: Stiffening,
    /// The widest gap between two bodies that rested on each other in motion, if one deforms, in the last
    /// step with such a pair.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap_at_rest: Option<GapAtRest>,
    /// Results of the measures of the scene, in its order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub measures: Vec<Measured>,
    /// Largest von Mises stress at the end; none without bodies of triangles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stress: Option<LargestStress>,
    /// Joints that broke, in the order of steps.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub broken: Vec<Broken>,
    /// Work of the forces that the solver left over; none without a ledger.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub residual_work: Option<ResidualWork>,
    /// Tables that have not all steps, by their names, with the steps from one to the next.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub thinned: BTreeMap<String, usize>,
    /// Sentences about files that leave out steps, and warnings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<String>,
    /// Hash of the last state, in hexadecimal digits.
    pub hash: String,
    /// Options of the run.
    #[serde(default)]
    pub options: RunOptions,
    /// Numbers that the run used, given or derived; of those that differ between bodies, the
    /// largest ones (of `d_hat_self` the smallest).
    pub parameters: BTreeMap<String, f64>,
    /// Numbers of pairs of bodies that collide, the first ones if there are many.
    #[serde(default)]
    pub pairs: Vec<PairNumbers>,
    /// Derived numbers with their units and reasons.
    #[serde(default)]
    pub derived: Vec<Derived>,
    /// Checksum (CRC-32) of each file by its name, but for timings and the files of `saved`.
    #[serde(default)]
    pub checksums: BTreeMap<String, String>,
    /// Checksums of the journal and the checkpoints, which differ between equal runs; while the run is
    /// under way, also of the part that each growing file had at the last checkpoint.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub saved: BTreeMap<String, Part>,
    /// Number of threads.
    pub threads: usize,
    /// Seconds spent in each phase, and in the whole run.
    pub timings: BTreeMap<String, f64>,
}

/// Reads a number; `null` stands for infinity, which JSON does not have.
///
/// # Errors
/// If it is something else.
fn or_infinite<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let number = Option::<f64>::deserialize(deserializer)?;
    Ok(number.unwrap_or(f64::INFINITY))
}

/// True for a number that is not worth a line.
#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde asks with a reference"
)]
fn is_zero(number: &f64) -> bool {
    *number <= 0.0
}

/// [`Reason::kind`] of a run that is under way or was killed.
pub const UNFINISHED: &str = "unfinished";

impl RunReport {
    /// True if the run is under way or was killed: its folder lacks the files made at the end.
    pub fn is_unfinished(&self) -> bool {
        self.reason
            .as_ref()
            .is_some_and(|reason| reason.kind == UNFINISHED)
    }

    /// Adds a state to the counts: smallest gap, smallest area ratio, iterations.
    pub fn count(&mut self, record: &Record) {
        let least = |a: Option<f64>, b: Option<f64>| a.into_iter().chain(b).reduce(f64::min);

        // Extremes, and a sum that a damaged journal cannot overflow.
        self.min_gap = least(self.min_gap, record.min_gap);
        if let (Some(ratio), Some(triangle)) = (record.min_area_ratio, record.flattest)
            && self.min_j.is_none_or(|least| ratio < least)
        {
            self.flattest = Some(FlatIn {
                step: record.step,
                triangle,
            });
        }
        self.min_j = least(self.min_j, record.min_area_ratio);
        if record.ledger.is_some() {
            self.residual_work.get_or_insert_default().count(record);
        }
        self.newton_iterations = self
            .newton_iterations
            .saturating_add(record.newton_iterations);
    }

    /// Adds a step to the counts, and its recovery if it was tried again, in a scene with these joints.
    pub fn count_step(&mut self, done: &StepReport, joints: &[Joint]) {
        self.count(&done.record);
        self.steps = done.record.step;
        self.steps_at_rounding += usize::from(done.status == Status::RoundingReached);
        self.friction_lag_residual = self.friction_lag_residual.max(done.lag_residual);
        self.imbalance = self.imbalance.max(done.record.imbalance);
        self.held = self.held.max(done.held);
        self.stiffening.count(done);
        self.gap_at_rest = done.gap_at_rest.or(self.gap_at_rest);
        let step = done.record.step;
        self.broken.extend(Broken::of(done, joints));

        if let Some(substeps) = done.substeps {
            self.substeps.get_or_insert_default().join(&substeps);
            // A step of one substep was not divided.
            if substeps.accepted + substeps.rejected > 1 {
                self.divided.push(Divided { step, substeps });
            }
        }

        // The sum saturates, because a damaged journal may hold any number.
        self.lowered_restitution = self.lowered_restitution.saturating_add(done.lowered);
        let late = &mut self.late_friction;
        late.steps += usize::from(done.late_contacts > 0);
        late.contacts = late.contacts.saturating_add(done.late_contacts);
        self.recoveries
            .extend(done.recovery.as_ref().map(|recovery| Recovered {
                step: done.record.step,
                rung: recovery.rung.name().to_owned(),
                kind: recovery.kind.clone(),
                why: recovery.why.clone(),
            }));
    }

    /// Notes the seconds spent in each phase of all steps, and in the whole run.
    pub fn time(&mut self, timings: &Timings, whole: Duration) {
        for (phase, name) in Phase::ALL {
            self.timings.insert(name.to_owned(), timings.seconds(phase));
        }
        self.timings.insert("whole".to_owned(), whole.as_secs_f64());
    }
}

//! The result of a run, as journals store it and as a line of the table.

use crate::csv::{marked, quoted};
use crate::measured::{Measured, Tallies};
use crate::report::Reason;
use ipcsim::quantities::{Moment, of_body};
use ipcsim::scene::SceneError;
use ipcsim::simulation::Snapshot;
use ipcsim::time::Record;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::borrow::Cow;
use std::fmt::Write;

/// Result of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Number of the run.
    pub run: u64,
    /// How it ended.
    pub outcome: Outcome,
    /// Numbers of its last state; `None` if it could not start.
    pub numbers: Option<Numbers>,
    /// Time that it took (s). It is not part of the table, whose bytes it would change.
    pub seconds: f64,
}

/// End of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// All steps were done.
    Completed,
    /// A step failed, even after all fallbacks.
    Failed(Reason),
    /// The scene has a problem.
    Refused(String),
}

/// Counts and extremes over the steps of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    /// Number of Newton directions.
    pub newton_iterations: usize,
    /// Smallest gap of a contact (m).
    pub min_gap: Option<f64>,
    /// Smallest ratio of a triangle's area to that at rest (1).
    pub min_area_ratio: Option<f64>,
}

/// Numbers of the last state of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Numbers {
    /// Number of steps done.
    pub step: usize,
    /// Simulated time (s).
    pub time: f64,
    /// Counts and extremes over all steps.
    pub tally: Tally,
    /// Quantities of the scene, in the order of [`OF_SCENE`].
    pub scene: Box<[Option<f64>]>,
    /// Hash of the state.
    pub hash: u64,
    /// Quantities of each body that the plan names, in the order of [`OF_BODY`].
    pub bodies: Box<[[Option<f64>; OF_BODY.len()]]>,
    /// Values of the measures of the study, reduced in time.
    pub measures: Box<[Option<f64>]>,
}

/// Where a run was stopped, and all that its next step reads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pause {
    /// Number of the run.
    pub run: u64,
    /// Counts and extremes of the steps before.
    pub tally: Tally,
    /// Measures of the steps before.
    pub tallies: Tallies,
    /// State and memory of the solver.
    pub snapshot: Snapshot,
    /// Time that the run has taken so far (s).
    pub seconds: f64,
}

impl Tally {
    /// Adds a state, or a step that led to one.
    pub fn count(&mut self, record: &Record) {
        let least = |a: Option<f64>, b: Option<f64>| a.into_iter().chain(b).reduce(f64::min);
        self.newton_iterations += record.newton_iterations;
        self.min_gap = least(self.min_gap, record.min_gap);
        self.min_area_ratio = least(self.min_area_ratio, record.min_area_ratio);
    }
}

impl Numbers {
    /// Numbers of the last state of a run: those of the `scene`, in the order of [`OF_SCENE`], and
    /// those of the bodies called `names`.
    pub fn of(
        last: &Moment,
        scene: [Option<f64>; OF_SCENE.len()],
        tally: Tally,
        names: &[String],
    ) -> Self {
        let state = last.state();
        let bodies = names.iter().map(|name| {
            let body = last.world().bodies.iter().find(|body| body.name == *name);
            OF_BODY.map(|name| of_body(name)?.at_body(last, body?))
        });
        Self {
            step: state.step,
            time: state.time,
            tally,
            scene: scene.into(),
            hash: state.hash(),
            bodies: bodies.collect(),
            measures: Box::default(),
        }
    }

    /// The same with the measures of these `names`, by the results of a run; a run without one has an
    /// empty field.
    #[must_use]
    pub fn measured(mut self, names: &[String], results: &[Measured]) -> Self {
        let value = |name: &String| results.iter().find(|own| own.name == *name)?.value;
        self.measures = names.iter().map(value).collect();
        self
    }
}

impl Outcome {
    /// The run was refused: the first problem of its scene, and the number of the others.
    pub fn refused(error: &SceneError) -> Self {
        Self::Refused(match error {
            SceneError::Invalid(problems) => {
                let first = problems.first().map(ToString::to_string);
                let more = problems.len().saturating_sub(1);
                let first = first.unwrap_or_default();
                match more {
                    0 => first,
                    _ => format!("{first} (and {more} more)"),
                }
            }
            other => other.to_string(),
        })
    }

    /// Word for the table.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Failed(_) => "failed",
            Self::Refused(_) => "refused",
        }
    }

    /// Short name of the reason, for programs, and a sentence about it. Both are empty for a
    /// completed run.
    pub fn reason(&self) -> [&str; 2] {
        match self {
            Self::Completed => ["", ""],
            Self::Failed(reason) => [&reason.kind, &reason.message],
            Self::Refused(message) => ["scene", message],
        }
    }
}

/// Columns of the table after those that vary.
const COLUMNS: [&str; 7] = [
    "status",
    "reason",
    "step",
    "time",
    "newton_iterations",
    "min_gap",
    "min_area_ratio",
];

/// Quantities of the scene in the last state, the next columns.
pub const OF_SCENE: [&str; 2] = ["kinetic", "total"];

/// Quantities of a body in the last state: columns after its name and a dot.
pub const OF_BODY: [&str; 5] = ["x", "y", "velocity_x", "velocity_y", "angle"];

/// First line of the table, with its line feed, for these varied quantities, bodies and measures.
pub(super) fn header(varied: &[&str], bodies: &[String], measures: &[String]) -> String {
    let mut line = "run".to_owned();
    for name in varied {
        line = line + "," + &quoted(name);
    }
    line = line + "," + &COLUMNS.join(",") + "," + &OF_SCENE.join(",");
    for body in bodies {
        for column in OF_BODY {
            line = line + "," + &quoted(&format!("{body}.{column}"));
        }
    }
    for name in measures {
        line = line + "," + name;
    }
    line + ",hash,message\n"
}

impl Row {
    /// Line of the table, with its line feed; `more` is the number of columns of bodies and measures.
    ///
    /// Numbers are in the shortest form that reads back to the same bits. A field is empty where
    /// its number is undefined.
    pub(super) fn line(&self, values: &[Value], more: usize) -> String {
        let mut line = self.run.to_string();
        for value in values {
            line = line + "," + &field(value);
        }
        let [kind, message] = self.outcome.reason();

        // Writing to a string cannot fail.
        let _ = write!(line, ",{},{kind}", self.outcome.word());
        match &self.numbers {
            Some(numbers) => numbers.write(&mut line),
            None => line.extend(std::iter::repeat_n(',', 6 + OF_SCENE.len() + more)),
        }
        let _ = writeln!(line, ",{}", quoted(message));
        line
    }
}

impl Numbers {
    /// Appends the fields from the step to the hash, each after a comma.
    fn write(&self, line: &mut String) {
        // Writing to a string cannot fail.
        let tally = &self.tally;
        let _ = write!(line, ",{},{:?}", self.step, self.time);
        let _ = write!(line, ",{}", tally.newton_iterations);
        put(line, tally.min_gap);
        put(line, tally.min_area_ratio);
        let bodies = self.bodies.iter().flatten();
        for number in self.scene.iter().chain(bodies).chain(&self.measures) {
            put(line, *number);
        }
        let _ = write!(line, ",{:016x}", self.hash);
    }
}

/// Appends a comma and a number, if there is one.
fn put(line: &mut String, number: Option<f64>) {
    line.push(',');
    if let Some(number) = number {
        // Writing to a string cannot fail.
        let _ = write!(line, "{number:?}");
    }
}

/// A value as a field of the table: text as it is, everything else as JSON.
fn field(value: &Value) -> Cow<'static, str> {
    match value {
        Value::String(text) => quoted(text).into_owned().into(),
        // A number may begin with a sign.
        other => marked(&other.to_string()).into_owned().into(),
    }
}

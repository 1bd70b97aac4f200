//! `events.csv`: what happened within the steps of a run, which stored states alone do not tell.
//!
//! | column | contents |
//! |---|---|
//! | `step` | number of the step |
//! | `time` | time (s): that from which a joint has not held, otherwise the end of the step |
//! | `event` | `breaks`: a joint; `divided`: into substeps, by their errors; `recovered`: by a fallback |
//! | `number` | number of the joint in the scene, from 0, or of substeps; empty for a fallback |
//! | `name` | name of the joint or of the fallback |
//!
//! The file grows with the run, and an event is in it before the state that it explains is in the
//! trajectory. A run without events has no such file.

use super::csv;
use super::error::failed;
use super::joint_entry::Broken;
use super::report::RunReport;
use super::stored_error::StoredError;
use ipcsim::constraint::Joint;
use ipcsim::files::read_text;
use ipcsim::time::{Fallback, StepReport};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

/// Name of the file.
pub const EVENTS: &str = "events.csv";

/// First line of the file, with its line feed.
pub const HEADER: &str = "step,time,event,number,name\n";

/// A joint that breaks.
const BREAKS: &str = "breaks";
/// A step that is divided into substeps.
const DIVIDED: &str = "divided";
/// A step that a fallback solves.
const RECOVERED: &str = "recovered";

/// Lines of the events of a step, each with its line feed, in a scene with these joints.
pub fn lines(done: &StepReport, joints: &[Joint]) -> String {
    let mut text = String::new();
    let step = done.record.step;
    let mut put = |time: f64, event: &str, number: &str, name: &str| {
        let name = csv::quoted(name);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{step},{time:?},{event},{number},{name}");
    };

    for Broken {
        joint, name, from, ..
    } in Broken::of(done, joints)
    {
        put(from, BREAKS, &joint.to_string(), &name);
    }
    let end = done.record.time;
    if let Some(substeps) = done.substeps.filter(|substeps| substeps.accepted > 1) {
        put(end, DIVIDED, &substeps.accepted.to_string(), "");
    }
    if let Some(recovery) = &done.recovery {
        put(end, RECOVERED, "", recovery.rung.name());
    }
    text
}

/// Events that decide what stored states of a run must fulfil.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Events {
    /// Joints that broke, in the order of steps.
    pub broken: Vec<Broken>,
    /// Steps that the run has not solved as one: substeps follow their errors, or it was halved.
    pub divided: BTreeSet<usize>,
}

impl Events {
    /// Events as the report of a run has them.
    pub(super) fn of(report: &RunReport) -> Self {
        let divided = report.divided.iter().map(|divided| divided.step);
        let recoveries = report.recoveries.iter();
        let halved = recoveries.filter(|one| one.rung == Fallback::HalvedStep.name());
        Self {
            broken: report.broken.clone(),
            divided: divided.chain(halved.map(|one| one.step)).collect(),
        }
    }

    /// Reads the file `path`. Of a file that `grows` a last line may be cut off.
    ///
    /// # Errors
    /// [`StoredError`] if the file cannot be read, or if a line has other fields.
    pub fn read(path: &Path, grows: bool) -> Result<Self, StoredError> {
        let mut text = read_text(path).map_err(failed("read", path))?;
        if grows {
            text.truncate(text.rfind('\n').map_or(0, |last| last + 1));
        }

        let mut events = Self::default();
        for (number, line) in csv::lines(&text).iter().enumerate().skip(1) {
            if events.enter(line).is_none() {
                let message = format!("line {} is no event", number + 1);
                return Err(StoredError::malformed(path, message));
            }
        }
        Ok(events)
    }

    /// Enters the event of a line; `None` if it has other fields.
    fn enter(&mut self, line: &[String]) -> Option<()> {
        let [step, time, event, number, name] = line else {
            return None;
        };
        let step = step.parse().ok()?;
        match event.as_str() {
            BREAKS => self.broken.push(Broken {
                step,
                joint: number.parse().ok()?,
                name: name.clone(),
                from: time.parse().ok()?,
            }),
            DIVIDED => {
                self.divided.insert(step);
            }
            RECOVERED if name == Fallback::HalvedStep.name() => {
                self.divided.insert(step);
            }
            RECOVERED => {}
            _ => return None,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_read_as_far_as_their_lines_are_whole() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(EVENTS);
        let text = "3,0.25,breaks,1,\"hinge \"\"a,b\"\"\"\n4,0.4,divided,7,\n5,0.5,recovered,,gradient\n\
                    6,0.6,recovered,,halved step\n";
        let halved = Fallback::HalvedStep.name();
        let text = HEADER.to_owned() + &text.replace("halved step", halved);
        let broken = Broken {
            step: 3,
            joint: 1,
            name: "hinge \"a,b\"".to_owned(),
            from: 0.25,
        };
        let expected = Events {
            broken: vec![broken],
            divided: [4, 6].into(),
        };

        for (more, grows) in [("", false), ("", true), ("7,0.7,bre", true)] {
            std::fs::write(&path, text.clone() + more).unwrap();
            assert_eq!(Events::read(&path, grows).unwrap(), expected);
        }
        std::fs::write(&path, text + "7,0.7,bre").unwrap();
        let error = Events::read(&path, false).unwrap_err().to_string();
        assert!(error.ends_with("line 6 is no event"), "{error}");
    }
}

//! The journals of a folder, merged: each run once, in order.

use super::error::StudyError;
use super::folder::StudyFolder;
use super::journal::StudyEntry;
use super::row::{OF_BODY, Outcome, Pause, Row, header};
use super::source::Study;
use crate::file::write_whole;
use ipcsim::math::number::bytes as in_bytes;
use std::collections::BTreeMap;
use std::ops::Range;

/// What the journals of a folder hold of a range of runs.
#[derive(Clone, Debug, Default)]
pub struct Collected {
    /// Rows in ascending order of their runs, each run once.
    pub rows: Vec<Row>,
    /// Runs that were stopped on the way and are not done, where they came furthest.
    pub pauses: BTreeMap<u64, Pause>,
}

/// Largest number of runs of a task, whose numbers take 0.1 GB.
const MOST_RUNS: u64 = 1 << 24;

/// Runs without a row.
#[derive(Clone, Debug, Default)]
pub struct Unfinished {
    /// Their numbers, in ascending order.
    pub runs: Vec<u64>,
    /// Those that were stopped on the way, where they came furthest.
    pub pauses: BTreeMap<u64, Pause>,
}

/// Runs that failed or were refused for one reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failures {
    /// `failed` or `refused`.
    pub word: &'static str,
    /// Short name of the reason.
    pub kind: String,
    /// Number of runs.
    pub count: usize,
    /// Number of the first run.
    pub first: u64,
    /// Sentence about the first run.
    pub message: String,
}

impl Collected {
    /// Reads all journals, and keeps what is of these runs.
    ///
    /// # Errors
    /// [`StudyError::Folder`] if a journal cannot be read; [`StudyError::Other`] if one is of
    /// another study.
    pub fn read(folder: &StudyFolder, runs: &Range<u64>) -> Result<Self, StudyError> {
        let mut collected = Self::default();
        for tail in folder.tails(runs)? {
            for entry in tail {
                match entry? {
                    entry if !runs.contains(&entry.run()) => {}
                    StudyEntry::Done(row) => collected.rows.push(row),
                    StudyEntry::Paused(pause) => collected.keep(*pause),
                }
            }
        }

        // Rows of one run are equal but for the time that they took.
        collected.rows.sort_by_key(|row| row.run);
        collected.rows.dedup_by_key(|row| row.run);
        for row in &collected.rows {
            collected.pauses.remove(&row.run);
        }
        Ok(collected)
    }

    /// Keeps a pause, unless one that came further is there.
    fn keep(&mut self, pause: Pause) {
        let known = self.pauses.get(&pause.run);
        if known.is_none_or(|known| known.snapshot.state.step < pause.snapshot.state.step) {
            self.pauses.insert(pause.run, pause);
        }
    }

    /// Runs of the range that have no row.
    ///
    /// # Errors
    /// [`StudyError::Plan`] if there are more than `MOST_RUNS`, whose numbers take too much memory.
    pub fn missing(&self, runs: Range<u64>) -> Result<Vec<u64>, StudyError> {
        let count = runs.end.saturating_sub(runs.start);
        if count > MOST_RUNS {
            return Err(StudyError::Plan(format!(
                "the plan has {count} runs for this task, whose numbers take {} of memory, but a task \
                 computes {MOST_RUNS} at most; divide the plan among tasks by --share K/N, or give it fewer \
                 values",
                in_bytes(8.0 * count as f64)
            )));
        }
        let mut rows = self.rows.iter().map(|row| row.run).peekable();
        let is_missing = |run: &u64| rows.next_if_eq(run).is_none();
        Ok(runs.filter(is_missing).collect())
    }

    /// What is left to compute of the range. Rows are dropped: there may be millions.
    ///
    /// # Errors
    /// As [`Collected::missing`].
    pub fn unfinished(self, runs: Range<u64>) -> Result<Unfinished, StudyError> {
        Ok(Unfinished {
            runs: self.missing(runs)?,
            pauses: self.pauses,
        })
    }

    /// Sum of the times that runs took (s).
    pub fn seconds(&self) -> f64 {
        self.rows.iter().map(|row| row.seconds).sum()
    }

    /// Reasons of runs that did not complete, the most frequent first.
    pub fn failures(&self) -> Vec<Failures> {
        let mut by_reason: BTreeMap<String, Failures> = BTreeMap::new();
        for row in &self.rows {
            if row.outcome == Outcome::Completed {
                continue;
            }
            let [kind, message] = row.outcome.reason();
            let word = row.outcome.word();
            let entry = by_reason.entry(format!("{word} {kind}"));
            let failures = entry.or_insert_with(|| Failures {
                word,
                kind: kind.to_owned(),
                count: 0,
                first: row.run,
                message: message.to_owned(),
            });
            failures.count += 1;
        }
        let mut failures: Vec<Failures> = by_reason.into_values().collect();
        failures.sort_by_key(|failures| (std::cmp::Reverse(failures.count), failures.first));
        failures
    }

    /// Writes the table of all rows.
    ///
    /// # Errors
    /// [`StudyError::Folder`] if it cannot be written.
    pub fn write(&self, study: &Study, folder: &StudyFolder) -> Result<(), StudyError> {
        let bodies = &study.plan.bodies;
        let measures = &study.measures;
        let more = OF_BODY.len() * bodies.len() + measures.len();
        let columns = study.points.columns().iter();
        let varied: Vec<&str> = columns.map(|column| column.name.as_str()).collect();
        write_whole(&folder.table(), |file| {
            file.write_all(header(&varied, bodies, measures).as_bytes())?;
            for row in &self.rows {
                let values = study.points.values(row.run);
                file.write_all(row.line(&values, more).as_bytes())?;
            }
            Ok(())
        })?;
        Ok(())
    }
}

//! `ipcsim ccd`: computes the time of impact of every query in a file.

mod queries;

use super::Outcome;
use crate::contact::ccd::NarrowPhase;
pub(super) use queries::Line;
use queries::{Entry, Known};
use serde::Serialize;
use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

/// Compute the time of impact of every point-edge query in a file.
///
/// Writes one line {"id", "hit", "toi"} per query to standard output, in the order of the file; toi is null if there is no
/// hit. Writes a summary to standard error. If the file contains the right answers, the summary counts false negatives and
/// false positives. The exit code is 1 if there is a false negative.
#[derive(Clone, Debug, clap::Args)]
pub struct CcdArgs {
    /// Queries, one JSON object per line: id and the pairs of numbers p0, e00, e10 (the point and the ends of the edge at
    /// t = 0) and p1, e01, e11 (at t = 1). Optional: hits and `toi_exact`, the right answers.
    #[arg(value_name = "FILE.jsonl")]
    pub file: PathBuf,

    /// Method that computes the time of impact.
    #[arg(long, value_enum, default_value_t = Method::Exact)]
    pub method: Method,

    /// Distance (m) that counts as a hit. Answers in the file are for a distance of 0; they are compared only if this is 0.
    #[arg(long, value_name = "D", default_value_t = 0.0, value_parser = separation)]
    pub min_separation: f64,
}

/// Narrow phase, by its name on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Method {
    /// Root of a quadratic in exact arithmetic: no false negative, no false positive, toi within 0.1 %.
    Exact,
    /// Additive CCD (Li et al. 2021): no false negative; stops at a tenth of the gap.
    Additive,
    /// Interval root finding (Wang et al. 2021): no false negative; stops at a small part of the gap.
    Inclusion,
}

impl From<Method> for NarrowPhase {
    fn from(method: Method) -> Self {
        match method {
            Method::Exact => Self::Exact,
            Method::Additive => Self::Additive,
            Method::Inclusion => Self::Inclusion,
        }
    }
}

/// Error of `ipcsim ccd`, which ends with exit code 2.
#[derive(Debug, thiserror::Error)]
pub enum CcdError {
    /// The file cannot be opened.
    #[error("cannot read {}: {source}", path.display())]
    Open {
        /// Path of the file.
        path: PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
    /// A line is not a query.
    #[error("line {number}: {found}; expected {expected}")]
    Line {
        /// Number of the line, from 1.
        number: usize,
        /// Description of the error.
        found: String,
        /// Description of a valid line.
        expected: &'static str,
    },
    /// The answers cannot be written.
    #[error("cannot write the answers: {0}")]
    Write(#[from] io::Error),
}

/// Answer to one query, which is a line of the output.
#[derive(Serialize)]
struct Answer {
    id: u64,
    hit: bool,
    toi: Option<f64>,
}

/// Writes the answers to the queries of `args.file` to `out`, and a summary to `err`. Returns [`Outcome::Failed`] if an
/// impact that the file contains was missed.
///
/// # Errors
/// If the file cannot be read, if a line is not a query, or if `out` or `err` cannot be written. Answers to the lines
/// before are written in any case.
pub fn run(
    args: &CcdArgs,
    out: &mut impl Write,
    err: &mut impl Write,
) -> Result<Outcome, CcdError> {
    let mut lines = queries::numbered(BufReader::new(open(&args.file)?));
    let method = NarrowPhase::from(args.method);
    let mut summary = Summary::default();

    while let Some(entry) = queries::next(&mut lines) {
        let entry = entry?;
        let toi = method.time_of_impact(&entry.query, args.min_separation);
        summary.add(&entry, toi, args.min_separation <= 0.0);

        let answer = Answer {
            id: entry.id,
            hit: toi.is_some(),
            toi,
        };
        serde_json::to_writer(&mut *out, &answer).map_err(io::Error::from)?;
        writeln!(out)?;
    }

    summary.write(err)?;
    Ok(if summary.false_negatives == 0 {
        Outcome::Done
    } else {
        Outcome::Failed
    })
}

fn open(path: &Path) -> Result<File, CcdError> {
    File::open(path).map_err(|source| CcdError::Open {
        path: path.to_owned(),
        source,
    })
}

fn separation(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(d) if f64::is_finite(d) && d >= 0.0 => Ok(d),
        _ => Err("expected a distance: a finite number that is not negative".to_owned()),
    }
}

/// Counts over all queries of a file.
#[derive(Default)]
struct Summary {
    queries: usize,
    hits: usize,
    /// Number of queries whose right answer is known.
    known: usize,
    false_negatives: usize,
    false_positives: usize,
    /// Number of hits whose exact time is known and above 0.
    timed: usize,
    /// Sum of `toi / exact` over these.
    ratios: f64,
}

impl Summary {
    /// Counts one answer. With `compare`, it is compared with the right one.
    fn add(&mut self, entry: &Entry, toi: Option<f64>, compare: bool) {
        self.queries += 1;
        self.hits += usize::from(toi.is_some());
        if !compare || entry.known == Known::Nothing {
            return;
        }

        self.known += 1;
        match (entry.known, toi) {
            (Known::Hit(_), None) => self.false_negatives += 1,
            (Known::Miss, Some(_)) => self.false_positives += 1,
            (Known::Hit(Some(exact)), Some(toi)) if exact > 0.0 => {
                self.timed += 1;
                self.ratios += toi / exact;
            }
            _ => {}
        }
    }

    fn write(&self, err: &mut impl Write) -> io::Result<()> {
        writeln!(err, "{} queries, {} hits", self.queries, self.hits)?;
        if self.known > 0 {
            writeln!(
                err,
                "{} known answers: {} false negatives, {} false positives",
                self.known, self.false_negatives, self.false_positives
            )?;
        }
        if self.timed > 0 {
            writeln!(
                err,
                "mean toi/exact over {} hits with exact > 0: {:.6}",
                self.timed,
                self.ratios / self.timed as f64
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;

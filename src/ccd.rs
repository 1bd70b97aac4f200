//! `ipcsim ccd`: computes the time of impact of every query in a file.
//!
//! A query is the linear motion of a point and of an edge over `t` in `[0, 1]`. The command runs
//! the narrow phases of the simulator on queries of any origin: those that
//! `ipcsim run --record-ccd` wrote, or those of a benchmark with known answers. A missed impact, a
//! false negative, lets bodies pass through each other; a false positive only costs time. Only the
//! first one is a failure.

mod ccd_error;
mod queries;

use super::Outcome;
pub use ccd_error::CcdError;
use ipcsim::contact::ccd::NarrowPhase;
use ipcsim::math::number::counted;
use ipcsim::scene::STDIN;
pub(super) use queries::Line;
use queries::{Entry, Known};
use serde::Serialize;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

/// Compute the time of impact of every point-edge query in a file, or on standard input.
///
/// A query is a point and an edge that move on straight paths from t = 0 to t = 1. The command
/// writes one line {"id", "hit", "toi"} per query to standard output, in the order of the file; toi
/// is the time of impact, or null if there is none. A summary goes to standard error. If the file
/// contains the right answers, the summary counts missed impacts (false negatives) and reported
/// impacts that do not happen (false positives).
#[derive(Clone, Debug, clap::Args)]
pub struct CcdArgs {
    /// Queries, one JSON object per line; - is standard input. An object has id and the pairs of
    /// numbers p0, e00, e10 (the point and the ends of the edge at t = 0) and p1, e01, e11 (at
    /// t = 1). Optional are the right answers: hits (true or false) and `toi_exact` (a number as
    /// text).
    #[arg(value_name = "FILE.jsonl")]
    pub file: PathBuf,

    /// Method that computes the time of impact.
    #[arg(long, value_enum, default_value_t = Method::Exact)]
    pub method: Method,

    /// Distance (m) that counts as a hit. Answers in the file are for a distance of 0, and are
    /// compared only if this is 0.
    #[arg(long, value_name = "D", default_value_t = 0.0, value_parser = separation)]
    pub min_separation: f64,
}

/// Narrow phase, by its name on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Method {
    /// Root of a quadratic in exact arithmetic: no false negative, no false positive, toi within
    /// 0.1 %.
    Exact,
    /// Additive CCD (Li et al. 2021): no false negative; stops at a tenth of the gap.
    Additive,
    /// Interval root finding (Wang et al. 2021): no false negative; stops at a small part of the
    /// gap.
    Inclusion,
}

impl From<Method> for NarrowPhase {
    /// Narrow phase of the simulator with this name.
    fn from(method: Method) -> Self {
        match method {
            Method::Exact => Self::Exact,
            Method::Additive => Self::Additive,
            Method::Inclusion => Self::Inclusion,
        }
    }
}

/// Answer to one query: a line of the output.
#[derive(Serialize)]
struct Answer {
    /// Identifier of the query in the file.
    id: u64,
    /// True if the point meets the edge.
    hit: bool,
    /// Time of impact in `[0, 1]`; `None` without a hit.
    toi: Option<f64>,
}

/// Writes the answers to the queries of `args.file` to `out`, and a summary to `err`. Returns
/// [`Outcome::Failed`] if an impact that the file contains was missed.
///
/// # Errors
/// If the file cannot be read, if a line is not a query, or if `out` or `err` cannot be written.
/// Answers to the lines before are written in any case.
pub fn run(
    args: &CcdArgs,
    out: &mut impl Write,
    err: &mut impl Write,
) -> Result<Outcome, CcdError> {
    let mut lines = queries::numbered(BufReader::new(open(&args.file)?));
    let method = NarrowPhase::from(args.method);
    let mut summary = Summary::default();

    // Each answer is written before the next line is read.
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

/// Opens the file of queries, or standard input if the path is `-`.
///
/// # Errors
/// [`CcdError::Open`] if that fails.
fn open(path: &Path) -> Result<Box<dyn Read>, CcdError> {
    if path == Path::new(STDIN) {
        return Ok(Box::new(io::stdin()));
    }

    let file = ipcsim::files::open(path).map_err(|source| CcdError::Open {
        path: path.to_owned(),
        source,
    })?;
    Ok(Box::new(file))
}

/// Reads a distance from the command line.
///
/// # Errors
/// If the text is not a finite number, or if the number is negative.
fn separation(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(d) if f64::is_finite(d) && d >= 0.0 => Ok(d),
        _ => Err("expected a distance: a finite number that is not negative".to_owned()),
    }
}

/// Counts over all queries of a file, which become the summary on standard error.
#[derive(Default)]
struct Summary {
    /// Number of queries read.
    queries: usize,
    /// Number of queries with a hit.
    hits: usize,
    /// Number of queries whose right answer is known.
    known: usize,
    /// Number of impacts that were missed.
    false_negatives: usize,
    /// Number of hits where there is no impact.
    false_positives: usize,
    /// Number of hits whose exact time is known and above 0.
    timed: usize,
    /// Sum of `toi / exact` over these hits.
    ratios: f64,
}

impl Summary {
    /// Counts one answer. With `compare`, it is compared with the right one, if the file contains
    /// that.
    fn add(&mut self, entry: &Entry, toi: Option<f64>, compare: bool) {
        self.queries += 1;
        self.hits += usize::from(toi.is_some());
        if !compare || entry.known == Known::Nothing {
            return;
        }

        // A missed impact, a false alarm, or a hit whose time can be compared.
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

    /// Writes the counts, a line for each kind.
    ///
    /// # Errors
    /// If `err` cannot be written.
    fn write(&self, err: &mut impl Write) -> io::Result<()> {
        let queries = counted(self.queries, "query");
        let hits = counted(self.hits, "hit");
        writeln!(err, "{queries}, {hits}")?;

        if self.known > 0 {
            writeln!(
                err,
                "{}: {}, {}",
                counted(self.known, "known answer"),
                counted(self.false_negatives, "false negative"),
                counted(self.false_positives, "false positive")
            )?;
        }
        if self.timed > 0 {
            writeln!(
                err,
                "mean toi/exact over {} with exact > 0: {:.6}",
                counted(self.timed, "hit"),
                self.ratios / self.timed as f64
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;

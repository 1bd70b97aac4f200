//! `ipcsim ccd`: the time of impact of every query in a file.

mod queries;

use crate::contact::ccd::NarrowPhase;
pub(super) use queries::Line;
use queries::{Entry, Known};
use serde::Serialize;
use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

/// Compute the time of impact of every point-edge query in a file.
///
/// Write {"id", "hit", "toi"} per query to standard output, in input order (toi is null without a hit), and a summary
/// to standard error. Where the file knows the answers, the summary counts false negatives and false positives, and a
/// false negative makes the exit code 1.
#[derive(Clone, Debug, clap::Args)]
pub struct CcdArgs {
    /// Queries, one JSON object per line: id, p0, e00, e10, p1, e01, e11 (pairs of numbers; the point and the edge's
    /// ends at t = 0 and t = 1); optionally hits and `toi_exact`, the answers to compare with.
    #[arg(value_name = "FILE.jsonl")]
    pub file: PathBuf,

    /// How the time of impact is found.
    #[arg(long, value_enum, default_value_t = Method::Exact)]
    pub method: Method,

    /// The distance (m) that counts as a hit; answers in the file are for 0 and are not compared with otherwise.
    #[arg(long, value_name = "D", default_value_t = 0.0, value_parser = separation)]
    pub min_separation: f64,
}

/// A narrow phase by its name on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Method {
    /// The root of a quadratic, decided exactly: no false negative, no false positive, toi within 0.1 %.
    Exact,
    /// Additive CCD (Li et al. 2021), bounded: no false negative, leaves a tenth of the gap.
    Additive,
    /// Interval root finding (Wang et al. 2021), bounded: no false negative, leaves a little of the gap.
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

/// Why there are no answers. All of these are bad input: exit code 2.
#[derive(Debug, thiserror::Error)]
pub enum CcdError {
    /// The file cannot be opened.
    #[error("cannot read {}: {source}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A line is not a query.
    #[error("line {number}: {found}; expected {expected}")]
    Line {
        /// Counted from 1.
        number: usize,
        /// What is wrong.
        found: String,
        /// What would be right.
        expected: &'static str,
    },
    /// The answers cannot be written.
    #[error("cannot write the answers: {0}")]
    Write(#[from] io::Error),
}

/// How a run that answered every query ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Exit code 0.
    Passed,
    /// An impact that the file knows was missed: exit code 1.
    FalseNegative,
}

impl Outcome {
    /// The program's exit code.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Passed => 0,
            Self::FalseNegative => 1,
        }
    }
}

/// One line of the output.
#[derive(Serialize)]
struct Answer {
    id: u64,
    hit: bool,
    toi: Option<f64>,
}

/// Answers the queries of `args.file` on `out` and sums up on `err`.
///
/// # Errors
/// If the file cannot be read, a line is not a query (what was answered before it is written), or `out` or `err`
/// cannot be written.
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
        Outcome::Passed
    } else {
        Outcome::FalseNegative
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

/// What is counted over a file.
#[derive(Default)]
struct Summary {
    queries: usize,
    hits: usize,
    known: usize,
    false_negatives: usize,
    false_positives: usize,
    /// Over hits with a known time above 0: their number and the sum of `toi / exact`.
    ratios: (usize, f64),
}

impl Summary {
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
                self.ratios.0 += 1;
                self.ratios.1 += toi / exact;
            }
            _ => {}
        }
    }

    fn write(&self, err: &mut impl Write) -> io::Result<()> {
        writeln!(err, "{} queries, {} hits", self.queries, self.hits)?;
        if self.known > 0 {
            let (negatives, positives) = (self.false_negatives, self.false_positives);
            writeln!(
                err,
                "{} known answers: {negatives} false negatives, {positives} false positives",
                self.known
            )?;
        }
        let (count, sum) = self.ratios;
        if count > 0 {
            writeln!(
                err,
                "mean toi/exact over {count} hits with exact > 0: {:.6}",
                sum / count as f64
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;

//! Files of queries, one JSON object per line.
//!
//! Lines are read one by one, so that a file may be larger than memory, and a line has a longest
//! length, so that a file without line ends does not fill it.

use super::ccd_error::CcdError;
use ipcsim::contact::ccd::Query;
use ipcsim::math::Vec2;
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead, Read};

/// Description of a valid line, for messages.
const EXPECTED: &str = "an object with an integer `id` and pairs of finite numbers `p0`, `e00`, \
                        `e10` (the point and the ends of the edge at t = 0) and `p1`, `e01`, \
                        `e11` (at t = 1)";

/// One query of a file, with its right answer if the file contains it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Entry {
    /// Identifier of the query in the file.
    pub(super) id: u64,
    /// Motion of the point and of the edge.
    pub(super) query: Query,
    /// Right answer, as far as the file contains it.
    pub(super) known: Known,
}

/// Right answer to a query, as far as a file contains it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Known {
    /// The file contains no answer.
    Nothing,
    /// There is no impact.
    Miss,
    /// There is an impact, perhaps with its time.
    Hit(Option<f64>),
}

/// Line of the file as JSON. Other fields are ignored.
#[derive(Serialize, Deserialize)]
pub(crate) struct Line {
    /// Identifier of the query in the file.
    id: u64,
    /// Point at `t = 0` (m).
    p0: [f64; 2],
    /// First end of the edge at `t = 0` (m).
    e00: [f64; 2],
    /// Second end of the edge at `t = 0` (m).
    e10: [f64; 2],
    /// Point at `t = 1` (m).
    p1: [f64; 2],
    /// First end of the edge at `t = 1` (m).
    e01: [f64; 2],
    /// Second end of the edge at `t = 1` (m).
    e11: [f64; 2],
    /// True if there is an impact; `None` if the answer is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    hits: Option<bool>,
    /// Exact time of impact as a decimal number, which may have many digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    toi_exact: Option<String>,
}

impl Line {
    /// Line of a query whose right answer is not known.
    pub(crate) fn of(id: u64, query: &Query) -> Self {
        let [p0, e00, e10] = query.start.map(Into::into);
        let [p1, e01, e11] = query.end.map(Into::into);
        Self {
            id,
            p0,
            e00,
            e10,
            p1,
            e01,
            e11,
            hits: None,
            toi_exact: None,
        }
    }
}

/// Next query of the numbered `lines`, or `None` at the end. Blank lines are skipped.
///
/// # Errors
/// If the line cannot be read or is not a query. The error has the number of the line and says what
/// a query looks like.
pub(super) fn next(
    lines: &mut impl Iterator<Item = (usize, io::Result<String>)>,
) -> Option<Result<Entry, CcdError>> {
    lines.find_map(|(number, line)| match line {
        Ok(line) if line.trim().is_empty() => None,
        Ok(line) => Some(parsed(&line).map_err(|found| CcdError::Line {
            number,
            found,
            expected: EXPECTED,
        })),
        Err(source) => Some(Err(CcdError::Line {
            number,
            found: source.to_string(),
            expected: EXPECTED,
        })),
    })
}

/// Longest line that is accepted (bytes). An exact time may have many digits.
const LONGEST: u64 = 1_000_000;

/// Lines of a file, numbered from 1.
pub(super) fn numbered(
    mut file: impl BufRead,
) -> impl Iterator<Item = (usize, io::Result<String>)> {
    (1..).map_while(move |number| {
        let line = read_line(&mut file).transpose();
        line.map(|line| (number, line))
    })
}

/// Next line of a file, or `None` at its end.
///
/// # Errors
/// If the file cannot be read, or if the line is longer than [`LONGEST`] or is not UTF-8.
fn read_line(file: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    // One byte more than the limit shows that a line is longer.
    let length = file
        .by_ref()
        .take(LONGEST + 1)
        .read_until(b'\n', &mut line)? as u64;
    if length > LONGEST {
        return Err(io::Error::other(format!("more than {LONGEST} bytes")));
    }

    let line =
        String::from_utf8(line).map_err(|_| io::Error::other("bytes that are not text (UTF-8)"))?;
    Ok(Some(line).filter(|_| length > 0))
}

/// Reads the query of one line.
///
/// # Errors
/// Description of what is wrong with the line.
fn parsed(line: &str) -> Result<Entry, String> {
    let line: Line = serde_json::from_str(line).map_err(|error| described(&error))?;
    let vector = |x: [f64; 2]| Vec2::new(x[0], x[1]);

    // Motion of the point and of the ends of the edge.
    let query = Query {
        start: [line.p0, line.e00, line.e10].map(vector),
        end: [line.p1, line.e01, line.e11].map(vector),
    };

    // The time counts only where the file says that there is an impact.
    let known = match (line.hits, line.toi_exact) {
        (None, _) => Known::Nothing,
        (Some(false), _) => Known::Miss,
        (Some(true), None) => Known::Hit(None),
        (Some(true), Some(text)) => match text.parse() {
            Ok(time) => Known::Hit(Some(time)),
            Err(_) => return Err(format!("`toi_exact` is {text:?}, not a decimal number")),
        },
    };
    Ok(Entry {
        id: line.id,
        query,
        known,
    })
}

/// Message and column of an error. The line that `serde_json` reports is dropped, since it counts
/// from the beginning of the object.
fn described(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let what = text
        .rsplit_once(" at line ")
        .map_or(text.as_str(), |(what, _)| what);
    format!("{what} at column {}", error.column())
}

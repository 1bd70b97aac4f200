//! Results as a table for a terminal of 100 columns.
//!
//! The columns are the quantity with its unit, the expected value, the simulator's, the error, the
//! tolerance and the verdict. Misses and failures stand once more at the end, where a reader looks
//! first after a long run.

use ipcsim::math::number::counted;
use ipcsim_validate::report::{bound, error, number};
use ipcsim_validate::{Case, Quantity, Report, Verdict, Weight};
use std::fmt::Write as _;

/// Width of the table (characters).
const WIDTH: usize = 100;

/// Width of the column of names (characters).
const NAMES: usize = 44;

/// Table of all reports: for each case a heading, the source of its formula, and a row for each
/// quantity; then known misses and failures again, and the counts.
pub(super) fn table(reports: &[Report]) -> String {
    let mut text = String::new();
    for report in reports {
        case(report, &mut text);
    }

    // Writing to a string cannot fail.
    for (verdict, heading) in [
        (Verdict::KnownMiss, "known misses"),
        (Verdict::Mended, "known misses that pass now"),
        (Verdict::Fail, "failed"),
    ] {
        let lines = lines_of(reports, verdict);
        if !lines.is_empty() {
            let _ = writeln!(text, "{heading}:\n{lines}");
        }
    }
    text + &counts(reports)
}

/// Names and titles of cases, with a mark at those that are not quick.
pub(super) fn list(cases: &[Case]) -> String {
    let mut text = String::new();
    for case in cases {
        let slow = if case.weight == Weight::Quick {
            ""
        } else {
            " (takes longer than a second)"
        };
        let _ = writeln!(text, "{:26} {}{slow}", case.name, case.title);
    }
    text
}

/// Adds a case: heading, source, and a row for each quantity.
fn case(report: &Report, text: &mut String) {
    let case = &report.case;
    let _ = writeln!(text, "{}: {}", case.name, case.title);
    *text += &wrapped(&format!("source: {}", case.source), 2);
    if let Some(error) = &report.error {
        *text += &wrapped(&format!("not run to its end: {error}"), 2);
    }

    if !report.quantities().is_empty() {
        let _ = writeln!(
            text,
            "  {:NAMES$} {:>10} {:>10} {:>8} {:>9}  verdict",
            "quantity", "expected", "got", "error", "tolerance"
        );
    }
    for quantity in report.quantities() {
        row(quantity, text);
    }
    text.push('\n');
}

/// Adds the row of a quantity. A long name has a line of its own.
fn row(quantity: &Quantity, text: &mut String) {
    let mut name = named(quantity);
    if name.chars().count() > NAMES {
        let _ = writeln!(text, "  {name}");
        name.clear();
    }

    let _ = writeln!(
        text,
        "  {name:NAMES$} {:>10} {:>10} {:>8} {:>9}  {}",
        number(quantity.expected),
        number(quantity.got),
        error(quantity),
        bound(quantity),
        quantity.verdict().words(),
    );
}

/// Name of a quantity with its unit.
fn named(quantity: &Quantity) -> String {
    match quantity.unit {
        "1" => quantity.name.clone(),
        unit => format!("{} ({unit})", quantity.name),
    }
}

/// Quantities of this verdict with their numbers, and below them the reason of a known miss.
fn lines_of(reports: &[Report], verdict: Verdict) -> String {
    let mut text = String::new();
    for report in reports {
        let name = report.case.name;
        let mut reasons = Vec::new();
        for quantity in report.quantities() {
            if quantity.verdict() == verdict {
                let [got, expected] = [quantity.got, quantity.expected].map(number);
                let line = format!("{name}: {}: {got}, expected {expected}", named(quantity));
                text += &wrapped(&line, 2);
                reasons.extend(quantity.known_miss.map(|miss| miss.reason));
            }
        }

        // A reason that several quantities share is said once.
        reasons.dedup();
        for reason in reasons {
            text += &wrapped(&format!("because {reason}"), 4);
        }
        if verdict == Verdict::Fail && report.quantities().is_empty() {
            let _ = writeln!(text, "  {name}: no result");
        }
    }
    text
}

/// A text in lines of at most [`WIDTH`], the first one indented, and the others twice as far.
fn wrapped(text: &str, indent: usize) -> String {
    let mut lines = String::new();
    let mut line = " ".repeat(indent);
    let mut is_empty = true;

    for word in text.split_whitespace() {
        if !is_empty && line.chars().count() + 1 + word.chars().count() > WIDTH {
            lines += &line;
            lines.push('\n');
            line = " ".repeat(2 * indent);
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        line += word;
        is_empty = false;
    }
    lines + &line + "\n"
}

/// Number of cases and quantities by verdict.
fn counts(reports: &[Report]) -> String {
    let count = |verdict| {
        reports
            .iter()
            .filter(|report| report.verdict == verdict)
            .count()
    };

    let quantities = reports.iter().flat_map(Report::quantities).count();
    format!(
        "{}, {}: {} pass, {} with known misses, {} failed",
        counted(reports.len(), "case"),
        counted(quantities, "quantity"),
        count(Verdict::Pass) + count(Verdict::Mended),
        count(Verdict::KnownMiss),
        count(Verdict::Fail),
    )
}

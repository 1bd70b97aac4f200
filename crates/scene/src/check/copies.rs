//! Checks of copies.
//!
//! A body with copies stands for rows of equal bodies. There must be at least one, and few
//! enough that a slip does not fill the memory before anything is reported.

use super::report::Report;
use crate::schema::Copies;

/// Checks counts, spacing and jitter of the rows in which a body is copied.
pub(super) fn check(report: &mut Report, path: &str, copies: &Copies) {
    let path_of_counts = format!("{path}.counts");
    let [x, y] = copies.counts;
    report.at_least_one(&path_of_counts, x.min(y));
    if copies.count() > Copies::MOST {
        let message = format!("{x} x {y} bodies are more than {}; use fewer", Copies::MOST);
        report.add(&path_of_counts, message);
    }

    // Distances: any spacing, and a jitter that is not negative.
    report.vector(&format!("{path}.spacing"), copies.spacing);
    for jitter in copies.jitter {
        report.not_negative(&format!("{path}.jitter"), jitter, " m");
    }
}

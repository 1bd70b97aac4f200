//! Checks of copies.

use super::report::Report;
use crate::scene::schema::Copies;

/// Checks the rows in which a body is copied.
pub(super) fn check(report: &mut Report, path: &str, copies: &Copies) {
    let path_of_counts = format!("{path}.counts");
    report.at_least_one(&path_of_counts, copies.counts[0].min(copies.counts[1]));
    if copies.count() > Copies::MOST {
        let [x, y] = copies.counts;
        report.add(
            &path_of_counts,
            format!("{x} x {y} bodies are more than {}; use fewer", Copies::MOST),
        );
    }

    report.vector(&format!("{path}.spacing"), copies.spacing);
    for jitter in copies.jitter {
        report.not_negative(&format!("{path}.jitter"), jitter, " m");
    }
}

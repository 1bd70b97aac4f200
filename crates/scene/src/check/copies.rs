//! Checks of copies.
//!
//! A body with copies stands for rows of equal bodies. There must be at least one, and few
//! enough that a slip does not fill the memory before anything is reported.

use super::report::Report;
use crate::schema::Copies;

/// Checks the number of bodies in the rows in which a body is copied.
pub(super) fn check(report: &mut Report, path: &str, copies: &Copies) {
    let [x, y] = copies.counts;
    if copies.count() > Copies::MOST {
        let message = format!("{x} x {y} bodies are more than {}; use fewer", Copies::MOST);
        report.add(&format!("{path}.counts"), message);
    }
}

//! Checks of selections: places with an extent, and names that exist.
//!
//! Whether a selection has any vertex is only found once the body is built.

use super::report::Report;
use crate::schema::Selection;
use ipcsim_math::Vec2;

/// Checks a selection of a body that has selections of these names.
pub(super) fn check(report: &mut Report, path: &str, selection: &Selection, names: &[&str]) {
    match selection {
        Selection::Box(bounds) => {
            let [min, max] = [bounds.min, bounds.max];
            if !(min[0] <= max[0] && min[1] <= max[1]) {
                let message =
                    format!("its min {min:?} must not be to the right of or above its max {max:?}");
                report.add(&format!("{path}.box"), message);
            }
        }
        Selection::HalfPlane(half) => {
            let path = format!("{path}.half_plane.normal");
            let length = Vec2::from(half.normal).norm();
            if report.ranges(&path) && !(length > 0.0 && length.is_finite()) {
                let message = format!("is {:?}, but must have a direction", half.normal);
                report.add(&path, message);
            }
        }
        Selection::Any(parts) => check_parts(report, &format!("{path}.any"), parts, names),
        Selection::AllOf(parts) => check_parts(report, &format!("{path}.all_of"), parts, names),
        Selection::Not(part) => check(report, &format!("{path}.not"), part, names),
        Selection::Named(name) if !names.contains(&name.as_str()) => {
            let words = ["all", "boundary"].into_iter();
            let known = words.chain(names.iter().copied());
            report.no_such(path, "selection", name, known);
        }
        Selection::Near(_) => {
            report.ranges(&format!("{path}.near"));
        }
        Selection::Tangent(_) => {
            report.ranges(&format!("{path}.tangent"));
        }
        Selection::All
        | Selection::Nearest(_)
        | Selection::Boundary
        | Selection::Indices(_)
        | Selection::Disk(_)
        | Selection::Side(_)
        | Selection::Named(_) => {}
    }
}

/// Checks the parts of a combination: there must be one or more.
fn check_parts(report: &mut Report, path: &str, parts: &[Selection], names: &[&str]) {
    if parts.is_empty() {
        report.add(path, "is empty; name at least one selection");
    }
    for (k, part) in parts.iter().enumerate() {
        check(report, &format!("{path}[{k}]"), part, names);
    }
}

//! Checks of areas: numbers, names, and curves that enclose something.
//!
//! Faults of curves are found with the points that stand for them, as the body will have them;
//! their places are those in the shape.

use super::report::Report;
use crate::area::{Curves, Purpose};
use crate::area_bounds::Asked;
use crate::code::Code;
use crate::problem::Problem;
use crate::schema::{Area, Curve, Meshing, Stop};

/// Checks an area; `path` is that of the key `area`.
pub(super) fn check(report: &mut Report, path: &str, area: &Area) {
    let is_good = report.passes(|report| check_numbers(report, path, area));
    if !is_good || !report.ranges(path) {
        return;
    }

    // Curves that enclose an area. Divided for triangles they are not known to cross later.
    let curves = Curves::of(area, Purpose::Edges);
    for fault in curves.domain().err().into_iter().flatten() {
        let mut problem = Problem::error(format!("{path}.{}", fault.label), fault.message);
        problem.places = fault.places;
        report.problems.push(problem);
    }
}

/// Checks the numbers and names of an area.
///
/// Curves are only looked at one by one here. Whether they enclose an area together takes the
/// points that stand for them, and numbers that are good.
pub(super) fn check_numbers(report: &mut Report, path: &str, area: &Area) {
    let is_good = report.passes(|report| {
        report.ranges(path);
        check_curve(report, &format!("{path}.outline"), &area.outline);
        for (k, hole) in area.holes.iter().enumerate() {
            check_curve(report, &format!("{path}.holes[{k}]"), hole);
        }
        for (name, part) in &area.parts {
            check_curve(report, &format!("{path}.parts.{name}"), part);
        }
        check_meshing(report, &format!("{path}.mesh"), &area.mesh, &area.names());
    });
    if is_good && let Some(excess) = Asked::of(area).excess() {
        report
            .problems
            .push(Problem::error(path, excess).coded(Code::Memory));
    }
}

/// Checks that a curve begins at a point, and that its splines have one.
pub(super) fn check_curve(report: &mut Report, path: &str, curve: &Curve) {
    let Curve::Path(curve) = curve else { return };
    let path = format!("{path}.path.points");
    if !matches!(curve.points.first(), Some(Stop::Point(_))) {
        let message = "must begin with a point [x, y], from which the path goes on";
        return report.add(&path, message);
    }

    for (k, stop) in curve.points.iter().enumerate() {
        if matches!(stop, Stop::Spline(spline) if spline.through.is_empty()) {
            report.add(
                &format!("{path}[{k}].spline.through"),
                "is empty; name its end at least",
            );
        }
    }
}

/// Checks that sizes along curves are along curves of these names.
///
/// A size along a curve that does not exist would have no effect, and the author would not notice:
/// it is an error, with the nearest name.
fn check_meshing(report: &mut Report, path: &str, mesh: &Meshing, names: &[&str]) {
    for name in mesh.along.keys() {
        if !names.contains(&name.as_str()) {
            let path = format!("{path}.along.{name}");
            report.no_such(&path, "curve", name, names.iter().copied());
        }
    }
}

//! Checks of areas: numbers, names, and curves that enclose something.
//!
//! Faults of curves are found with the points that stand for them, as the body will have them;
//! their places are those in the shape.

use super::report::Report;
use crate::area::{Curves, Purpose};
use crate::problem::Problem;
use crate::schema::{Area, Curve, Meshing, Stop};

/// Least angle that a mesh can be asked for (degrees): above it a refinement need not end.
const MOST_DEGREES: f64 = 30.0;

/// Checks an area; `path` is that of the key `area`.
pub(super) fn check(report: &mut Report, path: &str, area: &Area) {
    if !report.passes(|report| check_numbers(report, path, area)) {
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
    check_curve(report, &format!("{path}.outline"), &area.outline);
    for (k, hole) in area.holes.iter().enumerate() {
        check_curve(report, &format!("{path}.holes[{k}]"), hole);
    }
    for (name, part) in &area.parts {
        check_curve(report, &format!("{path}.parts.{name}"), part);
    }
    if let Some(deviation) = area.deviation {
        report.positive(&format!("{path}.deviation"), deviation, " m");
    }
    if let Some(tolerance) = area.tolerance {
        report.not_negative(&format!("{path}.tolerance"), tolerance, " m");
    }
    check_meshing(report, &format!("{path}.mesh"), &area.mesh, &area.names());
}

/// Checks that a curve begins at a point, and that its numbers are good.
pub(super) fn check_curve(report: &mut Report, path: &str, curve: &Curve) {
    let path_of_curve = match curve {
        Curve::Circle(circle) => {
            report.vector(&format!("{path}.circle.center"), circle.center);
            report.positive(&format!("{path}.circle.radius"), circle.radius, " m");
            return;
        }
        Curve::Path(path_of_curve) => path_of_curve,
    };
    let path = format!("{path}.path.points");
    if !matches!(path_of_curve.points.first(), Some(Stop::Point(_))) {
        let message = "must begin with a point [x, y], from which the path goes on";
        return report.add(&path, message);
    }
    for (k, stop) in path_of_curve.points.iter().enumerate() {
        let path = format!("{path}[{k}]");
        match stop {
            Stop::Point(to) => report.vector(&path, *to),
            Stop::Line(line) => report.vector(&format!("{path}.line.to"), line.to),
            Stop::Arc(arc) => {
                report.vector(&format!("{path}.arc.through"), arc.through);
                report.vector(&format!("{path}.arc.to"), arc.to);
            }
            Stop::Cubic(cubic) => {
                for control in cubic.controls {
                    report.vector(&format!("{path}.cubic.controls"), control);
                }
                report.vector(&format!("{path}.cubic.to"), cubic.to);
            }
            Stop::Spline(spline) => {
                for point in &spline.through {
                    report.vector(&format!("{path}.spline.through"), *point);
                }
                if spline.through.is_empty() {
                    report.add(
                        &format!("{path}.spline.through"),
                        "is empty; name its end at least",
                    );
                }
            }
        }
    }
}

/// Checks sizes and angles. `names` are those of the curves.
///
/// A size along a curve that does not exist would have no effect, and the author would not notice:
/// it is an error, with the nearest name.
fn check_meshing(report: &mut Report, path: &str, mesh: &Meshing, names: &[&str]) {
    if let Some(size) = mesh.size {
        report.positive(&format!("{path}.size"), size, " m");
    }
    for (name, &size) in &mesh.along {
        let path = format!("{path}.along.{name}");
        report.positive(&path, size, " m");
        if !names.contains(&name.as_str()) {
            report.no_such(&path, "curve", name, names.iter().copied());
        }
    }
    for (k, near) in mesh.near.iter().enumerate() {
        let path = format!("{path}.near[{k}]");
        report.vector(&format!("{path}.at"), near.at);
        report.positive(&format!("{path}.size"), near.size, " m");
        report.not_negative(&format!("{path}.radius"), near.radius, " m");
    }
    if !(0.0..1.0).contains(&mesh.grading) {
        let message = format!("is {}, but must be from 0 to less than 1", mesh.grading);
        report.add(&format!("{path}.grading"), message);
    }
    if !(0.0..=MOST_DEGREES).contains(&mesh.least_angle_deg) {
        let message = format!(
            "is {} degrees, but must be from 0 to {MOST_DEGREES}; no refinement to a larger one is \
             sure to end",
            mesh.least_angle_deg
        );
        report.add(&format!("{path}.least_angle_deg"), message);
    }
}

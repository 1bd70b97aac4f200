//! Checks of the parameters of each kind of body, and of its shape: the one table of kinds here.

use super::elastic_rod;
use super::report::Report;
use crate::schema::{Kind, Shape};
use ipcsim_core::body::inertia;
use ipcsim_mesh::Outline;

/// Ratio of the determinant of second moments to their squared trace (1) below which a shape is a
/// line.
///
/// Rounding is near 1e-16; a shape 1e-5 times as thick as long is at 1e-10.
const NEGLIGIBLE: f64 = 1e-12;

/// Checks that the parameters of a kind go together. `path` leads to the key `kind`.
pub(super) fn check(report: &mut Report, path: &str, kind: &Kind) {
    if let Kind::Rod(rod) = kind {
        elastic_rod::check(report, &format!("{path}.rod"), rod);
    }
}

/// Checks a shape that is sound by itself, in a class that the kind takes.
pub(super) fn check_shape(report: &mut Report, path: &str, kind: &Kind, shape: &Shape) {
    match kind {
        Kind::Affine(_) if lies_on_a_line(shape) => report.add(
            path,
            "lies on a line, across which an affine body would have no inertia; make the body rigid",
        ),
        Kind::Rod(_) => elastic_rod::check_shape(report, path, shape),
        _ => {}
    }
}

/// True if a shape without an inside has all its edges, hence its mass, on one line.
///
/// A line has a second moment of 0 across, so that the determinant of its second moments vanishes.
fn lies_on_a_line(shape: &Shape) -> bool {
    let points = |list: &[[f64; 2]]| list.iter().map(|&point| point.into()).collect();
    let outline = match shape {
        Shape::Polyline(line) => Outline::polyline(points(&line.points), line.closed),
        Shape::Wire(wire) => Outline::wire(points(&wire.vertices), wire.pairs().into_owned()),
        _ => return false,
    };

    // Mass on the edges, with any density.
    let second = inertia::edges(&outline, 1.0).second;
    second.determinant() <= NEGLIGIBLE * second.trace() * second.trace()
}

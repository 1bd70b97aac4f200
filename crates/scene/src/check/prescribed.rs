//! Checks of prescribed vertices: their selection, their motion, and its window of time.

use super::load::check_varying;
use super::motion::{Start, check_motion};
use super::report::Report;
use super::selection;
use crate::schema::{Axis, Body, Prescribed};
use ipcsim_math::Vec2;

/// Checks an entry of the prescribed vertices of a body.
///
/// A selection without a single vertex is only found once the mesh is built.
pub(super) fn check(report: &mut Report, path: &str, entry: &Prescribed, body: &Body) {
    let path_of_vertices = format!("{path}.vertices");
    selection::check(
        report,
        &path_of_vertices,
        &entry.vertices,
        &body.selection_names(),
    );

    // Keyframes are those of the shape.
    let start = Start {
        position: body.position,
        rotation_deg: body.rotation_deg,
    };
    check_motion(report, path, &entry.script(), start);
    check_displacement(report, path, entry);
    check_window(report, path, entry);
    if entry.axis == Some(Axis::Angle) {
        report.add(
            &format!("{path}.axis"),
            "a vertex has no angle; use \"x\" or \"y\", or leave it out for both",
        );
    }
}

/// Checks displacements, which stand alone and say which coordinates they prescribe.
fn check_displacement(report: &mut Report, path: &str, entry: &Prescribed) {
    let Some(displacement) = &entry.displacement else {
        return;
    };

    let path_of_it = format!("{path}.displacement");
    let parts = [("x", &displacement.x), ("y", &displacement.y)];
    for (axis, number) in parts {
        if let Some(number) = number {
            check_varying(report, &format!("{path_of_it}.{axis}"), number, true);
        }
    }
    if parts.iter().all(|(_, number)| number.is_none()) {
        report.add(&path_of_it, "has no coordinate; add x or y, or both");
    }

    let moves = Vec2::from(entry.velocity) != Vec2::zeros() || entry.travel.is_some();
    if moves || !entry.keyframes.is_empty() {
        let message = "give one of displacement, velocity and keyframes, not several";
        report.add(&path_of_it, message);
    }
    if entry.axis.is_some() {
        let message = "is given beside displacement, which names the coordinates itself; remove it";
        report.add(&format!("{path}.axis"), message);
    }
}

/// Checks that the window of time ends after its beginning.
fn check_window(report: &mut Report, path: &str, entry: &Prescribed) {
    let Some(until) = entry.until else { return };
    if let Some(from) = entry.from.filter(|&from| from >= until && until > 0.0) {
        let message = format!("is {until} s, but must be later than from, {from} s");
        report.add(&format!("{path}.until"), message);
    }
}

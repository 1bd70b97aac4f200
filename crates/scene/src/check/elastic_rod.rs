//! Checks of rods: parameters that go together, and the line.

use super::report::Report;
use crate::schema::{ElasticRod, Shape};
use ipcsim_math::Vec2;
use ipcsim_math::geometry::predicates::folds_back;

/// Checks that each stiffness and the mass are given once, and that neighbours are exempt as far
/// as their radii reach. `path` leads to the key `rod`.
pub(super) fn check(report: &mut Report, path: &str, rod: &ElasticRod) {
    // Both stiffnesses follow from Young's modulus and the thickness.
    let by_material = rod.young.is_some() && rod.thickness.is_some();
    let stiffnesses = [
        (
            "axial_stiffness",
            rod.axial_stiffness,
            "\"axial_stiffness\": 1e4",
        ),
        (
            "bending_stiffness",
            rod.bending_stiffness,
            "\"bending_stiffness\": 0",
        ),
    ];

    for (name, given, example) in stiffnesses {
        if given.is_none() && !by_material {
            let message = format!("has no {name}; give young and thickness, or {example}");
            report.add(path, message);
        } else if given.is_some() && rod.young.is_some() {
            let message = "is given beside young, from which it follows; remove one of them";
            report.add(&format!("{path}.{name}"), message);
        }
    }

    if rod.mass_per_length.is_none() && rod.thickness.is_none() {
        let message = "has no mass; give thickness, with which the density of the material counts, \
                       or mass_per_length (kg/m)";
        report.add(path, message);
    }

    let Some(exempt) = rod.exempt_length else {
        return;
    };
    let least = 2.0 * rod.contact_radius();
    let path = format!("{path}.exempt_length");
    if report.ranges(&path) && exempt <= least {
        let message = format!(
            "is {exempt} m, but parts of a straight rod of the radius {} m touch within {least} m; \
             use more, or leave it out",
            rod.contact_radius()
        );
        report.add(&path, message);
    }
}

/// Checks that the shape of a rod is a line that does not fold back.
pub(super) fn check_shape(report: &mut Report, path: &str, shape: &Shape) {
    let Shape::Polyline(line) = shape else {
        let message = "is not a line; a rod is a polyline, with segments on each of its sides";
        return report.add(path, message);
    };

    // A rod that folds back has an infinite energy.
    let count = line.points.len();
    let inner = if line.closed { 0..count } else { 1..count - 1 };
    for k in inner {
        let corners = [k + count - 1, k, k + 1].map(|k| Vec2::from(line.points[k % count]));
        let [from, joint, to] = corners;
        if folds_back(from, joint, to) {
            let path = format!("{path}.polyline.points[{k}]");
            let message = "is where the rod folds back on itself; give it a bend";
            report.add(&path, message);
        }
    }
}

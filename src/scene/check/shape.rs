//! Checks of shapes, whatever body has them.

use super::curve;
use super::report::Report;
use crate::math::{Vec2, cross};
use crate::mesh::gear::Teeth;
use crate::scene::kind::ShapeClass;
use crate::scene::schema::{Gear, HalfPlane, InlineMesh, Ring, Shape};
use std::f64::consts::PI;

/// Largest number of vertices of a mesh that are reported for one reason.
const LISTED: usize = 20;

/// Name of a shape in scenes.
pub(super) fn name(shape: &Shape) -> &'static str {
    match shape {
        Shape::Square(_) => "square",
        Shape::Rectangle(_) => "rectangle",
        Shape::Disk(_) => "disk",
        Shape::RegularPolygon(_) => "regular_polygon",
        Shape::Mesh(_) => "mesh",
        Shape::Circle(_) => "circle",
        Shape::Outline(_) => "outline",
        Shape::Ring(_) => "ring",
        Shape::Gear(_) => "gear",
        Shape::Polyline(_) => "polyline",
        Shape::Wire(_) => "wire",
        Shape::Point(_) => "point",
        Shape::HalfPlane(_) => "half_plane",
    }
}

/// Class of a shape; `None` for a half-plane, which is no shape of a body.
pub(super) fn class(shape: &Shape) -> Option<ShapeClass> {
    match shape {
        Shape::HalfPlane(_) => None,
        Shape::Circle(_) | Shape::Point(_) => Some(ShapeClass::Round),
        Shape::Outline(_)
        | Shape::Ring(_)
        | Shape::Gear(_)
        | Shape::Polyline(_)
        | Shape::Wire(_) => Some(ShapeClass::Outlined),
        _ => Some(ShapeClass::Meshed),
    }
}

/// Checks a shape; `path` is that of the key `shape`.
pub(super) fn check(report: &mut Report, path: &str, shape: &Shape) {
    let path = format!("{path}.{}", name(shape));
    let key = |key: &str| format!("{path}.{key}");
    match shape {
        Shape::Square(square) => {
            report.positive(&key("side"), square.side, " m");
            report.cells(&key("segments"), [square.segments; 2]);
        }
        Shape::Rectangle(rectangle) => {
            rectangle
                .size
                .iter()
                .for_each(|&size| report.positive(&key("size"), size, " m"));
            report.cells(&key("segments"), rectangle.segments);
        }
        Shape::Disk(disk) => {
            report.positive(&key("radius"), disk.radius, " m");
            report.cells(&key("segments"), [disk.segments; 2]);
        }
        Shape::RegularPolygon(polygon) => {
            report.positive(&key("radius"), polygon.radius, " m");
            report.at_least(3, &key("sides"), polygon.sides);
            report.cells(
                &key("segments"),
                [
                    polygon.segments,
                    polygon.segments.saturating_mul(polygon.sides),
                ],
            );
        }
        Shape::Mesh(mesh) => check_mesh(report, &path, mesh),
        Shape::Circle(circle) => report.positive(&key("radius"), circle.radius, " m"),
        Shape::Outline(outline) => curve::check_outline(report, &path, outline),
        Shape::Ring(ring) => check_ring(report, &path, ring),
        Shape::Gear(gear) => check_gear(report, &path, gear),
        Shape::Polyline(line) => curve::check_polyline(report, &path, line),
        Shape::Wire(wire) => curve::check_wire(report, &path, wire),
        Shape::Point(point) => report.positive(&key("mass"), point.mass, " kg"),
        Shape::HalfPlane(plane) => check_half_plane(report, &path, plane),
    }
}

/// Checks that the triangles of a mesh exist, have area and are counter-clockwise.
fn check_mesh(report: &mut Report, path: &str, mesh: &InlineMesh) {
    let count = mesh.vertices.len();
    let mut used = vec![false; count];
    if mesh.triangles.is_empty() {
        return report.add(
            &format!("{path}.triangles"),
            "there is no triangle; add at least one",
        );
    }

    // Vertices.
    for (k, position) in mesh.vertices.iter().enumerate() {
        report.vector(&format!("{path}.vertices[{k}]"), *position);
    }
    check_doubles(report, path, &mesh.vertices);

    // Triangles, and the vertices that they use.
    for (k, triangle) in mesh.triangles.iter().enumerate() {
        let path = format!("{path}.triangles[{k}]");
        if let Some(index) = triangle.iter().find(|&&index| index >= count) {
            report.add(
                &path,
                format!("names vertex {index}, but there are only {count}, numbered from 0"),
            );
            continue;
        }
        for &index in triangle {
            used[index] = true;
        }

        let [a, b, c] = triangle.map(|index| Vec2::from(mesh.vertices[index]));
        let area = cross(b - a, c - a);
        if area < 0.0 {
            let [a, b, c] = *triangle;
            report.add(
                &path,
                format!(
                    "{triangle:?} is clockwise; list its vertices counter-clockwise: {:?}",
                    [a, c, b]
                ),
            );
        } else if area.is_nan() || area == 0.0 {
            report.add(
                &path,
                format!("{triangle:?} has no area; remove it, or move a vertex"),
            );
        }
    }

    // Vertices without a triangle.
    for (index, _) in used
        .iter()
        .enumerate()
        .filter(|(_, used)| !**used)
        .take(LISTED)
    {
        report.add(
            &format!("{path}.vertices[{index}]"),
            "belongs to no triangle; remove it or use it",
        );
    }
}

/// Checks that no two vertices are at one place: triangles that name different ones are not connected
/// there.
fn check_doubles(report: &mut Report, path: &str, vertices: &[[f64; 2]]) {
    let key = |&k: &usize| (vertices[k], k);
    let mut order: Vec<usize> = (0..vertices.len()).collect();
    order.sort_by(|a, b| {
        key(a)
            .partial_cmp(&key(b))
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    let same = order
        .windows(2)
        .filter(|pair| Vec2::from(vertices[pair[0]]) == Vec2::from(vertices[pair[1]]));
    for pair in same.take(LISTED) {
        let [x, y] = vertices[pair[1]];
        let message = format!(
            "is at ({x}, {y}) as vertices[{}] is; use one of them in all triangles there, so that they hang together",
            pair[0]
        );
        report.add(&format!("{path}.vertices[{}]", pair[1]), message);
    }
}

/// Checks that a ring has a width.
fn check_ring(report: &mut Report, path: &str, ring: &Ring) {
    let Ring {
        radius,
        inner_radius,
        segments,
    } = *ring;
    report.positive(&format!("{path}.radius"), radius, " m");
    report.positive(&format!("{path}.inner_radius"), inner_radius, " m");
    if inner_radius >= radius {
        let message =
            format!("is {inner_radius} m, but must be smaller than the radius, {radius} m");
        report.add(&format!("{path}.inner_radius"), message);
    }
    report.edges(3, &format!("{path}.segments"), segments);
}

/// Checks that the teeth of a gear have width and the bore leaves material.
fn check_gear(report: &mut Report, path: &str, gear: &Gear) {
    let sizes_are_good = report.passes(|report| {
        report.edges(3, &format!("{path}.teeth"), gear.teeth);
        report.positive(&format!("{path}.pitch_radius"), gear.pitch_radius, " m");
        report.positive(&format!("{path}.addendum"), gear.addendum, " m");
        if !(0.0..1.0).contains(&gear.backlash) {
            let message = format!(
                "is {}, but must be a share of the pitch, from 0 to less than 1",
                gear.backlash
            );
            report.add(&format!("{path}.backlash"), message);
        }
    });

    let teeth = Teeth::from(gear);
    if sizes_are_good && !teeth.are_possible() {
        let message = format!(
            "is {} m, with which teeth or the gaps between them end in points; use less, for example {} m",
            gear.addendum,
            2.0 * gear.pitch_radius / gear.teeth as f64
        );
        return report.add(&format!("{path}.addendum"), message);
    }

    let Some(bore) = gear.bore else { return };
    report.positive(&format!("{path}.bore"), bore, " m");
    // The straight bottom of a gap comes nearer to the middle than its ends.
    let limit = teeth.root_radius() * (PI / gear.teeth as f64).cos();
    if sizes_are_good && bore >= limit {
        report.add(
            &format!("{path}.bore"),
            format!("is {bore} m, but must be smaller than {limit:.6} m"),
        );
    }
}

/// Checks that a half-plane has an origin and a direction.
fn check_half_plane(report: &mut Report, path: &str, plane: &HalfPlane) {
    report.vector(&format!("{path}.origin"), plane.origin);
    let length = plane.normal[0].hypot(plane.normal[1]);
    if !(length > 0.0 && length.is_finite()) {
        let message = format!("is {:?}, but must be a direction", plane.normal);
        report.add(&format!("{path}.normal"), message);
    }
}

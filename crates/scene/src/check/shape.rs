//! Checks of shapes, whatever body has them.
//!
//! A shape is sound by itself if its numbers are positive, its mesh or curve is proper, and its
//! parts fit together: a ring has a width, the teeth of a gear do not end in points. Whether a kind
//! of body can have the shape is another question, which [`super::body`] asks; the classes here
//! are the answer for each shape.

use super::report::Report;
use super::{area, curve, quadratic};
use crate::kind::ShapeClass;
use crate::schema::{Gear, HalfPlane, InlineMesh, Ring, Shape};
use ipcsim_math::elementary::{cos, hypot, rotation};
use ipcsim_math::sort::sort_by;
use ipcsim_math::{Vec2, cross};
use ipcsim_mesh::gear::Teeth;
use std::cmp::Ordering;
use std::f64::consts::PI;

/// Largest number of vertices of a mesh that are reported for one reason. A mesh with one mistake
/// in its numbers would otherwise fill the screen.
const LISTED: usize = 20;

/// Name of a shape in scenes, which is its key below `shape`.
pub(super) fn name(shape: &Shape) -> &'static str {
    match shape {
        Shape::Square(_) => "square",
        Shape::Rectangle(_) => "rectangle",
        Shape::Disk(_) => "disk",
        Shape::RegularPolygon(_) => "regular_polygon",
        Shape::Mesh(_) => "mesh",
        Shape::Area(_) => "area",
        Shape::File(_) => "file",
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

/// Class of a shape, by which kinds of bodies accept it or not.
///
/// `None` for a half-plane, which is no shape of a body.
pub(super) fn class(shape: &Shape) -> Option<ShapeClass> {
    match shape {
        Shape::HalfPlane(_) => None,
        Shape::Circle(_) | Shape::Point(_) => Some(ShapeClass::Round),
        Shape::Polyline(_) => Some(ShapeClass::Line),
        Shape::Outline(_) | Shape::Ring(_) | Shape::Gear(_) | Shape::Wire(_) => {
            Some(ShapeClass::Outlined)
        }
        _ => Some(ShapeClass::Meshed),
    }
}

/// Checks a shape that is placed at a position (m) with a rotation (degrees): places in the shape
/// that problems name become places in the world.
pub(super) fn check_placed(
    report: &mut Report,
    path: &str,
    shape: &Shape,
    (position, rotation_deg): ([f64; 2], f64),
) {
    let before = report.problems.len();
    check(report, path, shape);

    let turn = rotation(rotation_deg.to_radians());
    for problem in &mut report.problems[before..] {
        for place in &mut problem.places {
            *place = Vec2::from(position) + turn * *place;
        }
    }
}

/// Checks a shape by itself; `path` is that of the key `shape`.
///
/// Problems are at keys inside the shape, such as `bodies[0].shape.disk.radius`. What a shape means
/// for a kind of body is not asked here.
pub(super) fn check(report: &mut Report, path: &str, shape: &Shape) {
    let path = format!("{path}.{}", name(shape));
    let segments = format!("{path}.segments");
    report.ranges(&path);

    match shape {
        // Shapes with a mesh that is made here.
        Shape::Square(square) => report.cells(&segments, [square.segments; 2]),
        Shape::Rectangle(rectangle) => report.cells(&segments, rectangle.segments),
        Shape::Disk(disk) => report.cells(&segments, [disk.segments; 2]),
        Shape::RegularPolygon(polygon) => {
            let around = polygon.segments.saturating_mul(polygon.sides);
            report.cells(&segments, [polygon.segments, around]);
        }

        // Shapes with checks of their own.
        Shape::Mesh(mesh) => check_mesh(report, &path, mesh),
        Shape::Area(own) => area::check(report, &path, own),
        Shape::File(file) => {
            let message = format!(
                "the file \"{}\" is not read; read the scene from a file, whose folder it is in",
                file.path
            );
            report.add(&path, message);
        }
        Shape::Outline(outline) => curve::check_outline(report, &path, outline),
        Shape::Ring(ring) => check_ring(report, &path, ring),
        Shape::Gear(gear) => check_gear(report, &path, gear),
        Shape::Polyline(line) => curve::check_polyline(report, &path, line),
        Shape::Wire(wire) => curve::check_wire(report, &path, wire),
        Shape::HalfPlane(plane) => check_half_plane(report, &path, plane),
        Shape::Circle(_) | Shape::Point(_) => {}
    }
}

/// Checks that the triangles of a mesh exist, have area and are counter-clockwise, and that every
/// vertex belongs to one.
///
/// A vertex without a triangle would have no mass, and Newton's method could not solve for it.
/// Triangles that overlap are not found here but as overlaps at the start.
fn check_mesh(report: &mut Report, path: &str, mesh: &InlineMesh) {
    if mesh.triangles.is_empty() {
        let message = "there is no triangle; add at least one";
        return report.add(&format!("{path}.triangles"), message);
    }

    check_doubles(report, path, &mesh.vertices);

    // Triangles, and the vertices that they use.
    let count = mesh.vertices.len();
    let mut used = vec![false; count];
    for (k, &triangle) in mesh.triangles.iter().enumerate() {
        let path = format!("{path}.triangles[{k}]");
        if let Some(index) = triangle.iter().find(|&&index| index >= count) {
            let message =
                format!("names vertex {index}, but there are only {count}, numbered from 0");
            report.add(&path, message);
            continue;
        }
        for index in triangle {
            used[index] = true;
        }
        check_triangle(report, &path, triangle, &mesh.vertices);
    }

    check_groups(report, path, mesh);
    if mesh.quadratic {
        quadratic::check_mesh(report, path, mesh);
    }

    // Vertices without a triangle.
    let unused = (0..count).filter(|&index| !used[index]);
    for index in unused.take(LISTED) {
        let message = "belongs to no triangle; remove it or use it";
        report.add(&format!("{path}.vertices[{index}]"), message);
    }
}

/// Checks that groups name vertices and triangles that exist.
///
/// A group may be empty, as that of a surface whose triangles are all in another part.
fn check_groups(report: &mut Report, path: &str, mesh: &InlineMesh) {
    let counts = [mesh.vertices.len(), mesh.triangles.len()];
    for (name, group) in &mesh.groups {
        let lists = [
            ("vertices", &group.vertices),
            ("triangles", &group.triangles),
        ];
        for ((what, list), count) in lists.into_iter().zip(counts) {
            if let Some(wrong) = list.iter().find(|&&number| number >= count) {
                let message = format!(
                    "names number {wrong}, but there are only {count} {what}, numbered from 0"
                );
                report.add(&format!("{path}.groups.{name}.{what}"), message);
            }
        }
    }
}

/// Checks that a triangle of existing vertices has area and is counter-clockwise.
///
/// Twice the signed area is `(b - a) x (c - a)`: negative for a clockwise triangle, and not a
/// number if a position is not finite.
fn check_triangle(report: &mut Report, path: &str, triangle: [usize; 3], vertices: &[[f64; 2]]) {
    let [a, b, c] = triangle.map(|index| Vec2::from(vertices[index]));
    let area = cross(b - a, c - a);

    if area < 0.0 {
        let [a, b, c] = triangle;
        let turned = [a, c, b];
        let message =
            format!("{triangle:?} is clockwise; list its vertices counter-clockwise: {turned:?}");
        report.add(path, message);
    } else if area.is_nan() || area == 0.0 {
        let message = format!("{triangle:?} has no area; remove it, or move a vertex");
        report.add(path, message);
    }
}

/// Checks that no two vertices are at one place: triangles that name different ones are not
/// connected there.
///
/// Vertices are sorted by position, so that doubles become neighbours. The one with the larger
/// number is reported.
fn check_doubles(report: &mut Report, path: &str, vertices: &[[f64; 2]]) {
    let mut order: Vec<usize> = (0..vertices.len()).collect();
    sort_by(&mut order, |&a, &b| {
        let by_place = (vertices[a], a).partial_cmp(&(vertices[b], b));
        by_place.unwrap_or(Ordering::Equal)
    });

    let neighbours = order.windows(2).map(|pair| [pair[0], pair[1]]);
    let same = neighbours.filter(|pair| {
        let [first, second] = pair.map(|k| Vec2::from(vertices[k]));
        first == second
    });
    for [first, second] in same.take(LISTED) {
        let [x, y] = vertices[second];
        let message = format!(
            "is at ({x}, {y}) as vertices[{first}] is; use one of them in all triangles there, \
             so that they hang together"
        );
        report.add(&format!("{path}.vertices[{second}]"), message);
    }
}

/// Checks that a ring has a width: `inner_radius < radius`.
fn check_ring(report: &mut Report, path: &str, ring: &Ring) {
    let Ring {
        radius,
        inner_radius,
        ..
    } = *ring;
    if inner_radius >= radius {
        let message =
            format!("is {inner_radius} m, but must be smaller than the radius, {radius} m");
        report.add(&format!("{path}.inner_radius"), message);
    }
}

/// Checks that the teeth of a gear have width and the bore leaves material.
///
/// Teeth are judged only if all numbers are in range. The bore must end below the root
/// circle of radius `r`, where the gaps have straight bottoms: their nearest point to the middle is
/// at `r cos(pi / n)` for `n` teeth.
fn check_gear(report: &mut Report, path: &str, gear: &Gear) {
    if !report.ranges(path) {
        return;
    }

    // Teeth that have a width at all radii.
    let teeth = Teeth::from(gear);
    if !teeth.are_possible() {
        let message = format!(
            "is {} m, with which teeth or the gaps between them end in points; use less, for \
             example {} m",
            gear.addendum,
            2.0 * gear.pitch_radius / gear.teeth as f64
        );
        return report.add(&format!("{path}.addendum"), message);
    }

    // A bore that leaves material. The straight bottom of a gap comes nearer to the middle than
    // its ends.
    let Some(bore) = gear.bore else { return };
    let limit = teeth.root_radius() * cos(PI / gear.teeth as f64);
    if bore >= limit {
        let message = format!("is {bore} m, but must be smaller than {limit:.6} m");
        report.add(&format!("{path}.bore"), message);
    }
}

/// Checks that a half-plane has a normal that is not zero, and whose length is a number.
fn check_half_plane(report: &mut Report, path: &str, plane: &HalfPlane) {
    let normal = match (plane.normal, plane.angle_deg) {
        (Some(normal), None) => normal,
        (None, Some(_)) => return,
        (None, None) => return report.add(path, "has no direction; give normal or angle_deg"),
        (Some(_), Some(_)) => {
            return report.add(path, "has both normal and angle_deg; remove one");
        }
    };
    let path = format!("{path}.normal");
    let length = hypot(normal[0], normal[1]);
    if report.ranges(&path) && !(length > 0.0 && length.is_finite()) {
        let message = format!("is {normal:?}, but must be a direction");
        report.add(&path, message);
    }
}

//! Meshes and outlines of a scene's shapes.
//!
//! Deformable bodies need a mesh; bodies that move as a whole need an outline only. A shape with a
//! mesh also has an outline, its boundary. Both are made about the shape's own origin and placed
//! later, so that equal shapes have equal meshes wherever they stand.

use crate::math::Vec2;
use crate::mesh::{Mesh, Outline, generate};
use crate::scene::schema::Shape;

/// Number of sectors of a disk's mesh, each with as many rows as the disk has rings.
const SECTORS: usize = 6;

/// Mesh of a shape that has triangles, about the shape's origin (m); `None` for other shapes.
pub(super) fn mesh(shape: &Shape) -> Option<Mesh> {
    Some(match shape {
        Shape::Square(square) => generate::rectangle([square.side; 2], [square.segments; 2]),
        Shape::Rectangle(rectangle) => generate::rectangle(rectangle.size, rectangle.segments),
        Shape::Disk(disk) => generate::disk(disk.radius, disk.segments.div_ceil(SECTORS)),
        Shape::RegularPolygon(polygon) => {
            generate::regular_polygon(polygon.radius, polygon.sides, polygon.segments)
        }
        Shape::Mesh(mesh) => Mesh {
            vertices: points(&mesh.vertices),
            triangles: mesh.triangles.clone(),
            extra_springs: Vec::new(),
        },
        _ => return None,
    })
}

/// Outline of a shape, about the shape's origin (m).
///
/// A circle has two vertices, its centre and one on its rim. A half-plane has none.
pub(super) fn outline(shape: &Shape) -> Outline {
    match shape {
        Shape::Outline(outline) => {
            let holes = outline.holes.iter().map(|hole| points(hole)).collect();
            Outline::polygon(points(&outline.points), holes)
        }
        Shape::Ring(ring) => Outline::ring(ring.radius, ring.inner_radius, ring.segments),
        Shape::Gear(gear) => Outline::gear(&gear.into(), gear.bore),
        Shape::Polyline(line) => Outline::polyline(points(&line.points), line.closed),
        Shape::Wire(wire) => Outline::wire(points(&wire.vertices), wire.edges.clone()),
        Shape::Point(_) => Outline::point(),
        Shape::Circle(circle) => Outline {
            vertices: vec![Vec2::zeros(), Vec2::new(circle.radius, 0.0)],
            ..Outline::default()
        },
        _ => mesh(shape).map_or_else(Outline::default, |mesh| Outline::of_mesh(&mesh)),
    }
}

/// Points of a list in the scene (m).
fn points(list: &[[f64; 2]]) -> Vec<Vec2> {
    list.iter().map(|&point| point.into()).collect()
}

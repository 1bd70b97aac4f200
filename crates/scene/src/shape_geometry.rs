//! Meshes and outlines of a scene's shapes.
//!
//! Deformable bodies need a mesh; bodies that move as a whole need an outline only. A shape with a
//! mesh also has an outline, its boundary. Both are made about the shape's own origin and placed
//! later, so that equal shapes have equal meshes wherever they stand.

use crate::area::{Curves, Purpose};
use crate::kind::Freedom;
use crate::schema::{Body, InlineMesh, Selection, Shape};
use ipcsim_math::Vec2;
use ipcsim_mesh::{Mesh, Outline, boundary, generate};
use std::collections::BTreeMap;

/// Number of sectors of a disk's mesh, each with as many rows as the disk has rings.
const SECTORS: usize = 6;

/// Mesh of a shape that has triangles, about the shape's origin (m); `None` for other shapes.
pub(crate) fn mesh(shape: &Shape) -> Option<Mesh> {
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
            ..Mesh::default()
        },
        _ => return None,
    })
}

/// Selections of a body that name vertices: its own, and the names in its shape.
///
/// The checks refuse a name that is both.
pub(crate) fn selections(body: &Body) -> BTreeMap<String, Selection> {
    let is_whole = body.kind.rules().freedom() == Freedom::Whole;
    let mut named = names_in(&body.shape, is_whole);
    named.extend(body.selections.clone());
    named
}

/// Vertices of the names in a shape, of its outline alone if it is of a body that moves as a whole.
pub(crate) fn names_in(shape: &Shape, is_whole: bool) -> BTreeMap<String, Selection> {
    let groups: BTreeMap<String, Vec<usize>> = match shape {
        Shape::Area(area) => {
            let domain = Curves::of(area, Purpose::Edges).domain();
            // The checks have refused curves that make no domain.
            domain.map_or_else(|_| BTreeMap::new(), |domain| domain.outline().1)
        }
        Shape::Mesh(own) => {
            // A body that moves as a whole has the vertices of its outline only.
            let numbers = if is_whole {
                outline_numbers(own)
            } else {
                (0..own.vertices.len()).map(Some).collect()
            };
            let names = own.groups.keys();
            let groups = names.map(|name| {
                let vertices = own.vertices_of(name).into_iter();
                (name.clone(), vertices.filter_map(|i| numbers[i]).collect())
            });
            groups.collect()
        }
        _ => BTreeMap::new(),
    };

    let groups = groups.into_iter();
    groups
        .map(|(name, vertices)| (name, Selection::Indices(vertices)))
        .collect()
}

/// Number in the outline of a mesh of each of its vertices, if it is there, `[vertices]`.
fn outline_numbers(mesh: &InlineMesh) -> Vec<Option<usize>> {
    let mut numbers = vec![None; mesh.vertices.len()];
    for edge in boundary::edges(&mesh.triangles) {
        for i in edge {
            numbers[i] = Some(0);
        }
    }
    for (count, number) in numbers.iter_mut().flatten().enumerate() {
        *number = count;
    }
    numbers
}

/// Outline of a shape, about the shape's origin (m).
///
/// A circle has two vertices, its centre and one on its rim. A half-plane has none.
pub(crate) fn outline(shape: &Shape) -> Outline {
    match shape {
        Shape::Area(area) => {
            let domain = Curves::of(area, Purpose::Edges).domain();
            domain.map_or_else(|_| Outline::default(), |domain| domain.outline().0)
        }
        Shape::Outline(outline) => {
            let holes = outline.holes.iter().map(|hole| points(hole)).collect();
            Outline::polygon(points(&outline.points), holes)
        }
        Shape::Ring(ring) => Outline::ring(ring.radius, ring.inner_radius, ring.segments),
        Shape::Gear(gear) => Outline::gear(&gear.into(), gear.bore),
        Shape::Polyline(line) => {
            let divided = Outline::divided(&points(&line.points), line.closed, line.segments);
            Outline::polyline(divided, line.closed)
        }
        Shape::Wire(wire) => Outline::wire(points(&wire.vertices), wire.pairs().into_owned()),
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

//! Quadratic elements: meshes with six-node triangles, and loads on their curved sides.
//!
//! A scene says `"elements": "quadratic"` of a body of any meshed shape. Before anything is built its
//! shape becomes a mesh with a vertex on each side of each triangle, and the groups of the shape get
//! the new vertices that are theirs. Whatever selects vertices then finds a mesh as any other. The
//! mesh is stored with the run, which is resumed from it.

use super::builder::Builder;
use crate::rounds::{Round, rounds};
use crate::schema::{Area, Elements, Group, InlineMesh, Shape};
use crate::shape_geometry::mesh;
use ipcsim_core::body::PressedEdge;
use ipcsim_math::geometry::bernstein::determinant;
use ipcsim_math::{Vec2, cross, perp};
use ipcsim_mesh::{Curved, Mesh, boundary};
use std::collections::{BTreeMap, BTreeSet};

/// Shares that the three edges of a quadratic side have in the pressure on it: both between its
/// nodes, and the chord between its ends.
///
/// The area beside a parabola with the nodes `a`, `m`, `b` is
/// `2/3 a x m + 2/3 m x b - 1/6 a x b`, that beside an edge `1/2 a x b`.
const OF_HALF: f64 = 4.0 / 3.0;
/// Share of the chord, see [`OF_HALF`].
const OF_CHORD: f64 = -1.0 / 3.0;

/// Where half of a curved side is: its nodes in order along the boundary, and the parameter at which
/// the half begins, 0 or 1/2.
#[derive(Clone, Copy, Debug)]
pub(super) struct HalfSide {
    /// Start, middle and end of the side.
    pub(super) side: [usize; 3],
    /// Parameter at its beginning (1).
    begins: f64,
}

/// A point of a curved side: `x = sum_k N_k(t) x_k` with `N = (1 - t)(1 - 2 t), 4 t (1 - t), t (2 t - 1)`
/// for start, middle and end.
pub(super) struct OnSide {
    /// Its nodes with the values of their shape functions.
    pub(super) shares: [(usize, f64); 3],
    /// Place for the given positions of nodes (m).
    pub(super) place: Vec2,
    /// Derivative of the place by the parameter (m).
    pub(super) along: Vec2,
}

impl HalfSide {
    /// The point at a share of the way along this half, where vertices are at `x` (m).
    pub(super) fn at(&self, share: f64, x: impl Fn(usize) -> Vec2) -> OnSide {
        let t = self.begins + 0.5 * share;
        let values = [
            (1.0 - t) * (1.0 - 2.0 * t),
            4.0 * t * (1.0 - t),
            t * (2.0 * t - 1.0),
        ];
        let slopes = [4.0 * t - 3.0, 4.0 - 8.0 * t, 4.0 * t - 1.0];

        let sum = |weights: [f64; 3]| -> Vec2 {
            let nodes = self.side.iter().zip(weights);
            nodes.map(|(&i, weight)| x(i) * weight).sum()
        };
        let [a, m, b] = self.side;
        OnSide {
            shares: [(a, values[0]), (m, values[1]), (b, values[2])],
            place: sum(values),
            along: sum(slopes),
        }
    }

    /// Direction towards the inside at a share of the way, where vertices are at `x` (m).
    pub(super) fn normal(&self, share: f64, x: &[Vec2]) -> Vec2 {
        perp(self.at(share, |i| x[i]).along).normalize()
    }
}

impl Builder {
    /// Halves of the curved sides of a body, by their edges; empty for a body of other elements.
    pub(super) fn half_sides(&self, body: usize) -> BTreeMap<[usize; 2], HalfSide> {
        let own = &self.bodies[body].vertices;
        let curved = self.elements.elastic.curved.iter();
        let sides = curved
            .filter(|curved| own.contains(&curved.nodes[0]))
            .flat_map(Curved::sides);

        let mut halves = BTreeMap::new();
        for side in sides {
            let [a, m, b] = side;
            halves.insert([a, m], HalfSide { side, begins: 0.0 });
            halves.insert([m, b], HalfSide { side, begins: 0.5 });
        }
        halves
    }

    /// Edges under pressure, with the inside on the left. A quadratic side with both halves selected has
    /// three edges, whose forces add up to those of a pressure on the parabola.
    ///
    /// The energy of a pressure on an edge is linear in the area beside it, and the area beside a
    /// parabola is a sum of those beside the three edges between its nodes. So the load stays one that
    /// follows the body and has a potential. A side with one half selected is pressed as a straight edge.
    pub(super) fn pressed_edges(
        &self,
        body: usize,
        edges: &[[usize; 2]],
        x: &[Vec2],
    ) -> Vec<PressedEdge> {
        let halves = self.half_sides(body);
        let selected: BTreeSet<[usize; 2]> = edges.iter().copied().collect();
        let mut pressed = Vec::with_capacity(edges.len());
        for &[a, b] in edges {
            let whole = halves.get(&[a, b]).filter(|half| {
                let [start, middle, end] = half.side;
                selected.contains(&[start, middle]) && selected.contains(&[middle, end])
            });
            let Some(half) = whole else {
                pressed.push(PressedEdge {
                    ends: [a, b],
                    middle: (x[a] + x[b]) * 0.5,
                    share: 1.0,
                });
                continue;
            };

            let [start, middle, end] = half.side;
            let place = x[middle];
            let edge = |ends, share| PressedEdge {
                ends,
                middle: place,
                share,
            };
            pressed.push(edge([a, b], OF_HALF));
            // Both halves share the chord, which counts once.
            if a == start {
                pressed.push(edge([start, end], OF_CHORD));
            }
        }
        pressed
    }

    /// Sides of a body of revolution under a pressure on `edges`: two or three vertices in order, and the
    /// place where the pressure is taken (m).
    pub(super) fn pressed_rings(
        &self,
        body: usize,
        edges: &[[usize; 2]],
        x: &[Vec2],
    ) -> Vec<(Vec<usize>, Vec2)> {
        let halves = self.half_sides(body);
        let selected: BTreeSet<[usize; 2]> = edges.iter().copied().collect();
        let mut rings = Vec::with_capacity(edges.len());
        for &[a, b] in edges {
            let whole = halves.get(&[a, b]).filter(|half| {
                let [start, middle, end] = half.side;
                selected.contains(&[start, middle]) && selected.contains(&[middle, end])
            });
            match whole {
                // Both halves are one side.
                Some(half) if half.side[0] == a => {
                    rings.push((half.side.to_vec(), x[half.side[1]]));
                }
                Some(_) => {}
                None => rings.push((vec![a, b], (x[a] + x[b]) * 0.5)),
            }
        }
        rings
    }
}

/// The shape of a body with quadratic elements as a mesh of six-node triangles; `None` for a shape
/// without triangles.
///
/// `area` is what the mesh was made of, if it was: middles of sides on its circles and arcs are put onto them
/// unless `J` would lose its sign.
pub(super) fn with_six_nodes(shape: &Shape, area: Option<&Area>) -> Option<Shape> {
    let plain = mesh(shape)?;
    if let Shape::Mesh(own) = shape
        && own.quadratic
    {
        return Some(shape.clone());
    }

    let (mut mesh, sides) = plain.with_middles();
    let groups = match shape {
        Shape::Mesh(own) => groups(own, &plain, &sides),
        _ => BTreeMap::new(),
    };
    for round in area.into_iter().flat_map(rounds) {
        bend(&mut mesh, &round);
    }
    Some(Shape::Mesh(InlineMesh {
        vertices: mesh.vertices.iter().map(|x| [x.x, x.y]).collect(),
        triangles: mesh.triangles,
        quadratic: true,
        groups,
    }))
}

/// Elements that a mesh has in a body: those of six nodes are quadratic only if the body asks for it.
pub(super) fn of_body(mut mesh: Mesh, shape: &Shape, elements: Elements) -> Mesh {
    let has_six = matches!(shape, Shape::Mesh(own) if own.quadratic);
    mesh.is_quadratic = has_six && elements == Elements::Quadratic;
    mesh
}

/// Groups of a mesh whose sides got vertices in their middles, which follow the others in the order of
/// `sides`.
///
/// A group of triangles has their facets. A group of vertices gets the middle of a side if it has both
/// ends, unless the side crosses the mesh from boundary to boundary: a line that is named along an
/// outline does not have what is beside it.
fn groups(own: &InlineMesh, plain: &Mesh, sides: &[[usize; 2]]) -> BTreeMap<String, Group> {
    let outer: BTreeSet<[usize; 2]> = boundary::edges(&plain.triangles)
        .iter()
        .map(|&[a, b]| [a.min(b), a.max(b)])
        .collect();
    let on_boundary: BTreeSet<usize> = outer.iter().flatten().copied().collect();
    let crosses =
        |side: &[usize; 2]| !outer.contains(side) && side.iter().all(|i| on_boundary.contains(i));

    let mut made = BTreeMap::new();
    for (name, group) in &own.groups {
        let members: BTreeSet<usize> = group.vertices.iter().copied().collect();
        let middles = sides
            .iter()
            .enumerate()
            .filter(|(_, side)| side.iter().all(|end| members.contains(end)) && !crosses(side));
        let numbers = middles.map(|(k, _)| plain.vertices.len() + k);
        let facets = group.triangles.iter().flat_map(|&k| 4 * k..4 * k + 4);
        let group = Group {
            vertices: members.iter().copied().chain(numbers).collect(),
            triangles: facets.collect(),
        };
        made.insert(name.clone(), group);
    }
    made
}

/// Puts the middles of sides on the boundary that are chords of a circle or an arc onto it, except
/// where a triangle would lose the sign of `J`.
///
/// A middle moves along the ray from the centre. The boundary is then away from the circle by the
/// fourth power of the length of a side, and no longer by the second.
fn bend(mesh: &mut Mesh, round: &Round) {
    let outer: BTreeSet<[usize; 3]> = mesh.curved_sides().into_iter().collect();
    for curved in mesh.curved().collect::<Vec<_>>() {
        for [a, middle, b] in curved
            .sides()
            .into_iter()
            .filter(|side| outer.contains(side))
        {
            if !round.has_chord([mesh.vertices[a], mesh.vertices[b]]) {
                continue;
            }

            // The place is kept in case `J` loses its sign.
            let straight = mesh.vertices[middle];
            mesh.vertices[middle] = round.nearest(straight);
            let c = determinant(&curved.at(&mesh.vertices));
            let facets = curved.facets().map(|facet| facet.map(|i| mesh.vertices[i]));
            let is_flat = |[a, b, c]: [Vec2; 3]| cross(b - a, c - a) <= 0.0;
            if c.iter().any(|&c| c <= 0.0) || facets.into_iter().any(is_flat) {
                mesh.vertices[middle] = straight;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Curve, Disk, Rectangle};
    use ipcsim_mesh::generate;

    /// The mesh of a shape with six-node triangles.
    fn six(shape: impl Into<Shape>, area: Option<&Area>) -> InlineMesh {
        match with_six_nodes(&shape.into(), area) {
            Some(Shape::Mesh(mesh)) => mesh,
            _ => panic!("no mesh"),
        }
    }

    #[test]
    fn groups_get_the_middles_on_their_lines_and_the_facets_of_their_triangles() {
        // A square of one cell with the diagonal from 0 to 3, where vertices run along y first.
        let plain = generate::rectangle([1.0, 1.0], [1, 1]);
        let mut own = InlineMesh::new(
            plain.vertices.iter().map(|x| [x.x, x.y]).collect(),
            plain.triangles.clone(),
        );
        let group = |vertices: &[usize], triangles: &[usize]| Group {
            vertices: vertices.to_vec(),
            triangles: triangles.to_vec(),
        };
        own.groups.insert("left".to_owned(), group(&[0, 1], &[]));
        own.groups
            .insert("rim".to_owned(), group(&[0, 1, 2, 3], &[]));
        own.groups.insert("part".to_owned(), group(&[], &[1]));
        let mesh = six(own, None);
        assert!(mesh.quadratic && mesh.vertices.len() == 9 && mesh.triangles.len() == 8);

        let left = mesh.vertices_of("left");
        assert_eq!(left.len(), 3);
        assert_eq!(mesh.vertices[left[2]], [-0.5, 0.0]);

        // The diagonal joins two corners of the rim, and is not on it.
        let rim = mesh.vertices_of("rim");
        assert_eq!(rim.len(), 8);
        assert!(rim.iter().all(|&i| mesh.vertices[i] != [0.0, 0.0]));
        assert_eq!(mesh.groups["part"].triangles, [4, 5, 6, 7]);
        assert_eq!(mesh.vertices_of("part").len(), 6);
    }

    #[test]
    fn middles_of_sides_on_a_circle_are_on_it_and_a_mesh_of_six_nodes_stays() {
        let area = Area::new(Curve::circle([0.0, 0.0], 1.0));
        let mesh = six(Disk::new(1.0, 12), Some(&area));
        let plain = six(Disk::new(1.0, 12), None);
        let on_circle = |mesh: &InlineMesh| {
            let all = mesh.vertices.iter();
            all.filter(|x| (x[0].hypot(x[1]) - 1.0).abs() < 1e-12)
                .count()
        };

        // Twelve corners, and with the area as many middles of sides.
        assert_eq!([on_circle(&mesh), on_circle(&plain)], [24, 12]);
        assert_eq!(six(mesh.clone(), None), mesh);
        // No side of the rectangle is on the circle.
        let straight = six(Rectangle::new([1.0, 1.0], [2, 2]), Some(&area));
        assert_eq!(straight, six(Rectangle::new([1.0, 1.0], [2, 2]), None));
    }

    #[test]
    fn a_uniform_traction_has_the_weights_of_simpson() {
        let x = [[0.0, 0.0], [1.0, 0.5], [2.0, 1.0]].map(Vec2::from);
        let mut weights = [0.0; 3];
        for begins in [0.0, 0.5] {
            let half = HalfSide {
                side: [0, 1, 2],
                begins,
            };
            // The two points of Gauss's rule on a half.
            for share in [0.5 - 3.0_f64.sqrt() / 6.0, 0.5 + 3.0_f64.sqrt() / 6.0] {
                let point = half.at(share, |i| x[i]);
                let length = 0.25 * point.along.norm();
                for (node, value) in point.shares {
                    weights[node] += length * value;
                }
                assert!((half.normal(share, &x) - Vec2::new(-1.0, 2.0).normalize()).norm() < 1e-15);
            }
        }

        let whole = 5.0_f64.sqrt();
        for (weight, expected) in weights.iter().zip([1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0]) {
            assert!((weight / whole - expected).abs() < 1e-15);
        }
    }
}

//! Outlines: vertices and edges of bodies without triangles.
//!
//! Rigid and affine bodies and obstacles have an outline in place of a mesh. An outline is either
//! filled, so closed curves enclose mass, or a wire, whose mass is along its edges. Contact
//! sees the same edges in both cases.
//!
//! A filled outline has its inside on the left of every edge. [`Outline::polygon`] turns edges so
//! that this holds for curves in any direction.

use super::{Mesh, boundary};
use ipcsim_math::elementary::{cos, sin};
use ipcsim_math::geometry::predicates::inside;
use ipcsim_math::{Vec2, cross};
use std::f64::consts::TAU;

/// Vertices and edges of a body without triangles, at rest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outline {
    /// Positions of the vertices at rest (m), `[vertices]`.
    pub vertices: Vec<Vec2>,
    /// Edges, as pairs of vertices, `[edges]`.
    pub edges: Vec<[usize; 2]>,
    /// True if the edges are closed curves around an area, with the inside on their left: outer
    /// curves run counter-clockwise, holes clockwise.
    pub filled: bool,
}

impl Outline {
    /// The boundary of a mesh, filled. Vertices keep their order, and those inside are left out.
    pub fn of_mesh(mesh: &Mesh) -> Self {
        let edges = boundary::edges(&mesh.triangles);
        let mut kept: Vec<usize> = edges.iter().flatten().copied().collect();
        kept.sort_unstable();
        kept.dedup();

        // Number of each vertex that is kept.
        let mut number = vec![0; mesh.vertices.len()];
        for (new, &old) in kept.iter().enumerate() {
            number[old] = new;
        }

        Self {
            vertices: kept.iter().map(|&old| mesh.vertices[old]).collect(),
            edges: edges
                .iter()
                .map(|edge| edge.map(|old| number[old]))
                .collect(),
            filled: true,
        }
    }

    /// The area inside the closed curve through `points` (m) and outside the curves `holes`. An
    /// island in a hole is one more of the `holes`.
    ///
    /// Vertices keep their order, curve by curve. Edges are turned so that the inside is on their
    /// left, whatever the direction of the curves: a curve inside an odd number of others bounds a
    /// hole. Curves must not cross.
    pub fn polygon(points: Vec<Vec2>, holes: Vec<Vec<Vec2>>) -> Self {
        let mut curves = holes;
        curves.insert(0, points);

        let mut outline = Self {
            filled: true,
            ..Self::default()
        };
        // Outer curves run counter-clockwise, holes clockwise.
        for (k, curve) in curves.iter().enumerate() {
            let is_hole = depth(&curves, k) % 2 == 1;
            let runs_clockwise = twice_area(curve) < 0.0;
            let first = outline.vertices.len();
            for [a, b] in sides(curve) {
                let edge = if is_hole == runs_clockwise {
                    [a, b]
                } else {
                    [b, a]
                };
                outline.edges.push(edge.map(|i| first + i));
            }

            outline.vertices.extend(curve);
        }
        outline
    }

    /// A ring between two regular polygons of `segments` corners at the distances `radius` and
    /// `inner_radius` (m) from the centre. The first corner of each is on the x axis. Vertices of
    /// the outer polygon come first.
    pub fn ring(radius: f64, inner_radius: f64, segments: usize) -> Self {
        let hole = circle(inner_radius, segments);
        Self::polygon(circle(radius, segments), vec![hole])
    }

    /// Edges from each point (m) to the next, and from the last to the first if `closed`. They
    /// enclose nothing.
    pub fn polyline(points: Vec<Vec2>, closed: bool) -> Self {
        let count = if closed {
            points.len()
        } else {
            points.len().saturating_sub(1)
        };
        let edges = sides(&points).take(count).collect();
        Self::wire(points, edges)
    }

    /// Points (m) with `segments - 1` more, equally far apart, on the segment from each to the
    /// next, and from the last to the first if `closed`.
    pub fn divided(points: &[Vec2], closed: bool, segments: usize) -> Vec<Vec2> {
        let mut all = Vec::new();
        for [a, b] in sides(points) {
            // No segment leads on from the last point of an open line.
            let is_last = b == 0;
            let count = if is_last && !closed { 1 } else { segments };
            let way = points[b] - points[a];
            all.extend((0..count).map(|k| points[a] + way * (k as f64 / segments as f64)));
        }
        all
    }

    /// Any vertices (m) and edges. They enclose nothing.
    pub fn wire(vertices: Vec<Vec2>, edges: Vec<[usize; 2]>) -> Self {
        Self {
            vertices,
            edges,
            filled: false,
        }
    }

    /// A single vertex at the origin, without an edge.
    pub fn point() -> Self {
        Self {
            vertices: vec![Vec2::zeros()],
            ..Self::default()
        }
    }

    /// Area inside of a filled outline (m^2), holes left out: `1/2 sum a x b` over the edges from `a` to
    /// `b`.
    pub fn area(&self) -> f64 {
        // From a vertex, so that no digits are lost far from the origin.
        let origin = self.vertices.first().copied().unwrap_or_default();
        let doubled = self.edges.iter().map(|&[a, b]| {
            let [a, b] = [a, b].map(|i| self.vertices[i] - origin);
            cross(a, b)
        });
        0.5 * doubled.sum::<f64>()
    }

    /// Vertices without an edge, ascending.
    pub fn isolated_vertices(&self) -> Vec<usize> {
        let mut isolated = vec![true; self.vertices.len()];
        for &end in self.edges.iter().flatten() {
            isolated[end] = false;
        }
        (0..isolated.len())
            .filter(|&vertex| isolated[vertex])
            .collect()
    }
}

/// Number of curves that contain curve `k`, judged by its first point. Curves do not cross.
fn depth(curves: &[Vec<Vec2>], k: usize) -> usize {
    let Some(&point) = curves[k].first() else {
        return 0;
    };

    let mut depth = 0;
    for (other, outer) in curves.iter().enumerate() {
        if other != k && inside(point, sides(outer).map(|[a, b]| (outer[a], outer[b]))) {
            depth += 1;
        }
    }
    depth
}

/// Corners of a regular polygon (m), counter-clockwise, the first on the x axis.
pub(super) fn circle(radius: f64, segments: usize) -> Vec<Vec2> {
    let corners = (0..segments).map(|k| {
        let angle = TAU * k as f64 / segments as f64;
        Vec2::new(cos(angle), sin(angle)) * radius
    });
    corners.collect()
}

/// Sides of the closed curve through `points`, as pairs of indices.
fn sides(points: &[Vec2]) -> impl Iterator<Item = [usize; 2]> {
    let count = points.len();
    (0..count).map(move |k| [k, (k + 1) % count])
}

/// Twice the area that the closed curve through `points` encloses (m^2), negative if it runs
/// clockwise. It is measured from the first point, so that no digits are lost far from the origin.
fn twice_area(points: &[Vec2]) -> f64 {
    sides(points)
        .map(|[a, b]| cross(points[a] - points[0], points[b] - points[0]))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;

    /// Corners of a square with sides `2 half` (m), counter-clockwise.
    fn square(half: f64) -> Vec<Vec2> {
        [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
            .map(|(x, y)| Vec2::new(x, y) * half)
            .to_vec()
    }

    /// Points in the opposite order.
    fn reversed(mut points: Vec<Vec2>) -> Vec<Vec2> {
        points.reverse();
        points
    }

    /// Area (m^2), signed by the directions of the edges.
    fn area(outline: &Outline) -> f64 {
        outline
            .edges
            .iter()
            .map(|&[a, b]| 0.5 * cross(outline.vertices[a], outline.vertices[b]))
            .sum()
    }

    /// True if the edges form closed curves that run in one direction.
    fn every_vertex_has_one_edge_in_and_one_out(outline: &Outline) -> bool {
        (0..2).all(|end| {
            let mut ends: Vec<usize> = outline.edges.iter().map(|edge| edge[end]).collect();
            ends.sort_unstable();
            ends == (0..outline.vertices.len()).collect::<Vec<_>>()
        })
    }

    /// Points moved far away from the origin.
    fn far(points: &[Vec2]) -> Vec<Vec2> {
        points.iter().map(|p| p + Vec2::new(1e6, -1e6)).collect()
    }

    #[test]
    fn curves_are_turned_so_that_the_inside_is_on_their_left() {
        for turn in [|p: Vec<Vec2>| p, reversed] {
            for turn_hole in [|p: Vec<Vec2>| p, reversed] {
                let island = turn(square(0.25));
                let outline =
                    Outline::polygon(turn(square(2.0)), vec![turn_hole(square(1.0)), island]);
                assert!((area(&outline) - (16.0 - 4.0 + 0.25)).abs() < 1e-14);
                assert!(every_vertex_has_one_edge_in_and_one_out(&outline) && outline.filled);

                // Far from the origin the directions are the same.
                let outer = far(&turn(square(2.0)));
                let hole = far(&turn_hole(square(1.0)));
                let moved = Outline::polygon(outer, vec![hole]);
                assert_eq!(moved.edges, outline.edges[..8]);
            }
        }

        // Vertices keep their order, while edges turn.
        let kept = Outline::polygon(reversed(square(1.0)), vec![]);
        assert_eq!(kept.vertices, reversed(square(1.0)));
        assert_eq!(kept.edges, [[1, 0], [2, 1], [3, 2], [0, 3]]);
    }

    #[test]
    fn the_boundary_of_a_mesh_is_renumbered_in_its_order() {
        let mesh = generate::rectangle([3.0, 2.0], [3, 2]);
        let outline = Outline::of_mesh(&mesh);
        let mut on_boundary = mesh.vertices.clone();
        on_boundary.retain(|p| (p.x.abs() - 1.5).abs() < 1e-12 || (p.y.abs() - 1.0).abs() < 1e-12);
        assert_eq!(outline.vertices, on_boundary);
        assert_eq!(outline.vertices.len(), 10);
        assert!(
            (area(&outline) - 6.0).abs() < 1e-14
                && every_vertex_has_one_edge_in_and_one_out(&outline)
        );
    }

    #[test]
    fn a_ring_has_the_area_of_its_polygons() {
        for segments in [3, 4, 17, 100] {
            let ring = Outline::ring(2.0, 1.5, segments);
            let n = segments as f64;
            assert!((area(&ring) - 0.5 * n * (TAU / n).sin() * (4.0 - 2.25)).abs() < 1e-13);
            assert!(every_vertex_has_one_edge_in_and_one_out(&ring));
            assert_eq!(
                (ring.vertices[0], ring.vertices[segments]),
                (Vec2::new(2.0, 0.0), Vec2::new(1.5, 0.0))
            );
        }
    }

    #[test]
    fn lines_enclose_nothing_and_vertices_without_an_edge_are_points() {
        let open = Outline::polyline(square(1.0), false);
        assert_eq!(
            (open.edges.as_slice(), open.filled),
            (&[[0, 1], [1, 2], [2, 3]][..], false)
        );

        let closed = Outline::polyline(square(1.0), true);
        assert_eq!(
            (closed.edges[3], closed.edges.len(), closed.filled),
            ([3, 0], 4, false)
        );

        assert_eq!(
            Outline::wire(square(1.0), vec![[3, 1]]).isolated_vertices(),
            [0, 2]
        );
        assert_eq!(Outline::point().isolated_vertices(), [0]);
        assert_eq!(Outline::polyline(vec![], false), Outline::default());
    }
}

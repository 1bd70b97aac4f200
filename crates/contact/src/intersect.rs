//! Intersections that no state may have: crossing edges, bodies inside each other, vertices behind
//! half-planes.
//!
//! Initial states are checked here before a run, and stored states after it. Apart from circles the
//! tests are exact predicates. They know nothing of barriers and distances, so they also check
//! the contact code.
//!
//! Crossing edges are found first. Without a crossing, each connected outline lies inside another
//! one as a whole or not at all, so a single vertex of it decides.

use super::broad::BroadPhase;
use super::filter::Filter;
use super::half_plane::HalfPlane;
use super::rod_neighbours::RodNeighbours;
use ipcsim_math::geometry::Aabb;
use ipcsim_math::geometry::distance::point_edge;
use ipcsim_math::geometry::predicates::{inside, segments_touch, winding};
use ipcsim_math::{Vec2, cross};
use std::collections::BTreeMap;

/// Outlines of all bodies of a scene, by the numbers of their vertices.
#[derive(Clone, Copy, Debug)]
pub struct Outlines<'a> {
    /// Edges, as pairs of vertices; `[v, v]` for an isolated vertex.
    pub edges: &'a [[usize; 2]],
    /// Half-planes that nothing may be behind.
    pub planes: &'a [HalfPlane],
    /// Body of each vertex, `[vertices]`.
    pub body: &'a [usize],
    /// Radius of the circle around each vertex, or of its rod (m), `[vertices]`.
    pub radius: &'a [f64],
    /// Rods with a radius, whose neighbouring parts have none to each other.
    pub strands: &'a RodNeighbours,
    /// True for each body whose edges enclose an area, `[bodies]`.
    pub filled: &'a [bool],
    /// Bodies that do not collide with each other.
    pub filter: &'a Filter,
    /// Number of the first vertex that is an image of a body's vertex in a scene that repeats;
    /// `usize::MAX` in others.
    pub first_image: usize,
}

/// Two parts of outlines that overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intersection {
    /// Two edges share a point.
    Edges([usize; 2], [usize; 2]),
    /// A vertex is inside a body, which may be its own: then pieces of that overlap.
    Inside {
        /// Index of the vertex.
        vertex: usize,
        /// Index of the body.
        body: usize,
    },
    /// A vertex is on or behind a half-plane.
    Plane {
        /// Index of the vertex.
        vertex: usize,
        /// Index of the half-plane.
        plane: usize,
    },
}

impl Outlines<'_> {
    /// All intersections at `x` (m, `[vertices]`), decided exactly where nothing has a radius:
    /// crossing edges, then vertices inside bodies, pieces of a body inside each other, and
    /// vertices behind half-planes.
    pub fn intersections(&self, x: &[Vec2]) -> Vec<Intersection> {
        let mut found = self.crossings(x);
        found.extend(self.contained(x));
        found.extend(self.contained_in_own(x));
        found.extend(self.behind_planes(x));
        found
    }

    /// Edges that share a point but no vertex, in the order of the broad phase.
    fn crossings(&self, x: &[Vec2]) -> Vec<Intersection> {
        let boxes: Vec<Aabb> = self
            .edges
            .iter()
            .map(|&[a, b]| Aabb::around([x[a], x[b]]).grown(self.radius[a]))
            .collect();

        let mut found = Vec::new();
        for (i, j) in BroadPhase::default().self_pairs(&boxes) {
            let one = self.edges[i as usize];
            let other = self.edges[j as usize];
            let share_a_vertex = one.contains(&other[0]) || one.contains(&other[1]);
            if !share_a_vertex && self.meet(one[0], other[0]) && self.touch(one, other, x) {
                found.push(Intersection::Edges(one, other));
            }
        }
        found
    }

    /// True if vertices `a` and `b` belong to bodies that collide, or one to a body and the other to an image
    /// with which it collides, as with its own.
    pub(super) fn meet(&self, a: usize, b: usize) -> bool {
        let [one, other] = [self.body[a], self.body[b]];
        let is_image = |vertex: usize| vertex >= self.first_image;
        self.filter
            .meet_or_across(one, other, || is_image(a) != is_image(b))
    }

    /// Distance at which a vertex and an edge touch (m): the sum of their radii, but 0 for neighbours
    /// along a rod.
    pub fn separation(&self, point: usize, edge: [usize; 2]) -> f64 {
        let body = self.body[point];
        let is_own = body == self.body[edge[0]];
        if is_own && self.strands.are_neighbours(body, point, edge) {
            0.0
        } else {
            self.radius[point] + self.radius[edge[0]]
        }
    }

    /// True if two edges share a point, exactly; for circles and rods also if the computed distance is
    /// at most the sum of their radii. A circle is an edge of length zero with a radius.
    ///
    /// Two edges that do not cross are nearest to each other at an end of one of them.
    fn touch(&self, a: [usize; 2], b: [usize; 2], x: &[Vec2]) -> bool {
        if segments_touch(x[a[0]], x[a[1]], x[b[0]], x[b[1]]) {
            return true;
        }
        if self.radius[a[0]] + self.radius[b[0]] <= 0.0 {
            return false;
        }
        let is_near = |point: usize, edge: [usize; 2]| {
            let separation = self.separation(point, edge);
            let distance = point_edge(x[point], x[edge[0]], x[edge[1]]).distance;
            separation > 0.0 && distance <= separation
        };
        a.iter().any(|&point| is_near(point, b)) || b.iter().any(|&point| is_near(point, a))
    }

    /// Vertices inside bodies: one vertex of each connected outline, against the outlines of all
    /// other bodies. Where no edges cross, an outline is inside as a whole or not at all.
    ///
    /// A box around each body excludes most of the others before the exact test.
    fn contained(&self, x: &[Vec2]) -> Vec<Intersection> {
        // Edges of each body that encloses an area, and a box around them.
        let mut outlines: Vec<Vec<[usize; 2]>> = vec![Vec::new(); self.filled.len()];
        for &edge in self.edges {
            let body = self.body[edge[0]];
            if self.filled[body] {
                outlines[body].push(edge);
            }
        }

        let bounds: Vec<Aabb> = outlines
            .iter()
            .map(|outline| Aabb::around(outline.iter().map(|edge| x[edge[0]])))
            .collect();

        // Vertices in boxes of other bodies, in the order of vertices and then of bodies.
        let vertices = self.one_vertex_per_component();
        let places: Vec<Aabb> = vertices.iter().map(|&i| Aabb::around([x[i]])).collect();
        let near = BroadPhase::default().pairs_where(&places, &bounds, |place, body| {
            let own = self.body[vertices[place as usize]];
            body as usize != own && self.filter.meet_across(body as usize, own)
        });

        let mut found = Vec::new();
        for (place, body) in near {
            let vertex = vertices[place as usize];
            let body = body as usize;
            let met = outlines[body]
                .iter()
                .filter(|edge| self.meet(vertex, edge[0]));
            if inside(x[vertex], met.map(|&[a, b]| (x[a], x[b]))) {
                found.push(Intersection::Inside { vertex, body });
            }
        }
        found
    }

    /// Curves of a body that are where another piece of the same body is: a vertex of each.
    ///
    /// A body that falls into pieces, or has holes, has several closed curves with its inside on
    /// their left. Where none of them cross, no two pieces overlap if and only if the other curves
    /// go around an outer one not at all, and around the rim of a hole once.
    fn contained_in_own(&self, x: &[Vec2]) -> Vec<Intersection> {
        let mut curves: Vec<Vec<Curve>> = Vec::new();
        for curve in self.curves(x) {
            let body = self.body[curve.first];
            if self.filled[body] {
                curves.resize_with(curves.len().max(body + 1), Vec::new);
                curves[body].push(curve);
            }
        }

        let mut found = Vec::new();
        for (body, own) in curves.iter().enumerate().filter(|(_, own)| own.len() > 1) {
            for curve in own {
                let p = x[curve.first];
                let others = own
                    .iter()
                    .filter(|other| other.first != curve.first && other.bounds.contains(p));
                let turns: i64 = others
                    .map(|other| winding(p, other.edges.iter().map(|&[a, b]| (x[a], x[b]))))
                    .sum();
                if turns != i64::from(curve.is_rim_of_a_hole) {
                    let vertex = curve.first;
                    found.push(Intersection::Inside { vertex, body });
                }
            }
        }
        found
    }

    /// Connected components of edges at `x` (m), by their smallest vertices.
    fn curves(&self, x: &[Vec2]) -> Vec<Curve> {
        let mut components = Components::of(self.edges);
        let mut edges: BTreeMap<usize, Vec<[usize; 2]>> = BTreeMap::new();
        for &edge in self.edges {
            let first = components.first(edge[0]);
            edges.entry(first).or_default().push(edge);
        }

        // Outlines run counter-clockwise and rims of holes clockwise.
        let curve = |(first, edges): (usize, Vec<[usize; 2]>)| {
            let area: f64 = edges
                .iter()
                .map(|&[a, b]| cross(x[a] - x[first], x[b] - x[first]))
                .sum();
            Curve {
                first,
                bounds: Aabb::around(edges.iter().map(|edge| x[edge[0]])),
                is_rim_of_a_hole: area < 0.0,
                edges,
            }
        };

        edges.into_iter().map(curve).collect()
    }

    /// Smallest vertex of each connected component of edges, ascending.
    fn one_vertex_per_component(&self) -> Vec<usize> {
        let mut components = Components::of(self.edges);
        let edges = self.edges.iter();
        let mut first: Vec<usize> = edges.map(|edge| components.first(edge[0])).collect();
        first.sort_unstable();
        first.dedup();
        first
    }

    /// Vertices of edges that are on or behind a half-plane, or whose circle is.
    fn behind_planes(&self, x: &[Vec2]) -> Vec<Intersection> {
        let mut vertices: Vec<usize> = self.edges.iter().flatten().copied().collect();
        vertices.sort_unstable();
        vertices.dedup();

        let mut found = Vec::new();
        for (index, plane) in self.planes.iter().enumerate() {
            for &vertex in &vertices {
                let height = plane.normal_at(x).dot(&(x[vertex] - x[plane.origin]));
                let is_in_front = height > self.radius[vertex];
                if !is_in_front && self.meet(vertex, plane.origin) {
                    found.push(Intersection::Plane {
                        vertex,
                        plane: index,
                    });
                }
            }
        }
        found
    }
}

/// Connected component of edges.
struct Curve {
    /// Smallest vertex.
    first: usize,
    /// Directed edges.
    edges: Vec<[usize; 2]>,
    /// Box around them (m).
    bounds: Aabb,
    /// True if the inside of the body is around the curve and not within.
    is_rim_of_a_hole: bool,
}

/// Connected components of edges, as trees of their vertices. The cost is that of the edges, however many
/// vertices the world has.
struct Components {
    /// Vertices of the edges, ascending.
    vertices: Vec<usize>,
    /// Parent of each, by its number in that list; the root of a component is its smallest vertex.
    parent: Vec<usize>,
}

impl Components {
    /// Components of these edges.
    fn of(edges: &[[usize; 2]]) -> Self {
        let mut vertices: Vec<usize> = edges.iter().flatten().copied().collect();
        vertices.sort_unstable();
        vertices.dedup();
        let parent = (0..vertices.len()).collect();

        let mut components = Self { vertices, parent };
        for &[a, b] in edges {
            let [a, b] = [a, b].map(|vertex| components.root(vertex));
            components.parent[a.max(b)] = a.min(b);
        }
        components
    }

    /// Smallest vertex of the component that holds a vertex of the edges.
    fn first(&mut self, vertex: usize) -> usize {
        let root = self.root(vertex);
        self.vertices[root]
    }

    /// Number of the root of a vertex of the edges.
    fn root(&mut self, vertex: usize) -> usize {
        let number = self.vertices.partition_point(|&other| other < vertex);
        root_of(&mut self.parent, number)
    }
}

/// Root of the tree that holds `i`, with paths halved (union-find). Trees are given by the `parent`
/// of each element; a root is its own parent.
fn root_of(parent: &mut [usize], mut i: usize) -> usize {
    while parent[i] != i {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    i
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Surface;

    /// Two squares of side 1, the second moved by `offset`, above a half-plane at `ground`.
    fn squares(scale: f64, offset: [f64; 2], ground: f64) -> Vec<Intersection> {
        let corner = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(Vec2::from);
        let mut x = corner.to_vec();
        x.extend(corner.map(|c| c * scale + Vec2::from(offset)));
        x.push(Vec2::new(0.0, ground));

        let edges: Vec<[usize; 2]> = (0..2)
            .flat_map(|b| (0..4).map(move |i| [4 * b + i, 4 * b + (i + 1) % 4]))
            .collect();
        let planes = [HalfPlane {
            normal: Vec2::new(0.0, 1.0),
            origin: 8,
            along: None,
        }];

        let body = [0, 0, 0, 0, 1, 1, 1, 1, 2];
        let surface = Surface {
            edges,
            planes: planes.to_vec(),
            ..Surface::new(body.to_vec(), 1e-3)
        };
        surface.outlines().intersections(&x)
    }

    /// Squares of one body: half their sides, and which of them run clockwise.
    fn nested(squares: &[(f64, f64)]) -> Vec<Intersection> {
        let corner = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(Vec2::from);
        let mut x = Vec::new();
        let mut edges = Vec::new();
        for &(size, turn) in squares {
            let first = x.len();
            x.extend(corner.map(|c| Vec2::new(c.x * turn, c.y) * size));
            edges.extend((0..4).map(|i| [first + i, first + (i + 1) % 4]));
        }
        let surface = Surface {
            edges,
            ..Surface::new(vec![0; x.len()], 1e-3)
        };
        surface.outlines().intersections(&x)
    }

    #[test]
    fn pieces_of_a_body_overlap_unless_one_is_in_a_hole_of_the_other() {
        let inside = |vertex| Intersection::Inside { vertex, body: 0 };
        let (outer, hole, island) = ((4.0, 1.0), (3.0, -1.0), (2.0, 1.0));
        assert_eq!(nested(&[outer]), []);
        assert_eq!(nested(&[outer, hole]), []);
        assert_eq!(nested(&[outer, hole, island]), []);
        assert_eq!(nested(&[outer, island]), [inside(4)]);
        assert_eq!(nested(&[island, outer, hole, (1.0, 1.0)]), [inside(12)]);
    }

    #[test]
    fn only_what_overlaps_is_found() {
        assert_eq!(squares(1.0, [1.0 + f64::EPSILON, 0.0], -1.0), []);
        assert_eq!(
            squares(0.2, [0.4, 0.4], -1.0),
            [Intersection::Inside { vertex: 4, body: 0 }]
        );
        assert!(squares(1.0, [0.5, 0.5], -1.0).contains(&Intersection::Edges([1, 2], [4, 5])));
        assert!(squares(1.0, [1.0, 0.0], -1.0).contains(&Intersection::Edges([1, 2], [4, 5])));

        let behind = [0, 1].map(|vertex| Intersection::Plane { vertex, plane: 0 });
        assert_eq!(squares(1.0, [3.0, 1.0], 0.0), behind);
    }
}

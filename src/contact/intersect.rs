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
use crate::geometry::Aabb;
use crate::geometry::distance::point_edge;
use crate::geometry::predicates::{inside, segments_touch};
use crate::math::Vec2;

/// Outlines of all bodies of a scene, by the numbers of their vertices.
#[derive(Clone, Copy, Debug)]
pub struct Outlines<'a> {
    /// Edges, as pairs of vertices; `[v, v]` for an isolated vertex.
    pub edges: &'a [[usize; 2]],
    /// Half-planes that nothing may be behind.
    pub planes: &'a [HalfPlane],
    /// Body of each vertex, `[vertices]`.
    pub body: &'a [usize],
    /// Radius of the circle around each vertex (m), `[vertices]`.
    pub radius: &'a [f64],
    /// True for each body whose edges enclose an area, `[bodies]`.
    pub filled: &'a [bool],
    /// Bodies that do not collide with each other.
    pub filter: &'a Filter,
}

/// Two parts of outlines that overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intersection {
    /// Two edges share a point.
    Edges([usize; 2], [usize; 2]),
    /// A vertex is inside a body.
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
    /// crossing edges, then vertices inside bodies, then vertices behind half-planes.
    pub fn intersections(&self, x: &[Vec2]) -> Vec<Intersection> {
        let mut found = self.crossings(x);
        found.extend(self.contained(x));
        found.extend(self.behind_planes(x));
        found
    }

    /// Edges that share a point, among those that share no vertex, in the order of the broad phase.
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

    /// True if vertices `a` and `b` belong to bodies that collide.
    fn meet(&self, a: usize, b: usize) -> bool {
        self.filter.meet(self.body[a], self.body[b])
    }

    /// True if two edges share a point, exactly; for circles, if the computed distance is at most
    /// the sum of their radii. A circle is an edge of length zero with a radius.
    fn touch(&self, a: [usize; 2], b: [usize; 2], x: &[Vec2]) -> bool {
        let radius = self.radius[a[0]] + self.radius[b[0]];
        if radius <= 0.0 {
            return segments_touch(x[a[0]], x[a[1]], x[b[0]], x[b[1]]);
        }

        // The side with a radius is a circle, or the larger of two.
        let (center, edge) = if self.radius[a[0]] > 0.0 {
            (a, b)
        } else {
            (b, a)
        };
        point_edge(x[center[0]], x[edge[0]], x[edge[1]]).distance <= radius
    }

    /// Vertices inside bodies: one vertex of each connected outline, against the outlines of all
    /// other bodies. Where no edges cross, an outline is inside as a whole or not at all.
    ///
    /// A box around each body excludes most of the others before the exact test.
    fn contained(&self, x: &[Vec2]) -> Vec<Intersection> {
        // Edges of each body that encloses an area, and a box around them.
        let bodies = self.body.iter().max().map_or(0, |last| last + 1);
        let mut outlines: Vec<Vec<[usize; 2]>> = vec![Vec::new(); bodies];
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

        let mut found = Vec::new();
        for vertex in self.one_vertex_per_component() {
            let own = self.body[vertex];
            for body in 0..bodies {
                let is_near = bounds[body].contains(x[vertex]);
                if body == own || !is_near || !self.filter.meet(body, own) {
                    continue;
                }
                if inside(x[vertex], outlines[body].iter().map(|&[a, b]| (x[a], x[b]))) {
                    found.push(Intersection::Inside { vertex, body });
                }
            }
        }
        found
    }

    /// Smallest vertex of each connected component of edges, ascending.
    fn one_vertex_per_component(&self) -> Vec<usize> {
        let mut root: Vec<usize> = (0..self.body.len()).collect();
        for &[a, b] in self.edges {
            let a = root_of(&mut root, a);
            let b = root_of(&mut root, b);
            root[a.max(b)] = a.min(b);
        }

        let mut first: Vec<usize> = self
            .edges
            .iter()
            .map(|edge| root_of(&mut root, edge[0]))
            .collect();
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

/// Root of the tree that holds `i`, with paths halved on the way (union-find). Trees are given by
/// the `parent` of each element; a root is its own parent.
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
    use crate::contact::Surface;

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

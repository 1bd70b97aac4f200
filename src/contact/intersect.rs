//! What a state may not have: crossing edges, bodies inside each other, vertices behind half-planes. Decided exactly.

use super::HalfPlane;
use super::broad::BroadPhase;
use crate::geometry::Aabb;
use crate::geometry::predicates::{inside, segments_touch};
use crate::math::Vec2;

/// The outlines of a scene.
#[derive(Clone, Copy, Debug)]
pub struct Outlines<'a> {
    /// Edges, as vertex pairs.
    pub edges: &'a [[usize; 2]],
    /// Half-planes.
    pub planes: &'a [HalfPlane],
    /// The body of each vertex.
    pub body: &'a [usize],
}

/// Two things that overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intersection {
    /// Two edges share a point.
    Edges([usize; 2], [usize; 2]),
    /// A vertex is inside a body.
    Inside {
        /// The vertex.
        vertex: usize,
        /// The body.
        body: usize,
    },
    /// A vertex is on or behind a half-plane.
    Plane {
        /// The vertex.
        vertex: usize,
        /// The half-plane.
        plane: usize,
    },
}

impl Outlines<'_> {
    /// Everything that overlaps at `x`: crossing edges, then vertices inside bodies, then vertices behind half-planes.
    pub fn intersections(&self, x: &[Vec2]) -> Vec<Intersection> {
        let mut found = self.crossings(x);
        found.extend(self.contained(x));
        found.extend(self.behind_planes(x));
        found
    }

    fn crossings(&self, x: &[Vec2]) -> Vec<Intersection> {
        let boxes: Vec<Aabb> = self.edges.iter().map(|&[a, b]| Aabb::around([x[a], x[b]])).collect();
        let pairs = BroadPhase::default().self_pairs(&boxes);
        let apart = |a: [usize; 2], b: [usize; 2]| !a.contains(&b[0]) && !a.contains(&b[1]);
        pairs
            .into_iter()
            .map(|(i, j)| (self.edges[i as usize], self.edges[j as usize]))
            .filter(|&(a, b)| apart(a, b) && segments_touch(x[a[0]], x[a[1]], x[b[0]], x[b[1]]))
            .map(|(a, b)| Intersection::Edges(a, b))
            .collect()
    }

    /// One vertex of each connected outline, against the outlines of all other bodies. Where no edges cross an outline is
    /// inside as a whole or not at all.
    fn contained(&self, x: &[Vec2]) -> Vec<Intersection> {
        let bodies = self.body.iter().max().map_or(0, |last| last + 1);
        let mut outlines: Vec<Vec<[usize; 2]>> = vec![Vec::new(); bodies];
        for &edge in self.edges {
            outlines[self.body[edge[0]]].push(edge);
        }
        let bounds: Vec<Aabb> =
            outlines.iter().map(|outline| Aabb::around(outline.iter().map(|edge| x[edge[0]]))).collect();
        let mut found = Vec::new();
        for vertex in self.one_vertex_per_component() {
            for body in (0..bodies).filter(|&body| body != self.body[vertex] && bounds[body].contains(x[vertex])) {
                if inside(x[vertex], outlines[body].iter().map(|&[a, b]| (x[a], x[b]))) {
                    found.push(Intersection::Inside { vertex, body });
                }
            }
        }
        found
    }

    fn one_vertex_per_component(&self) -> Vec<usize> {
        let mut root: Vec<usize> = (0..self.body.len()).collect();
        let find = |root: &mut Vec<usize>, mut i: usize| {
            while root[i] != i {
                root[i] = root[root[i]];
                i = root[i];
            }
            i
        };
        for &[a, b] in self.edges {
            let (a, b) = (find(&mut root, a), find(&mut root, b));
            root[a.max(b)] = a.min(b);
        }
        let mut first: Vec<usize> = self.edges.iter().map(|edge| find(&mut root, edge[0])).collect();
        first.sort_unstable();
        first.dedup();
        first
    }

    fn behind_planes(&self, x: &[Vec2]) -> Vec<Intersection> {
        let mut vertices: Vec<usize> = self.edges.iter().flatten().copied().collect();
        vertices.sort_unstable();
        vertices.dedup();
        let in_front = |plane: &HalfPlane, vertex: usize| plane.normal.dot(&(x[vertex] - x[plane.origin])) > 0.0;
        let planes = self.planes.iter().enumerate();
        planes
            .flat_map(|(index, plane)| vertices.iter().map(move |&vertex| (index, plane, vertex)))
            .filter(|&(_, plane, vertex)| !in_front(plane, vertex))
            .map(|(plane, _, vertex)| Intersection::Plane { vertex, plane })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec2;

    /// Two squares of side 1, the second moved by `offset`, above a half-plane at `ground`.
    fn squares(scale: f64, offset: [f64; 2], ground: f64) -> Vec<Intersection> {
        let corner = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(Vec2::from);
        let mut x = corner.to_vec();
        x.extend(corner.map(|c| c * scale + Vec2::from(offset)));
        x.push(Vec2::new(0.0, ground));
        let edges: Vec<[usize; 2]> =
            (0..2).flat_map(|b| (0..4).map(move |i| [4 * b + i, 4 * b + (i + 1) % 4])).collect();
        let planes = [HalfPlane { normal: Vec2::new(0.0, 1.0), origin: 8 }];
        let body = [0, 0, 0, 0, 1, 1, 1, 1, 2];
        Outlines { edges: &edges, planes: &planes, body: &body }.intersections(&x)
    }

    #[test]
    fn only_what_overlaps_is_found() {
        assert_eq!(squares(1.0, [1.0 + f64::EPSILON, 0.0], -1.0), []);
        assert_eq!(squares(0.2, [0.4, 0.4], -1.0), [Intersection::Inside { vertex: 4, body: 0 }]);
        assert!(squares(1.0, [0.5, 0.5], -1.0).contains(&Intersection::Edges([1, 2], [4, 5])));
        assert!(squares(1.0, [1.0, 0.0], -1.0).contains(&Intersection::Edges([1, 2], [4, 5])));
        let behind = [0, 1].map(|vertex| Intersection::Plane { vertex, plane: 0 });
        assert_eq!(squares(1.0, [3.0, 1.0], 0.0), behind);
    }
}

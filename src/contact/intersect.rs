//! What a state may not have: crossing edges, bodies inside each other, vertices behind half-planes. Decided exactly.

use super::broad::BroadPhase;
use super::filter::Filter;
use super::half_plane::HalfPlane;
use crate::geometry::Aabb;
use crate::geometry::distance::point_edge;
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
    /// Radius of the circle around each vertex (m).
    pub radius: &'a [f64],
    /// Whether the edges of each body enclose an area.
    pub filled: &'a [bool],
    /// Bodies that pass through each other.
    pub filter: &'a Filter,
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
        let grown = |&[a, b]: &[usize; 2]| Aabb::around([x[a], x[b]]).grown(self.radius[a]);
        let boxes: Vec<Aabb> = self.edges.iter().map(grown).collect();
        let pairs = BroadPhase::default().self_pairs(&boxes);
        let apart = |a: [usize; 2], b: [usize; 2]| !a.contains(&b[0]) && !a.contains(&b[1]);
        pairs
            .into_iter()
            .map(|(i, j)| (self.edges[i as usize], self.edges[j as usize]))
            .filter(|&(a, b)| apart(a, b) && self.meet(a[0], b[0]) && self.touch(a, b, x))
            .map(|(a, b)| Intersection::Edges(a, b))
            .collect()
    }

    fn meet(&self, a: usize, b: usize) -> bool {
        self.filter.meet(self.body[a], self.body[b])
    }

    /// Whether two edges share a point, exactly; for circles, whether the computed distance is no more than their radii.
    fn touch(&self, a: [usize; 2], b: [usize; 2], x: &[Vec2]) -> bool {
        let radius = self.radius[a[0]] + self.radius[b[0]];
        if radius <= 0.0 {
            return segments_touch(x[a[0]], x[a[1]], x[b[0]], x[b[1]]);
        }
        let (center, edge) = if self.radius[a[0]] > 0.0 {
            (a, b)
        } else {
            (b, a)
        };
        point_edge(x[center[0]], x[edge[0]], x[edge[1]]).distance <= radius
    }

    /// One vertex of each connected outline, against the outlines of all other bodies. Where no edges cross an outline is
    /// inside as a whole or not at all.
    fn contained(&self, x: &[Vec2]) -> Vec<Intersection> {
        let bodies = self.body.iter().max().map_or(0, |last| last + 1);
        let mut outlines: Vec<Vec<[usize; 2]>> = vec![Vec::new(); bodies];
        for &edge in self
            .edges
            .iter()
            .filter(|edge| self.filled[self.body[edge[0]]])
        {
            outlines[self.body[edge[0]]].push(edge);
        }
        let bounds: Vec<Aabb> = outlines
            .iter()
            .map(|outline| Aabb::around(outline.iter().map(|edge| x[edge[0]])))
            .collect();
        let mut found = Vec::new();
        for vertex in self.one_vertex_per_component() {
            let own = self.body[vertex];
            let may_hold = |&body: &usize| {
                body != own && bounds[body].contains(x[vertex]) && self.filter.meet(body, own)
            };
            for body in (0..bodies).filter(may_hold) {
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
        let mut first: Vec<usize> = self
            .edges
            .iter()
            .map(|edge| find(&mut root, edge[0]))
            .collect();
        first.sort_unstable();
        first.dedup();
        first
    }

    fn behind_planes(&self, x: &[Vec2]) -> Vec<Intersection> {
        let mut vertices: Vec<usize> = self.edges.iter().flatten().copied().collect();
        vertices.sort_unstable();
        vertices.dedup();
        let in_front = |plane: &HalfPlane, vertex: usize| {
            plane.normal_at(x).dot(&(x[vertex] - x[plane.origin])) > self.radius[vertex]
                || !self.meet(vertex, plane.origin)
        };
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

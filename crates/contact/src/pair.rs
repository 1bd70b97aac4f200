//! A vertex and the part of the surface that it is in contact with.
//!
//! Vertices are numbers of the world, so a pair means the same in reports, messages and tests.

use super::Surface;
use super::barriers::Barriers;
use ipcsim_math::Vec2;
use ipcsim_math::geometry::distance::point_edge;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use std::fmt;

/// Force on each of a few vertices (N): index of the vertex, and force.
pub type VertexForces = SmallVec<[(usize, Vec2); 4]>;

/// Two parts of the surface that are in contact or touch: a vertex, and an edge, another vertex or
/// a half-plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ContactPair {
    /// A vertex and an edge, or two vertices.
    Edge {
        /// Vertex in contact with the edge.
        point: usize,
        /// Both ends of the edge; the same vertex twice if the other side is a vertex.
        edge: [usize; 2],
    },
    /// Pieces of two edges.
    Strip {
        /// Both ends of the edge whose points are counted.
        edge: [usize; 2],
        /// Both ends of the other edge.
        other: [usize; 2],
    },
    /// A piece of an edge and a half-plane.
    Floor {
        /// Both ends of the edge.
        edge: [usize; 2],
        /// Index of the half-plane in [`Surface::planes`].
        plane: usize,
    },
    /// A vertex and a half-plane.
    Plane {
        /// Vertex in contact with the half-plane.
        point: usize,
        /// Index of the half-plane in [`Surface::planes`].
        plane: usize,
    },
}

impl ContactPair {
    /// The pair of a vertex `point` and the edge `edge`. The edge belongs to a half-plane if it
    /// begins at the origin of one.
    pub(super) fn new(surface: &Surface, point: usize, edge: [usize; 2]) -> Self {
        let plane_of_edge = surface
            .planes
            .iter()
            .position(|plane| plane.origin == edge[0]);
        match plane_of_edge {
            Some(plane) => Self::Plane { point, plane },
            None => Self::Edge { point, edge },
        }
    }

    /// The pair of two edges. The other one belongs to a half-plane if it begins at the origin of
    /// one.
    pub(super) fn of_edges(surface: &Surface, edge: [usize; 2], other: [usize; 2]) -> Self {
        match Self::new(surface, edge[0], other) {
            Self::Plane { plane, .. } => Self::Floor { edge, plane },
            _ => Self::Strip { edge, other },
        }
    }

    /// Gap between the two sides at the positions `x` (m): their distance less the distance at
    /// which they touch.
    pub fn gap(&self, surface: &Surface, x: &[Vec2]) -> f64 {
        self.nearest(surface, x).gap
    }

    /// Where the two sides are nearest to each other at the positions `x` (m, `[vertices]`).
    pub fn nearest(&self, surface: &Surface, x: &[Vec2]) -> Nearest {
        match *self {
            Self::Edge {
                point,
                edge: [a, b],
            } => {
                // Where the edge is a circle's centre, the surface is its radius away.
                let found = point_edge(x[point], x[a], x[b]);
                let foot = x[a] + (x[b] - x[a]) * found.t;
                let normal = (x[point] - foot).normalize();
                Nearest {
                    gap: found.distance - surface.separation_to(point, [a, b]),
                    point: foot + normal * surface.radius[a],
                    normal,
                }
            }
            Self::Plane { point, plane } => {
                let plane = &surface.planes[plane];
                let normal = plane.normal_at(x);
                let height = normal.dot(&(x[point] - x[plane.origin]));
                Nearest {
                    gap: height - surface.separation(point, plane.origin),
                    point: x[point] - normal * height,
                    normal,
                }
            }

            // One of the edges is nearest at an end.
            Self::Strip { edge, other } => {
                let end =
                    |point: usize, edge: [usize; 2]| Self::Edge { point, edge }.nearest(surface, x);
                let own = end(edge[0], other).or(end(edge[1], other));
                let others = end(other[0], edge).or(end(other[1], edge));
                own.or(others.turned())
            }
            Self::Floor { edge, plane } => {
                let [start, end] =
                    edge.map(|point| Self::Plane { point, plane }.nearest(surface, x));
                start.or(end)
            }
        }
    }

    /// A vertex of each side; the origin of a half-plane.
    fn vertex_of_each(&self, surface: &Surface) -> [usize; 2] {
        match *self {
            Self::Edge { point, edge } => [point, edge[0]],
            Self::Plane { point, plane } => [point, surface.planes[plane].origin],
            Self::Strip { edge, other } => [edge[0], other[0]],
            Self::Floor { edge, plane } => [edge[0], surface.planes[plane].origin],
        }
    }

    /// Distance at which the pair begins to repel each other (m).
    pub fn d_hat(&self, surface: &Surface, barriers: &Barriers) -> f64 {
        if let Self::Edge { point, edge } = *self {
            return barriers.d_hat_to(surface, point, edge);
        }
        let [own, other] = self.vertex_of_each(surface);
        barriers.d_hat_between(surface, own, other)
    }

    /// Vertices of the pair, first the point, without vertices of a half-plane.
    pub fn vertices(&self) -> Vec<usize> {
        match *self {
            Self::Edge { point, edge } => vec![point, edge[0], edge[1]],
            Self::Plane { point, .. } => vec![point],
            Self::Strip { edge, other } => [edge, other].concat(),
            Self::Floor { edge, .. } => edge.to_vec(),
        }
    }

    /// Bodies of the pair: first the body of the vertex, then the body of the edge, vertex or
    /// half-plane.
    pub fn bodies(&self, surface: &Surface) -> [usize; 2] {
        self.vertex_of_each(surface)
            .map(|vertex| surface.body[vertex])
    }
}

/// Where two sides are nearest to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// Gap there (m): distance less the distance at which they touch.
    pub gap: f64,
    /// Point of the second side (m).
    pub point: Vec2,
    /// Unit normal there, towards the first side.
    pub normal: Vec2,
}

impl Nearest {
    /// The nearer one of two places.
    fn or(self, other: Self) -> Self {
        if other.gap < self.gap { other } else { self }
    }

    /// This place, seen from the other side; for sides without a radius.
    fn turned(self) -> Self {
        Self {
            point: self.point + self.normal * self.gap,
            normal: -self.normal,
            ..self
        }
    }
}

/// Names the two sides by their numbers, as messages do.
impl fmt::Display for ContactPair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Edge { point, edge } => {
                let [a, b] = edge;
                if a == b {
                    write!(f, "vertex {point} and vertex {a}")
                } else {
                    write!(f, "vertex {point} and edge {a}-{b}")
                }
            }
            Self::Plane { point, plane } => write!(f, "vertex {point} and half-plane {plane}"),
            Self::Strip {
                edge: [a, b],
                other: [c, d],
            } => write!(f, "edge {a}-{b} and edge {c}-{d}"),
            Self::Floor {
                edge: [a, b],
                plane,
            } => write!(f, "edge {a}-{b} and half-plane {plane}"),
        }
    }
}

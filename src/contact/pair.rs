//! A vertex and the part of the surface that it is in contact with.
//!
//! Vertices are numbers of the world, so a pair means the same in reports, messages and tests.

use super::Surface;
use crate::geometry::distance::point_edge;
use crate::math::Vec2;
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

    /// Gap between the two sides at the positions `x` (m): their distance less the distance at
    /// which they touch.
    pub fn gap(&self, surface: &Surface, x: &[Vec2]) -> f64 {
        match *self {
            Self::Edge { point, edge } => {
                let [a, b] = edge;
                point_edge(x[point], x[a], x[b]).distance - surface.separation(point, a)
            }
            Self::Plane { point, plane } => {
                let half_plane = &surface.planes[plane];
                let origin = half_plane.origin;
                let height = half_plane.normal_at(x).dot(&(x[point] - x[origin]));
                height - surface.separation(point, origin)
            }
        }
    }

    /// Distance at which the pair begins to repel each other (m).
    pub fn d_hat(&self, surface: &Surface) -> f64 {
        match *self {
            Self::Edge { point, edge } => surface.d_hat_between(point, edge[0]),
            Self::Plane { point, plane } => {
                surface.d_hat_between(point, surface.planes[plane].origin)
            }
        }
    }

    /// Vertices of the pair, first the point, without those of a half-plane.
    pub fn vertices(&self) -> Vec<usize> {
        match *self {
            Self::Edge { point, edge } => vec![point, edge[0], edge[1]],
            Self::Plane { point, .. } => vec![point],
        }
    }

    /// Bodies of the pair: that of the vertex, then that of the edge, vertex or half-plane.
    pub fn bodies(&self, surface: &Surface) -> [usize; 2] {
        let (point, other) = match *self {
            Self::Edge { point, edge } => (point, edge[0]),
            Self::Plane { point, plane } => (point, surface.planes[plane].origin),
        };
        [surface.body[point], surface.body[other]]
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
        }
    }
}

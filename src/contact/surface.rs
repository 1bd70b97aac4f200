//! What can touch: boundary vertices and edges, half-planes, and what holds between their bodies.

use super::barrier::Barrier;
use super::broad::BroadPhase;
use super::ccd::NarrowPhase;
use crate::math::Vec2;
use serde::{Deserialize, Serialize};

/// Everything that collides, fixed for the whole simulation.
#[derive(Clone, Debug)]
pub struct Surface {
    /// Vertices that collide, ascending.
    pub points: Vec<usize>,
    /// Edges that collide, as vertex pairs.
    pub edges: Vec<[usize; 2]>,
    /// Half-planes that collide.
    pub planes: Vec<HalfPlane>,
    /// Contact length times thickness of each vertex (m^2).
    pub weight: Vec<f64>,
    /// Index of the body that each vertex belongs to; a half-plane's origin belongs to its half-plane.
    pub body: Vec<usize>,
    /// Activation distance for contact of each body with itself (m), see [`super::rest_gaps`].
    pub self_d_hat: Vec<f64>,
    /// The barrier, with the activation distance of contacts between bodies.
    pub barrier: Barrier,
    /// How vertices that two edges share are counted.
    pub shared_vertices: SharedVertices,
    /// How near pairs are found.
    pub broad_phase: BroadPhase,
    /// How the time of impact is found.
    pub narrow_phase: NarrowPhase,
}

/// The region `n . (x - o) >= 0`, whose origin `o` is a vertex, so that it can move.
#[derive(Clone, Debug, PartialEq)]
pub struct HalfPlane {
    /// Unit normal, pointing to where bodies are.
    pub normal: Vec2,
    /// Vertex that is its origin.
    pub origin: usize,
}

/// What a point feels near a vertex at which two edges meet.
///
/// Both edges are at the same distance there. Adding them, as the book does, doubles the force; and where a mesh is finer
/// than `d_hat` a point feels every edge in reach. Taking every inner vertex off again that is in reach leaves each
/// piece of the boundary counted once, and the energy as smooth as before (Li et al. 2023, "Convergent Incremental
/// Potential Contact", section 5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SharedVertices {
    /// Count a shared vertex once.
    #[default]
    Once,
    /// Count it for each edge, as the book does.
    PerEdge,
}

impl Surface {
    /// The activation distance between a vertex of body `a` and an edge of body `b` (m).
    #[inline]
    pub fn d_hat(&self, a: usize, b: usize) -> f64 {
        if a == b { self.self_d_hat[a] } else { self.barrier.d_hat }
    }
}

//! What can touch: boundary vertices and edges, half-planes, and what holds between their bodies.

use super::broad::BroadPhase;
use super::ccd::NarrowPhase;
use super::filter::Filter;
use super::half_plane::HalfPlane;
use super::intersect::Outlines;
#[cfg(feature = "scene")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Everything that collides, fixed for the whole simulation.
#[derive(Clone, Debug)]
pub struct Surface {
    /// Vertices that collide, ascending.
    pub points: Vec<usize>,
    /// Edges that collide, as vertex pairs; `[v, v]` for a vertex without a real edge.
    pub edges: Vec<[usize; 2]>,
    /// Circles that collide, by ascending centre. Their centres are vertices without an edge.
    pub disks: Vec<Disk>,
    /// Radius of the circle around each vertex (m); 0 where there is none.
    pub radius: Vec<f64>,
    /// Which vertices have no real edge.
    pub isolated: Vec<bool>,
    /// Half-planes that collide.
    pub planes: Vec<HalfPlane>,
    /// Contact length times thickness of each vertex (m^2).
    pub weight: Vec<f64>,
    /// Index of the body that each vertex belongs to; a half-plane's origin belongs to its half-plane.
    pub body: Vec<usize>,
    /// Whether the edges of each body enclose an area.
    pub filled: Vec<bool>,
    /// Bodies that pass through each other.
    pub filter: Filter,
    /// Activation distance for contact of each body with itself (m), see [`super::rest_gaps`].
    pub self_d_hat: Vec<f64>,
    /// Distance that different bodies keep at least, from which the barrier counts (m).
    pub min_separation: f64,
    /// Activation distance for contact between bodies (m).
    pub d_hat: f64,
    /// How vertices that two edges share are counted.
    pub shared_vertices: SharedVertices,
    /// How near pairs are found.
    pub broad_phase: BroadPhase,
    /// How the time of impact is found.
    pub narrow_phase: NarrowPhase,
}

/// An exact circle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disk {
    /// Vertex at its centre.
    pub center: usize,
    /// A vertex of its body on its rim, which tells how far it has turned.
    pub rim: usize,
    /// Radius (m).
    pub radius: f64,
}

/// What a point feels near a vertex at which two edges meet.
///
/// Both edges are at the same distance there. Adding them, as the book does, doubles the force; and where a mesh is finer
/// than `d_hat` a point feels every edge in reach. Taking every inner vertex off again that is in reach leaves each
/// piece of the boundary counted once, and the energy as smooth as before (Li et al. 2023, "Convergent Incremental
/// Potential Contact", section 5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "scene", derive(JsonSchema))]
pub enum SharedVertices {
    /// Count a shared vertex once.
    #[default]
    Once,
    /// Count it for each edge, as the book does.
    PerEdge,
}

impl Surface {
    /// A surface of which nothing collides yet, for vertices of the given bodies and an activation distance (m).
    pub fn new(body: Vec<usize>, d_hat: f64) -> Self {
        let bodies = body.iter().max().map_or(0, |last| last + 1);
        Self {
            points: Vec::new(),
            edges: Vec::new(),
            disks: Vec::new(),
            planes: Vec::new(),
            weight: vec![0.0; body.len()],
            radius: vec![0.0; body.len()],
            isolated: vec![false; body.len()],
            filled: vec![true; bodies],
            filter: Filter::default(),
            self_d_hat: vec![d_hat; bodies],
            min_separation: 0.0,
            shared_vertices: SharedVertices::default(),
            broad_phase: BroadPhase::default(),
            narrow_phase: NarrowPhase::default(),
            body,
            d_hat,
        }
    }

    /// What a state of this surface may not have.
    pub fn outlines(&self) -> Outlines<'_> {
        Outlines {
            edges: &self.edges,
            planes: &self.planes,
            body: &self.body,
            radius: &self.radius,
            filled: &self.filled,
            filter: &self.filter,
        }
    }

    /// Whether the vertices `a` and `b` belong to bodies that collide.
    #[inline]
    pub fn meet(&self, a: usize, b: usize) -> bool {
        self.filter.meet(self.body[a], self.body[b])
    }

    /// Whether a vertex and an edge may come into contact. Two isolated vertices are one pair, not two.
    #[inline]
    pub fn is_pair(&self, point: usize, edge: [usize; 2]) -> bool {
        let [a, b] = edge;
        let counted = a != b || self.isolated[point] && point < a;
        counted && point != a && point != b && self.meet(point, a)
    }

    /// The distance at which the vertices, or circles, `a` and `b` touch (m). A body may come as near to itself as it is at
    /// rest.
    #[inline]
    pub fn separation(&self, a: usize, b: usize) -> f64 {
        let gap = if self.body[a] == self.body[b] {
            0.0
        } else {
            self.min_separation
        };
        gap + self.radius[a] + self.radius[b]
    }

    /// The circle around `vertex`.
    pub fn disk_at(&self, vertex: usize) -> Option<&Disk> {
        self.disks
            .binary_search_by_key(&vertex, |disk| disk.center)
            .ok()
            .map(|k| &self.disks[k])
    }

    /// The activation distance between a vertex of body `a` and an edge of body `b` (m).
    #[inline]
    pub fn d_hat_between(&self, a: usize, b: usize) -> f64 {
        if a == b {
            self.self_d_hat[a]
        } else {
            self.d_hat
        }
    }
}

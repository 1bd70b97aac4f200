//! Boundaries of bodies, and rules for their collisions.
//!
//! A surface consists of numbers: which vertices and edges collide, how long each vertex' part of
//! the boundary is, which bodies are exempt. It holds no positions, so one surface serves the
//! whole simulation.
//!
//! Circles are points with a radius, and bodies without edges are points with an edge of length
//! zero. The distance at which two surfaces touch, `separation`, includes both radii and
//! `min_separation`.

use super::broad::BroadPhase;
use super::ccd::NarrowPhase;
use super::filter::Filter;
use super::flush::Flush;
use super::half_plane::HalfPlane;
use super::images::Images;
use super::intersect::Outlines;
use super::pair_scale::PairScale;
use super::rod_neighbours::RodNeighbours;
use ipcsim_keys::Keys;
use serde::{Deserialize, Serialize};

/// Everything that collides: vertices, edges, circles and half-planes, by the indices of their
/// vertices.
///
/// A surface is fixed for the whole simulation; positions, and the stiffness of the barrier, are
/// arguments of functions.
#[derive(Clone, Debug)]
pub struct Surface {
    /// Vertices that collide, ascending, `[points]`. Vertices of bodies that the filter keeps from
    /// all others may be left out.
    pub points: Vec<usize>,
    /// Edges of all outlines, as vertex pairs; `[v, v]` for an isolated vertex `v`.
    pub edges: Vec<[usize; 2]>,
    /// Circles that collide, by ascending centre. Their centres are isolated vertices.
    pub disks: Vec<Disk>,
    /// Radius of the circle around each vertex, or of the rod that it is of (m), `[vertices]`; 0 for
    /// vertices without one. All vertices of a rod have the same.
    pub radius: Vec<f64>,
    /// Rods with a radius, whose neighbouring parts have none to each other.
    pub strands: RodNeighbours,
    /// True for each isolated vertex, which belongs to no real edge, `[vertices]`.
    pub isolated: Vec<bool>,
    /// Half-planes that collide.
    pub planes: Vec<HalfPlane>,
    /// Contact length times thickness of each vertex (m^2), `[vertices]`.
    pub weight: Vec<f64>,
    /// Length at rest times thickness of each edge (m^2), `[edges]`; empty if no contact is
    /// integrated along edges.
    pub edge_area: Vec<f64>,
    /// Change of the area along each edge, relative to that at its middle (1), `[edges]`; empty in the
    /// plane. In a scene of bodies of revolution areas are those of the full turn, and grow with the radius.
    pub widening: Vec<f64>,
    /// Thickness (m) of circles, where contact is integrated; of bodies of revolution the mean length of
    /// the turn.
    pub thickness: f64,
    /// Body of each vertex, `[vertices]`. The origin of a half-plane belongs to the half-plane.
    pub body: Vec<usize>,
    /// True for each body whose edges enclose an area, `[bodies]`.
    pub filled: Vec<bool>,
    /// Bodies that do not collide with each other.
    pub filter: Filter,
    /// Activation distance of each vertex with edges of the same body (m), `[vertices]`, see
    /// [`super::rest_gaps`].
    pub self_d_hat: Vec<f64>,
    /// Smallest distance that different bodies keep (m). The barrier counts gaps from there.
    pub min_separation: f64,
    /// Activation distances between different bodies.
    pub reach: PairScale,
    /// True for each body whose contact with any other one is integrated along edges (see
    /// [`super::StripContact`]), not summed over vertices, `[bodies]`.
    pub integrated: Vec<bool>,
    /// Parts of outlines that count once, or not at all, where pieces of a floor are flush.
    pub flush: Flush,
    /// Images of vertices across the periods of a scene that repeats.
    pub images: Images,
    /// True for each body that is a rod which shares vertices with others, `[bodies]`; empty without.
    pub frames: Vec<bool>,
    /// Treatment of vertices that two edges share, where contact is summed over vertices.
    pub shared_vertices: SharedVertices,
    /// Method that finds overlapping boxes.
    pub broad_phase: BroadPhase,
    /// Method that finds times of impact.
    pub narrow_phase: NarrowPhase,
}

/// A circle without edges: an isolated vertex with a radius.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disk {
    /// Vertex at the centre.
    pub center: usize,
    /// Vertex of the same body on the rim, from which the angle of the circle follows.
    pub rim: usize,
    /// Radius (m).
    pub radius: f64,
}

/// Contact of a point near a vertex at which two edges meet.
///
/// Both edges are at the same distance there. Their sum, which the book takes, doubles the force;
/// on a mesh finer than `d_hat` a point feels every edge in reach. Subtracting each inner vertex in
/// reach once leaves every piece of the boundary counted once, and the energy as smooth as before
/// (Li et al. 2023, "Convergent Incremental Potential Contact", section 5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Keys)]
#[serde(rename_all = "snake_case")]
pub enum SharedVertices {
    /// Count a shared vertex once.
    #[default]
    Once,
    /// Count a shared vertex for each edge, as the book does. Friction then also measures sliding as
    /// the book does, across the gap, where a rotation of both bodies counts as sliding.
    PerEdge,
}

/// Vertices or edges over which contact between two bodies is summed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Keys)]
#[serde(rename_all = "snake_case")]
pub enum ContactModel {
    /// Edges where one of the bodies deforms, and vertices where neither does. Soft bodies have the
    /// pressure of their outlines, whatever their meshes, and stiff ones tip about their corners.
    #[default]
    Mixed,
    /// Vertices, each with the length of outline that belongs to it, as in Li et al. 2020. Corners are
    /// sharp: a block tips about its corner.
    Vertices,
    /// Edges of both outlines, integrated along the pieces that are opposite each other, with the
    /// barrier `inverse`. Pressure does not depend on meshes. Corners are as soft as faces: a block tips
    /// about a piece of its face, which is shorter with a smaller `d_hat`.
    Edges,
    /// Vertices, as the free physics-based simulation book has them. Keys that are left out then
    /// have the values of its chapters: `barrier` `log`, `shared_vertices` `per_edge`, `kappa` 1e5
    /// Pa, friction with `stick` `creep`, `eps_v` 1e-3 m/s and one of `lag_iterations`, and a
    /// solver that stops only by its `tolerance` of 1e-2 m/s.
    Book,
}

impl Surface {
    /// A surface on which nothing collides yet, from the body of each vertex and an activation
    /// distance (m).
    ///
    /// All bodies have that activation distance with themselves too, enclose an area and collide
    /// with each other. The minimum separation is 0.
    pub fn new(body: Vec<usize>, d_hat: f64) -> Self {
        let bodies = body.iter().max().map_or(0, |last| last + 1);
        Self {
            points: Vec::new(),
            edges: Vec::new(),
            disks: Vec::new(),
            planes: Vec::new(),
            weight: vec![0.0; body.len()],
            edge_area: Vec::new(),
            widening: Vec::new(),
            thickness: 1.0,
            integrated: vec![false; bodies],
            radius: vec![0.0; body.len()],
            strands: RodNeighbours::default(),
            isolated: vec![false; body.len()],
            filled: vec![true; bodies],
            filter: Filter::default(),
            flush: Flush::default(),
            images: Images::default(),
            frames: Vec::new(),
            self_d_hat: vec![d_hat; body.len()],
            min_separation: 0.0,
            shared_vertices: SharedVertices::default(),
            broad_phase: BroadPhase::default(),
            narrow_phase: NarrowPhase::default(),
            body,
            reach: PairScale::uniform(d_hat),
        }
    }

    /// Outlines of this surface, which must not intersect in any state.
    pub fn outlines(&self) -> Outlines<'_> {
        Outlines {
            edges: &self.edges,
            planes: &self.planes,
            body: &self.body,
            radius: &self.radius,
            strands: &self.strands,
            filled: &self.filled,
            filter: &self.filter,
            first_image: self.images.first(),
        }
    }

    /// True if bodies are bodies of revolution about the axis x = 0.
    pub fn is_revolved(&self) -> bool {
        !self.widening.is_empty()
    }

    /// True if vertices `a` and `b` belong to bodies that collide, or one to a body and the other to an image
    /// with which it collides, as with its own.
    #[inline]
    pub fn meet(&self, a: usize, b: usize) -> bool {
        let [one, other] = [self.body[a], self.body[b]];
        self.filter.meet_or_across(one, other, || {
            !self.images.is_empty() && self.images.is_home(a) != self.images.is_home(b)
        })
    }

    /// True if a vertex and an edge may come into contact. Two isolated vertices are one pair, with
    /// the smaller index first.
    #[inline]
    pub fn is_pair(&self, point: usize, edge: [usize; 2]) -> bool {
        let [a, b] = edge;
        let counted = a != b || self.isolated[point] && point < a;
        counted
            && point != a
            && point != b
            && self.meet(point, a)
            && self.images.may_meet(point, edge)
    }

    /// Distance at which the vertices or circles `a` and `b` touch (m): the sum of their radii, and
    /// [`Self::min_separation`] between different bodies.
    ///
    /// A body may come as near to itself as it is at rest.
    #[inline]
    pub fn separation(&self, a: usize, b: usize) -> f64 {
        let gap = if self.body[a] == self.body[b] {
            0.0
        } else {
            self.min_separation
        };
        gap + self.radius[a] + self.radius[b]
    }

    /// True if a vertex and an edge are neighbours along a rod with a radius.
    #[inline]
    pub fn are_neighbours(&self, point: usize, edge: [usize; 2]) -> bool {
        let body = self.body[point];
        body == self.body[edge[0]] && self.strands.are_neighbours(body, point, edge)
    }

    /// Distance at which a vertex and an edge touch (m): the distance of [`Self::separation`], but
    /// 0 for neighbours along a rod.
    #[inline]
    pub fn separation_to(&self, point: usize, edge: [usize; 2]) -> f64 {
        if self.are_neighbours(point, edge) {
            0.0
        } else {
            self.separation(point, edge[0])
        }
    }

    /// True if contact between the bodies of two vertices is integrated along edges: two bodies, and
    /// one at least is marked so.
    #[inline]
    pub fn is_integrated(&self, a: usize, b: usize) -> bool {
        self.is_pair_integrated([self.body[a], self.body[b]])
    }

    /// True if contact between two bodies is integrated along edges; that within a frame of rods is not, as
    /// within a body.
    #[inline]
    pub fn is_pair_integrated(&self, [a, b]: [usize; 2]) -> bool {
        a != b && (self.integrated[a] || self.integrated[b]) && !self.are_joined(a, b)
    }

    /// Curvature (1/m) of the circle around an isolated vertex whose barrier with the body of the
    /// vertex `other` is integrated along it; 0 otherwise.
    pub fn curvature(&self, vertex: usize, other: usize) -> f64 {
        if self.radius[vertex] > 0.0 && self.is_integrated(vertex, other) {
            1.0 / self.radius[vertex]
        } else {
            0.0
        }
    }

    /// Sum of the curvatures (1/m) of two circles whose barrier is integrated along them; 0 if one of
    /// them is a point.
    pub fn curvature_between(&self, a: usize, b: usize) -> f64 {
        let (first, second) = (self.curvature(a, b), self.curvature(b, a));
        if first > 0.0 && second > 0.0 {
            first + second
        } else {
            0.0
        }
    }

    /// True if a point and an edge that may come into contact have a barrier as such: always where
    /// contact is summed over vertices, else between isolated vertices.
    #[inline]
    pub fn meets_as_point(&self, point: usize, edge: [usize; 2]) -> bool {
        (edge[0] == edge[1] || !self.is_integrated(point, edge[0])) && self.images.is_home(point)
    }

    /// The circle around `vertex`; `None` if the vertex has none.
    pub fn disk_at(&self, vertex: usize) -> Option<&Disk> {
        self.disks
            .binary_search_by_key(&vertex, |disk| disk.center)
            .ok()
            .map(|k| &self.disks[k])
    }

    /// Activation distance (m) between the vertex `point` and an edge of the same rod with a radius;
    /// `None` where both are of other bodies.
    #[inline]
    pub(super) fn d_hat_within(&self, point: usize, edge: [usize; 2]) -> Option<f64> {
        let body = self.body[point];
        let is_own = body == self.body[edge[0]];
        is_own.then(|| self.strands.d_hat(body, point, edge))?
    }

    /// Activation distance (m) between the vertices `point` and `other`: within one body the one of the
    /// point, and no more than that within a frame, else the one `between` their bodies.
    #[inline]
    pub(super) fn d_hat_by(
        &self,
        [point, other]: [usize; 2],
        between: impl FnOnce(usize, usize) -> f64,
    ) -> f64 {
        let [a, b] = [point, other].map(|vertex| self.body[vertex]);
        if a == b {
            self.self_d_hat[point]
        } else if self.are_joined(a, b) {
            self.self_d_hat[point].min(between(a, b))
        } else {
            between(a, b)
        }
    }

    /// True for two bodies that are rods of a frame, which may come as near to each other as they are at rest.
    #[inline]
    pub fn are_joined(&self, a: usize, b: usize) -> bool {
        !self.frames.is_empty() && self.frames[a] && self.frames[b]
    }

    /// Activation distance (m) between the vertices `point` and `other` at the start.
    #[inline]
    pub(super) fn first_d_hat(&self, point: usize, other: usize) -> f64 {
        self.d_hat_by([point, other], |a, b| self.reach.between(a, b))
    }

    /// Bound of the activation distance (m) between the vertices `point` and `other`, whatever steps
    /// adapt.
    #[inline]
    pub fn most_d_hat(&self, point: usize, other: usize) -> f64 {
        self.d_hat_by([point, other], |a, b| self.reach.usual(a, b))
    }

    /// Bound of the activation distance (m) between the vertex `point` and an edge, whatever steps
    /// adapt.
    #[inline]
    pub fn most_d_hat_to(&self, point: usize, edge: [usize; 2]) -> f64 {
        let within = self.d_hat_within(point, edge);
        within.unwrap_or_else(|| self.most_d_hat(point, edge[0]))
    }

    /// Smallest activation distance of a pair at the start (m).
    pub fn least_d_hat(&self) -> f64 {
        let own = self.self_d_hat.iter().copied();
        let between = self.reach.least().min(self.strands.least_d_hat());
        own.fold(between, f64::min)
    }
}

//! Points and edges that may come near a half-plane.

use super::{Candidates, FoundAt};
use crate::tuning::PLANE_GAP_KEPT;
use crate::{HalfPlane, Surface};

/// Part of a step by which a gap to a half-plane may shrink, as a multiple of how far vertices may
/// move: a step from the far end of the margins to the near one leaves the share [`PLANE_GAP_KEPT`]
/// of the gap.
const SHRINKING: f64 = (1.0 + PLANE_GAP_KEPT) / (1.0 - PLANE_GAP_KEPT);

/// Roundings of a gap, relative to the coordinates.
const PLANE_ROUNDING: f64 = 8.0 * f64::EPSILON;

/// Points and edges that may come near one half-plane.
#[derive(Clone, Debug, Default)]
pub(super) struct OverPlane {
    /// Points, as indices into [`Surface::points`], in order.
    pub(super) points: Vec<u32>,
    /// Edges, as indices into [`Surface::edges`], in order; empty unless contact is integrated.
    pub(super) edges: Vec<u32>,
}

impl OverPlane {
    /// Makes these all points and edges that may come near the half-plane with this index while
    /// vertices stay within the margins of `candidates`.
    pub(super) fn find(&mut self, surface: &Surface, index: usize, candidates: &Candidates) {
        let counts = [surface.points.len(), surface.edge_area.len()];
        let [points, edges] = counts.map(|count| (0..).take(count));
        self.keep(points, edges, surface, index, candidates);
    }

    /// Makes these the points and edges of `all` that may come near the half-plane while vertices
    /// stay within the margins of `candidates`.
    pub(super) fn pick(
        &mut self,
        all: &Self,
        surface: &Surface,
        index: usize,
        candidates: &Candidates,
    ) {
        let [points, edges] = [&all.points, &all.edges].map(|all| all.iter().copied());
        self.keep(points, edges, surface, index, candidates);
    }

    /// Replaces these by the points and edges that may come near the half-plane.
    fn keep(
        &mut self,
        points: impl Iterator<Item = u32>,
        edges: impl Iterator<Item = u32>,
        surface: &Surface,
        index: usize,
        candidates: &Candidates,
    ) {
        let plane = &surface.planes[index];
        let is_near = |vertex: usize| {
            surface.meet(vertex, plane.origin) && may_reach(plane, vertex, surface, candidates)
        };

        self.points.clear();
        self.points
            .extend(points.filter(|&k| is_near(surface.points[k as usize])));
        self.edges.clear();
        self.edges
            .extend(edges.filter(|&k| surface.edges[k as usize].into_iter().any(is_near)));
    }
}

/// True if a vertex may come within the activation distance of a half-plane, or a step may end for
/// its sake. A half-plane that turns may come anywhere.
fn may_reach(plane: &HalfPlane, vertex: usize, surface: &Surface, candidates: &Candidates) -> bool {
    if plane.along.is_some() {
        return true;
    }
    let FoundAt { reference, margin } = &**candidates.found_at();
    let HalfPlane { normal, origin, .. } = plane;
    let [at, from] = [vertex, *origin].map(|i| reference[i]);

    let gap = normal.dot(&(at - from)) - surface.separation(vertex, *origin);
    let moves = (margin[vertex] + margin[*origin]) * normal.lp_norm(1);
    let rounding = PLANE_ROUNDING * (at.amax() + from.amax() + moves);
    let reach = surface.most_d_hat(vertex, *origin);
    let is_far = gap > reach + SHRINKING * moves + rounding;
    !is_far
}

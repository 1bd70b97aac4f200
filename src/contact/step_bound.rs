//! The largest fraction of a step on which nothing touches.

use super::ccd::{NarrowPhase, Query};
use super::half_plane::plane_step;
use super::{Candidates, Surface, Touch};
use crate::energy::StepBound;
use crate::math::{Vec2, parallel};

/// A fraction of a step in `[0, 1]` and the pair that allows no more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// Fraction.
    pub fraction: f64,
    /// The pair; none where `fraction` is 1.
    pub pair: Option<Touch>,
}

/// Share of the way to an impact that a step may take.
const IMPACT_SHARE: f64 = 0.9;

/// The largest fraction of the motion `p` from `x` on which no point of the surface meets an edge or a half-plane.
/// `candidates` must cover the motion.
pub fn max_step(surface: &Surface, candidates: &Candidates, x: &[Vec2], p: &[Vec2]) -> Limit {
    let mut limit = Limit { fraction: 1.0, pair: None };
    for (index, plane) in surface.planes.iter().enumerate() {
        let bound = StepBound::smallest(surface.points.len(), |k| {
            let i = surface.points[k];
            plane_step(plane.normal, [x[i], x[plane.origin]], [p[i], p[plane.origin]])
        });
        limit.lower(bound, |k| Touch::Plane { point: surface.points[k], plane: index });
    }
    let bound = StepBound::smallest(surface.points.len(), |k| {
        candidates.edges_near(k).iter().map(|&e| pair_step(surface, k, e, x, p)).fold(1.0, f64::min)
    });
    limit.lower(bound, |k| {
        let step = |&&e: &&u32| pair_step(surface, k, e, x, p);
        let first = candidates.edges_near(k).iter().min_by(|a, b| step(a).total_cmp(&step(b)));
        let edge = first.map_or([0; 2], |&e| surface.edges[e as usize]);
        Touch::Edge { point: surface.points[k], edge }
    });
    limit
}

impl Limit {
    fn lower(&mut self, bound: StepBound, pair: impl Fn(usize) -> Touch) {
        if let (true, Some(k)) = (bound.fraction < self.fraction, bound.element) {
            *self = Self { fraction: bound.fraction, pair: Some(pair(k)) };
        }
    }
}

/// Whether no point of the surface meets an edge on the way from `x` to `y`, exactly.
///
/// [`max_step`] is about the motion `p`, but what is stored is `x + alpha p`, rounded; far from the origin that rounding is
/// larger than a small gap. Half-planes need no such test: a gap that is positive at both ends is positive between.
pub fn is_free(surface: &Surface, candidates: &Candidates, x: &[Vec2], y: &[Vec2]) -> bool {
    let meets = |k: usize| {
        let hit = |&e: &u32| {
            let query = query(surface, k, e, |i| (x[i], y[i]));
            NarrowPhase::Exact.time_of_impact(&query, 0.0).is_some()
        };
        if candidates.edges_near(k).iter().any(hit) { 0.0 } else { 1.0 }
    };
    parallel::first_min(surface.points.len(), 1.0, meets).1.is_none()
}

/// The queries that [`max_step`] asks, apart from those that bounding boxes decide.
pub fn queries(surface: &Surface, candidates: &Candidates, x: &[Vec2], p: &[Vec2]) -> Vec<Query> {
    let of_point =
        |k: usize| candidates.edges_near(k).iter().map(move |&e| query(surface, k, e, |i| (x[i], x[i] + p[i])));
    (0..surface.points.len()).flat_map(of_point).filter(|query| !query.boxes_stay_apart(0.0)).collect()
}

fn query(surface: &Surface, point: usize, edge: u32, motion: impl Fn(usize) -> (Vec2, Vec2)) -> Query {
    let [a, b] = surface.edges[edge as usize];
    let moving = [surface.points[point], a, b].map(motion);
    Query { start: moving.map(|(start, _)| start), end: moving.map(|(_, end)| end) }
}

fn pair_step(surface: &Surface, point: usize, edge: u32, x: &[Vec2], p: &[Vec2]) -> f64 {
    let query = query(surface, point, edge, |i| (x[i], x[i] + p[i]));
    surface.narrow_phase.time_of_impact(&query, 0.0).map_or(1.0, |toi| IMPACT_SHARE * toi)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::SharedVertices;
    use crate::contact::barrier::{Barrier, BarrierShape};
    use crate::contact::broad::BroadPhase;

    /// A point over an edge of length 2, both 1e6 m away from the origin; the gap is one unit in the last place.
    fn far_away() -> (Surface, [Vec2; 3]) {
        let barrier = Barrier { shape: BarrierShape::Log, kappa: 1.0, d_hat: 1e-3 };
        let surface = Surface {
            points: vec![0, 1, 2],
            edges: vec![[1, 2]],
            planes: Vec::new(),
            weight: vec![1.0; 3],
            body: vec![0, 1, 1],
            self_d_hat: vec![1e-3; 2],
            barrier,
            shared_vertices: SharedVertices::Once,
            broad_phase: BroadPhase::Auto,
            narrow_phase: NarrowPhase::Exact,
        };
        let (left, right) = (Vec2::new(1e6 - 1.0, 1e6), Vec2::new(1e6 + 1.0, 1e6));
        (surface, [Vec2::new(1e6, 1e6_f64.next_up()), left, right])
    }

    #[test]
    fn a_step_that_is_free_but_is_stored_on_the_edge_is_refused() {
        let (surface, x) = far_away();
        let candidates = Candidates::find(&surface, &x, |_| 1e-3);
        let gap = 1e6_f64.next_up() - 1e6;
        for share in [0.4, 0.6] {
            let p = [Vec2::new(0.0, -share * gap), Vec2::zeros(), Vec2::zeros()];
            let stored: Vec<Vec2> = x.iter().zip(&p).map(|(x, p)| x + p).collect();
            assert_eq!(is_free(&surface, &candidates, &x, &stored), share < 0.5, "{share}");
        }
        assert!(is_free(&surface, &candidates, &x, &x));
    }
}

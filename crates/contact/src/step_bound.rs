//! How far a step may go: the largest fraction on which nothing touches, and tests of the motion
//! that is stored.
//!
//! The line search of Newton's method takes three precautions:
//!
//! 1. [`max_step`] bounds the step before the search, by continuous collision detection over all
//!    candidates. It may stop early, never late.
//! 2. [`is_free`] decides, on the positions as they are stored after rounding, that nothing met in
//!    between. This test is exact on straight paths.
//! 3. [`keeps_gaps`] refuses steps that end so close to contact that the barrier is
//!    ill-conditioned.
//!
//! On curved paths all tests work with chords and envelopes (see [`super::ccd::arc`]).

use super::ccd::{NarrowPhase, Query, arc};
use super::half_plane::plane_step;
use super::tuning::{EDGE_GAP_KEPT, IMPACT_SHARE};
use super::{Candidates, ContactPair, Surface};
use ipcsim_energy::StepBound;
use ipcsim_math::geometry::distance::point_edge;
use ipcsim_math::geometry::path::{RigidPath, Sweep, Trajectory};
use ipcsim_math::{Vec2, parallel};

/// Roundings of a position on a curved path that a gap is computed from, relative to the
/// coordinates.
///
/// A position takes six roundings at most, of half a unit each. A gap has four of them: both of its
/// ends, now and at the end of the chord.
const PATH_ROUNDING: f64 = 12.0 * f64::EPSILON;

/// Roundings of the places of a point and an edge that are images, relative to the coordinates.
///
/// An image is the sum of a place and two periods, which rounds twice by half a unit in each component, and
/// both sides of a gap may be images. That is three units; the rest is for the computed distance.
const IMAGE_ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Largest fraction of a step, and the pair that allows no more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// Fraction of the step in `[0, 1]`.
    pub fraction: f64,
    /// Limiting pair; `None` if nothing limits the step and `fraction` is 1.
    pub pair: Option<ContactPair>,
}

impl Limit {
    /// The whole step, which nothing limits.
    pub const NONE: Self = Self {
        fraction: 1.0,
        pair: None,
    };

    /// Takes a bound if it is smaller; `pair` gives the pair of an element.
    fn lower(&mut self, bound: StepBound, pair: impl Fn(usize) -> ContactPair) {
        if let (true, Some(k)) = (bound.fraction < self.fraction, bound.element) {
            *self = Self {
                fraction: bound.fraction,
                pair: Some(pair(k)),
            };
        }
    }
}

/// Largest fraction of a motion on which no point of the surface meets an edge or a half-plane.
///
/// A step goes up to the share [`IMPACT_SHARE`] of the displacement to the first impact, and leaves
/// [`super::tuning::PLANE_GAP_KEPT`] of gaps to half-planes. `candidates` must cover the motion.
///
/// Source: Li et al. 2020, "Incremental Potential Contact", section 4.3: filtered line search.
pub fn max_step(surface: &Surface, candidates: &Candidates, motion: &Sweep) -> Limit {
    let mut limit = Limit::NONE;

    // Half-planes first: a bound for each.
    for (index, plane) in surface.planes.iter().enumerate() {
        let near = candidates.points_over(index);
        let point = |k: usize| surface.points[near[k] as usize];
        let bound = StepBound::smallest(near.len(), |k| {
            let separation = surface.separation(point(k), plane.origin);
            plane_step(plane, separation, motion, point(k))
        });
        limit.lower(bound, |k| ContactPair::Plane {
            point: point(k),
            plane: index,
        });
    }

    // Edges: the smallest bound, and then the edge that gives it.
    let bound = StepBound::smallest(surface.points.len(), |k| {
        let edges = candidates.edges_near(k).iter();
        let steps = edges.map(|&e| edge_step(surface, k, e, motion));
        steps.fold(1.0, f64::min)
    });
    limit.lower(bound, |k| {
        let step = |e: &u32| edge_step(surface, k, *e, motion);
        let edges = candidates.edges_near(k).iter();
        let first = edges.min_by(|a, b| step(a).total_cmp(&step(b)));
        ContactPair::Edge {
            point: surface.points[k],
            edge: first.map_or([0; 2], |&e| surface.edges[e as usize]),
        }
    });
    limit
}

/// Fraction of a motion that the point of index `k` may go towards an edge: the share
/// [`IMPACT_SHARE`] of the time of impact, or 1 without an impact.
fn edge_step(surface: &Surface, k: usize, edge: u32, motion: &Sweep) -> f64 {
    let vertices = vertices_of(surface, k, edge);
    let toi = time_of_impact(surface, surface.narrow_phase, vertices, motion);
    toi.map_or(1.0, |toi| IMPACT_SHARE * toi)
}

/// True if no point of the surface meets an edge between two stored states, decided exactly where
/// paths are straight.
///
/// [`max_step`] bounds the motion `p`, but `x + alpha p` is rounded when it is stored. Far from the
/// origin this rounding exceeds small gaps. Half-planes need no such test: a point that ends in
/// front of a half-plane cannot have crossed it.
///
/// Where a scene repeats, a pair of images is the same pair as one at home, but its places are rounded
/// apart from these. So gaps that this rounding may close do not count as free.
pub fn is_free(surface: &Surface, candidates: &Candidates, motion: &Sweep) -> bool {
    let kept = rounding_of_images(surface, motion);
    all_points(surface, |k| {
        let mut edges = candidates.edges_near(k).iter();
        !edges.any(|&e| meets(surface, vertices_of(surface, k, e), motion, kept))
    })
}

/// Distance (m) by which rounding may move images of a motion against each other; 0 in a scene that does
/// not repeat.
fn rounding_of_images(surface: &Surface, motion: &Sweep) -> f64 {
    if surface.images.is_empty() {
        return 0.0;
    }
    let ends = [motion.start, motion.end].into_iter().flatten();
    IMAGE_ROUNDING * ends.map(Vec2::amax).fold(0.0, f64::max)
}

/// True if a point comes as near to an edge as a distance `kept` (m), or meets it, between stored
/// positions; `vertices` are the point and both ends of the edge. Curved paths are widened by their rounding.
fn meets(surface: &Surface, vertices: [usize; 3], motion: &Sweep, kept: f64) -> bool {
    let [point, a, b] = vertices;
    let separation = surface.separation_to(point, [a, b]) + kept;
    if vertices.iter().all(|&i| motion.turning(i).is_none()) {
        return meeting(NarrowPhase::Exact, vertices, motion, separation).is_some();
    }

    let reach = separation + path_rounding(vertices, motion);
    meeting(NarrowPhase::Exact, vertices, motion, reach).is_some()
        || meets_off_path(vertices, motion)
}

/// True if every point of the surface keeps at least the share [`EDGE_GAP_KEPT`] of its smallest
/// gap to an edge, or of `d_hat` if that is less, from the positions `before` to those `after`
/// (m, `[vertices]`).
///
/// A motion may end anywhere before an impact. If it ends within rounding of one, the barrier is
/// much stiffer than all other energies, and the point sticks.
pub fn keeps_gaps(
    surface: &Surface,
    candidates: &Candidates,
    [before, after]: [&[Vec2]; 2],
) -> bool {
    all_points(surface, |k| {
        let end = smallest_gap(surface, candidates, k, after);
        end >= EDGE_GAP_KEPT || end >= EDGE_GAP_KEPT * smallest_gap(surface, candidates, k, before)
    })
}

/// Smallest gap of the point of index `k` to its candidate edges at `x`, relative to the activation
/// distance of the pair (1), at most 1.
fn smallest_gap(surface: &Surface, candidates: &Candidates, k: usize, x: &[Vec2]) -> f64 {
    let mut least: f64 = 1.0;
    for &e in candidates.edges_near(k) {
        let [p, a, b] = vertices_of(surface, k, e);
        let distance = point_edge(x[p], x[a], x[b]).distance;
        let gap = distance - surface.separation_to(p, [a, b]);
        least = least.min(gap / surface.most_d_hat_to(p, [a, b]));
    }
    least
}

/// True if `holds` for the index of every point, in parallel.
fn all_points(surface: &Surface, holds: impl Fn(usize) -> bool + Sync) -> bool {
    // The first point that fails is the first minimum below 1, if there is one.
    let (_, first) =
        parallel::first_min(
            surface.points.len(),
            1.0,
            |k| {
                if holds(k) { 1.0 } else { 0.0 }
            },
        );
    first.is_none()
}

/// The queries that [`max_step`] makes on straight paths, unless bounding boxes decide them. A
/// benchmark of collision detection runs them.
pub fn queries(surface: &Surface, candidates: &Candidates, motion: &Sweep) -> Vec<Query> {
    let mut queries = Vec::new();
    for k in 0..surface.points.len() {
        for &e in candidates.edges_near(k) {
            let query = chords(vertices_of(surface, k, e), motion);
            if !query.boxes_stay_apart(0.0) {
                queries.push(query);
            }
        }
    }
    queries
}

/// Vertices of a pair, from the indices of its point and its edge: point, edge start and edge end.
fn vertices_of(surface: &Surface, point: usize, edge: u32) -> [usize; 3] {
    let [a, b] = surface.edges[edge as usize];
    [surface.points[point], a, b]
}

/// The straight motion of three vertices from their starts to their ends.
fn chords(vertices: [usize; 3], motion: &Sweep) -> Query {
    Query {
        start: vertices.map(|i| motion.start[i]),
        end: vertices.map(|i| motion.end[i]),
    }
}

/// Time in `[0, 1]` at which a point meets an edge; `None` if it does not.
fn time_of_impact(
    surface: &Surface,
    narrow: NarrowPhase,
    vertices: [usize; 3],
    motion: &Sweep,
) -> Option<f64> {
    let [point, a, b] = vertices;
    let separation = surface.separation_to(point, [a, b]);
    meeting(narrow, vertices, motion, separation)
}

/// Bound of the rounding errors of a gap on curved paths (m). It grows with the size of a body and
/// the distance of its centre.
fn path_rounding(vertices: [usize; 3], motion: &Sweep) -> f64 {
    let turning = vertices.iter().filter_map(|&i| motion.turning(i));
    let size = turning.map(|RigidPath { motion, arm, .. }| {
        motion.center.amax() + motion.translation.amax() + arm.amax()
    });
    PATH_ROUNDING * size.fold(0.0, f64::max)
}

/// True if a point meets an edge between the stored positions and the ends of the curved paths,
/// which an angle of many digits keeps apart.
fn meets_off_path(vertices: [usize; 3], motion: &Sweep) -> bool {
    let query = chords(vertices, motion);
    let envelope = vertices.iter().map(|&i| motion.deviation(i)).sum::<f64>();
    if envelope == 0.0 || query.boxes_stay_apart(envelope) {
        return false;
    }

    // The hop from the stored start onto the paths, and the one from the paths to the stored end.
    let [starts, ends] = [0.0, 1.0].map(|t| vertices.map(|i| motion.path(i).position(t)));
    let before = Query {
        start: query.start,
        end: starts,
    };
    let after = Query {
        start: ends,
        end: query.end,
    };
    [before, after].iter().any(|query| {
        query.start != query.end && NarrowPhase::Exact.time_of_impact(query, 0.0).is_some()
    })
}

/// Time in `[0, 1]` at which a point comes as near to an edge as `separation` (m); `None` if it
/// does not. `vertices` are the point and both ends of the edge.
pub(super) fn meeting(
    narrow: NarrowPhase,
    vertices: [usize; 3],
    motion: &Sweep,
    separation: f64,
) -> Option<f64> {
    let query = chords(vertices, motion);
    let deviation = vertices.map(|i| motion.deviation(i));
    let envelope = deviation[0] + deviation[1].max(deviation[2]);
    if envelope == 0.0 {
        return narrow.time_of_impact(&query, separation);
    }

    // Paths stay within the envelope of their chords.
    if query.stays_apart(separation + envelope) {
        return None;
    }
    let paths = vertices.map(|i| motion.path(i));
    let paths: [&dyn Trajectory; 3] = [&paths[0], &paths[1], &paths[2]];
    arc::time_of_impact(NarrowPhase::Exact, paths, separation)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::images::{Images, Place};
    use ipcsim_math::geometry::path::RigidMotion;

    /// A point over an edge of length 2, both 1e6 m away from the origin; the gap is one unit in
    /// the last place.
    fn far_away() -> (Surface, [Vec2; 3]) {
        let surface = Surface {
            points: vec![0, 1, 2],
            edges: vec![[1, 2]],
            weight: vec![1.0; 3],
            ..Surface::new(vec![0, 1, 1], 1e-3)
        };
        let left = Vec2::new(1e6 - 1.0, 1e6);
        let right = Vec2::new(1e6 + 1.0, 1e6);
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
            assert_eq!(
                is_free(&surface, &candidates, &Sweep::straight(&x, &stored)),
                share < 0.5,
                "{share}"
            );
        }
        assert!(is_free(&surface, &candidates, &Sweep::straight(&x, &x)));
    }

    #[test]
    fn gaps_that_rounding_of_images_may_close_are_not_free() {
        let (mut surface, mut x) = far_away();
        let candidates = Candidates::find(&surface, &x, |_| 1e-3);
        for (units, expected) in [(1, false), (8, false), (40, true)] {
            x[0].y = (0..units).fold(1e6, |y: f64, _| y.next_up());
            surface.images = Images::default();
            assert!(is_free(&surface, &candidates, &Sweep::straight(&x, &x)));
            surface.images = Images::new(vec![Place::Home; 3], &[None; 3], 3);
            let found = is_free(&surface, &candidates, &Sweep::straight(&x, &x));
            assert_eq!(found, expected, "{units}");
        }
    }

    /// True if a point of a body that hardly turns is free to move from `from` to `to`, with an
    /// edge at x = 5e-9.
    fn is_free_to_turn(center: Vec2, from: Vec2, to: Vec2) -> bool {
        let (surface, _) = far_away();
        let bottom = Vec2::new(5e-9, 0.0);
        let top = Vec2::new(5e-9, 1.0);
        let rigid = RigidMotion {
            center,
            translation: Vec2::zeros(),
            angle: 1e-30,
        };
        let turns = [Some(rigid.into())];

        let motion = Sweep {
            start: &[from, bottom, top],
            end: &[to, bottom, top],
            turn_of: &[1, 0, 0],
            turns: &turns,
        };
        let candidates = Candidates::find(&surface, motion.start, |_| 1e-3);
        is_free(&surface, &candidates, &motion)
    }

    #[test]
    fn a_point_that_only_rounding_carries_through_an_edge_is_noticed() {
        let at = |x: f64| Vec2::new(x, 0.5);
        assert!(is_free_to_turn(at(1.0), at(0.0), at(4e-9)));
        assert!(!is_free_to_turn(at(1.0), at(0.0), at(1e-8)));

        // Seen from so far away, the gap is less than rounding.
        assert!(!is_free_to_turn(at(5e8), at(0.0), at(0.0)));
        assert!(is_free_to_turn(at(5e8), at(-1e-3), at(-1e-3)));
    }

    /// A point at a height above an edge from (-1, 0) to (1, 0).
    fn above(gap: f64) -> [Vec2; 3] {
        [
            Vec2::new(0.0, gap),
            Vec2::new(-1.0, 0.0),
            Vec2::new(1.0, 0.0),
        ]
    }

    /// True if a point over an edge may come from one gap to another.
    fn keeps(before: f64, after: f64) -> bool {
        let (surface, _) = far_away();
        let candidates = Candidates::find(&surface, &above(0.0), |_| 10.0);
        keeps_gaps(&surface, &candidates, [&above(before), &above(after)])
    }

    #[test]
    fn a_gap_may_shrink_to_a_share_of_itself_or_of_d_hat_and_no_further() {
        let d_hat = far_away().0.reach.most();
        let kept = EDGE_GAP_KEPT;
        for (before, least) in [
            (5.0, kept * d_hat),
            (d_hat, kept * d_hat),
            (1e-9, kept * 1e-9),
        ] {
            assert!(
                keeps(before, 1.01 * least) && !keeps(before, 0.99 * least),
                "{before}"
            );
        }
        assert!(keeps(1e-9, 1e-9) && keeps(1e-9, 1.0));
    }
}

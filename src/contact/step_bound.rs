//! The largest fraction of a step on which nothing touches.

use super::ccd::{NarrowPhase, Query, arc};
use super::half_plane::plane_step;
use super::{Candidates, ContactPair, Surface};
use crate::energy::StepBound;
use crate::geometry::distance::point_edge;
use crate::geometry::path::{RigidPath, Sweep, Trajectory};
use crate::math::{Vec2, parallel};

/// A fraction of a step in `[0, 1]` and the pair that allows no more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// Fraction.
    pub fraction: f64,
    /// The pair; none where `fraction` is 1.
    pub pair: Option<ContactPair>,
}

/// Share of the way to an impact that a step may take.
const IMPACT_SHARE: f64 = 0.9;

/// Share of a gap, if it is below `d_hat`, that one step leaves.
pub const GAP_KEPT: f64 = 0.05;

/// The largest fraction of a motion on which no point of the surface meets an edge or a half-plane. `candidates` must
/// cover it.
pub fn max_step(surface: &Surface, candidates: &Candidates, motion: &Sweep) -> Limit {
    let mut limit = Limit {
        fraction: 1.0,
        pair: None,
    };
    for (index, plane) in surface.planes.iter().enumerate() {
        let bound = StepBound::smallest(surface.points.len(), |k| {
            let i = surface.points[k];
            let separation = surface.separation(i, plane.origin);
            let meet = surface.meet(i, plane.origin);
            if meet {
                plane_step(plane, separation, motion, i)
            } else {
                1.0
            }
        });
        limit.lower(bound, |k| ContactPair::Plane {
            point: surface.points[k],
            plane: index,
        });
    }
    let step = |k: usize, &e: &u32| {
        let toi = time_of_impact(surface, surface.narrow_phase, pair(surface, k, e), motion);
        toi.map_or(1.0, |toi| IMPACT_SHARE * toi)
    };
    let bound = StepBound::smallest(surface.points.len(), |k| {
        candidates
            .edges_near(k)
            .iter()
            .map(|e| step(k, e))
            .fold(1.0, f64::min)
    });
    limit.lower(bound, |k| {
        let first = candidates
            .edges_near(k)
            .iter()
            .min_by(|a, b| step(k, a).total_cmp(&step(k, b)));
        let edge = first.map_or([0; 2], |&e| surface.edges[e as usize]);
        ContactPair::Edge {
            point: surface.points[k],
            edge,
        }
    });
    limit
}

impl Limit {
    fn lower(&mut self, bound: StepBound, pair: impl Fn(usize) -> ContactPair) {
        if let (true, Some(k)) = (bound.fraction < self.fraction, bound.element) {
            *self = Self {
                fraction: bound.fraction,
                pair: Some(pair(k)),
            };
        }
    }
}

/// Whether no point of the surface meets an edge on the way between two stored states, exactly where paths are straight.
///
/// [`max_step`] is about the motion `p`, but what is stored is `x + alpha p`, rounded; far from the origin that rounding is
/// larger than a small gap. Half-planes need no such test: whoever is in front of them at the end has not come through.
pub fn is_free(surface: &Surface, candidates: &Candidates, motion: &Sweep) -> bool {
    let meets = |k: usize| {
        let hit = |&e: &u32| {
            let vertices = pair(surface, k, e);
            if vertices.iter().all(|&i| motion.turning(i).is_none()) {
                return time_of_impact(surface, NarrowPhase::Exact, vertices, motion).is_some();
            }
            let separation =
                surface.separation(vertices[0], vertices[1]) + rounding(vertices, motion);
            meeting(NarrowPhase::Exact, vertices, motion, separation).is_some()
                || meets_off(vertices, motion)
        };
        if candidates.edges_near(k).iter().any(hit) {
            0.0
        } else {
            1.0
        }
    };
    parallel::first_min(surface.points.len(), 1.0, meets)
        .1
        .is_none()
}

/// Whether every point of the surface is, at the second positions, still as far from all edges as [`GAP_KEPT`] times what it
/// was at the first, or `d_hat` if that is less.
///
/// A motion may end anywhere before an impact. Where it ends within rounding of one the barrier is stiffer than anything
/// else by so much that the point does not come off again.
pub fn keeps_gaps(
    surface: &Surface,
    candidates: &Candidates,
    [before, after]: [&[Vec2]; 2],
) -> bool {
    let gap = |k: usize, x: &[Vec2]| {
        let of = |&e: &u32| {
            let [p, a, b] = pair(surface, k, e);
            point_edge(x[p], x[a], x[b]).distance - surface.separation(p, a)
        };
        candidates
            .edges_near(k)
            .iter()
            .map(of)
            .fold(surface.d_hat, f64::min)
    };
    let used_up = |k: usize| {
        let end = gap(k, after);
        let kept = end >= GAP_KEPT * surface.d_hat || end >= GAP_KEPT * gap(k, before);
        if kept { 1.0 } else { 0.0 }
    };
    parallel::first_min(surface.points.len(), 1.0, used_up)
        .1
        .is_none()
}

/// The queries that [`max_step`] asks of straight paths, apart from those that bounding boxes decide.
pub fn queries(surface: &Surface, candidates: &Candidates, motion: &Sweep) -> Vec<Query> {
    let of_point = |k: usize| {
        candidates
            .edges_near(k)
            .iter()
            .map(move |&e| query(pair(surface, k, e), motion))
    };
    (0..surface.points.len())
        .flat_map(of_point)
        .filter(|query| !query.boxes_stay_apart(0.0))
        .collect()
}

fn pair(surface: &Surface, point: usize, edge: u32) -> [usize; 3] {
    let [a, b] = surface.edges[edge as usize];
    [surface.points[point], a, b]
}

fn query(vertices: [usize; 3], motion: &Sweep) -> Query {
    Query {
        start: vertices.map(|i| motion.start[i]),
        end: vertices.map(|i| motion.end[i]),
    }
}

/// When a point meets an edge, if it does.
fn time_of_impact(
    surface: &Surface,
    narrow: NarrowPhase,
    vertices: [usize; 3],
    motion: &Sweep,
) -> Option<f64> {
    meeting(
        narrow,
        vertices,
        motion,
        surface.separation(vertices[0], vertices[1]),
    )
}

/// How far rounding may put positions on curved paths off (m): the farther, the larger a body is and the farther away its
/// centre. A position takes six roundings at most, of half a unit each, and a gap has four of them: its two ends, now and
/// where the chord to now ended.
fn rounding(vertices: [usize; 3], motion: &Sweep) -> f64 {
    const ROUNDINGS: f64 = 12.0 * f64::EPSILON;
    let size = |path: RigidPath| {
        path.motion.center.amax() + path.motion.translation.amax() + path.arm.amax()
    };
    ROUNDINGS
        * vertices
            .iter()
            .filter_map(|&i| motion.turning(i))
            .map(size)
            .fold(0.0, f64::max)
}

/// Whether a point meets an edge between where the vertices are stored and where their curved paths begin or end, which an
/// angle of many digits puts apart.
fn meets_off(vertices: [usize; 3], motion: &Sweep) -> bool {
    let query = query(vertices, motion);
    let envelope = vertices.iter().map(|&i| motion.deviation(i)).sum::<f64>();
    if envelope == 0.0 || query.boxes_stay_apart(envelope) {
        return false;
    }
    let at = |t: f64| vertices.map(|i| motion.path(i).position(t));
    let ways = [
        Query {
            start: query.start,
            end: at(0.0),
        },
        Query {
            start: at(1.0),
            end: query.end,
        },
    ];
    ways.iter()
        .any(|way| way.start != way.end && NarrowPhase::Exact.time_of_impact(way, 0.0).is_some())
}

/// When a point comes as near to an edge as `separation` (m), if it does; `vertices` are the point and the edge's ends.
pub(super) fn meeting(
    narrow: NarrowPhase,
    vertices: [usize; 3],
    motion: &Sweep,
    separation: f64,
) -> Option<f64> {
    let query = query(vertices, motion);
    let deviation = vertices.map(|i| motion.deviation(i));
    let envelope = deviation[0] + deviation[1].max(deviation[2]);
    if envelope == 0.0 {
        return narrow.time_of_impact(&query, separation);
    }
    // Whoever keeps that far from the chords keeps away from the paths.
    if query.boxes_stay_apart(separation + envelope) {
        return None;
    }
    let paths = vertices.map(|i| motion.path(i));
    arc::time_of_impact(
        NarrowPhase::Exact,
        [&paths[0], &paths[1], &paths[2]],
        separation,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::path::RigidMotion;

    /// A point over an edge of length 2, both 1e6 m away from the origin; the gap is one unit in the last place.
    fn far_away() -> (Surface, [Vec2; 3]) {
        let surface = Surface {
            points: vec![0, 1, 2],
            edges: vec![[1, 2]],
            weight: vec![1.0; 3],
            ..Surface::new(vec![0, 1, 1], 1e-3)
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
            assert_eq!(
                is_free(&surface, &candidates, &Sweep::straight(&x, &stored)),
                share < 0.5,
                "{share}"
            );
        }
        assert!(is_free(&surface, &candidates, &Sweep::straight(&x, &x)));
    }

    /// Whether a point of a body that hardly turns is free to go from `from` to `to`; there is an edge at x = 5e-9.
    fn is_free_to_turn(center: Vec2, from: Vec2, to: Vec2) -> bool {
        let (surface, _) = far_away();
        let (bottom, top) = (Vec2::new(5e-9, 0.0), Vec2::new(5e-9, 1.0));
        let turns = [Some(
            RigidMotion {
                center,
                translation: Vec2::zeros(),
                angle: 1e-30,
            }
            .into(),
        )];
        let (start, end) = ([from, bottom, top], [to, bottom, top]);
        let candidates = Candidates::find(&surface, &start, |_| 1e-3);
        is_free(
            &surface,
            &candidates,
            &Sweep {
                start: &start,
                end: &end,
                turn_of: &[1, 0, 0],
                turns: &turns,
            },
        )
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

    #[test]
    fn a_gap_may_shrink_to_a_share_of_itself_or_of_d_hat_and_no_further() {
        let (surface, _) = far_away();
        let at = |gap: f64| {
            [
                Vec2::new(0.0, gap),
                Vec2::new(-1.0, 0.0),
                Vec2::new(1.0, 0.0),
            ]
        };
        let candidates = Candidates::find(&surface, &at(0.0), |_| 10.0);
        let keeps =
            |before: f64, after: f64| keeps_gaps(&surface, &candidates, [&at(before), &at(after)]);
        let (d_hat, kept) = (surface.d_hat, GAP_KEPT);
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

//! Pairs that a motion brings near each other at one time.
//!
//! The box around the path of a vertex that turns far holds most of its body, so that nearly all
//! vertices of two wheels side by side seem to meet. Here the time of the motion is cut into slices
//! in which no body turns far. Boxes around the slices of paths are small, and few of them overlap.

use super::broad::BroadPhase;
use crate::tuning::{MOST_SLICES, SLICE_MOST_TURN, SLICED_FROM_PAIRS, SLICED_FROM_TURN};
use ipcsim_math::geometry::Aabb;
use ipcsim_math::geometry::path::{Sweep, Trajectory};
use ipcsim_math::{Vec2, parallel};

/// A motion in which some bodies turn far.
#[derive(Debug)]
pub(super) struct SlicedCandidates<'a> {
    /// The motion.
    motion: &'a Sweep<'a>,
    /// Number of slices.
    slices: u32,
}

impl<'a> SlicedCandidates<'a> {
    /// Slices of a motion; `None` if no body turns far, or one turns too often.
    pub(super) fn of(motion: &'a Sweep<'a>) -> Option<Self> {
        let turns = motion.turns.iter().flatten();
        let farthest = turns
            .map(|turn| turn.motion.angle.abs())
            .fold(0.0, f64::max);

        let slices = (farthest / SLICE_MOST_TURN).ceil();
        let is_cut = farthest >= SLICED_FROM_TURN && slices <= MOST_SLICES;

        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a whole number up to the most slices"
        )]
        is_cut.then_some(Self {
            motion,
            slices: slices as u32,
        })
    }

    /// True if a vertex is of a body that turns far.
    pub(super) fn turns(&self, vertex: usize) -> bool {
        let path = self.motion.turning(vertex);
        path.is_some_and(|path| path.motion.angle.abs() >= SLICED_FROM_TURN)
    }

    /// True if that many `pairs` of points and edges are worth a search in slices.
    pub(super) fn is_worth(pairs: usize, points: usize, edges: usize) -> bool {
        pairs > SLICED_FROM_PAIRS * (points + edges)
    }

    /// Pairs `(i, j)` of a vertex `points[i]` and an edge between the vertices `edges[j]` that come
    /// near each other and for which `keep(i, j)` holds, sorted.
    ///
    /// Near is where the boxes around a vertex, with the distance `room(vertex)` (m) on each side,
    /// and around an edge overlap at one time.
    pub(super) fn pairs(
        &self,
        points: &[usize],
        edges: &[[usize; 2]],
        room: impl Fn(usize) -> f64,
        keep: impl Fn(u32, u32) -> bool + Sync,
    ) -> Vec<(u32, u32)> {
        let ends = edges.iter().flatten();
        let mut vertices: Vec<usize> = points.iter().chain(ends).copied().collect();
        vertices.sort_unstable();
        vertices.dedup();

        let mut found = Vec::new();
        let mut from: Vec<Vec2> = self.motion.start.to_vec();
        let mut boxes = vec![Aabb::EMPTY; from.len()];
        for slice in 0..self.slices {
            let [start, end] = [slice, slice + 1].map(|k| f64::from(k) / f64::from(self.slices));
            for &vertex in &vertices {
                let path = self.motion.path(vertex);
                let to = path.position(end);
                let around = path.chord_deviation(start, end) + room(vertex);
                boxes[vertex] = Aabb::around([from[vertex], to]).grown(around);
                from[vertex] = to;
            }

            let of_points: Vec<Aabb> = points.iter().map(|&vertex| boxes[vertex]).collect();
            let of_edges: Vec<Aabb> = edges
                .iter()
                .map(|&[a, b]| boxes[a].union(&boxes[b]))
                .collect();
            found.extend(BroadPhase::default().pairs_where(&of_points, &of_edges, &keep));
        }

        parallel::sort(&mut found);
        found.dedup();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ipcsim_math::geometry::distance::point_edge;
    use ipcsim_math::geometry::path::RigidMotion;

    #[test]
    fn pairs_that_meet_at_some_time_are_found_and_others_are_not() {
        // Two wheels side by side that turn once against each other; the edges are spokes' ends.
        let rim = |center: f64, k: usize| {
            let angle = std::f64::consts::TAU * k as f64 / 40.0;
            Vec2::new(center + angle.cos(), angle.sin())
        };
        let start: Vec<Vec2> = (0..40)
            .map(|k| rim(0.0, k))
            .chain((0..40).map(|k| rim(2.02, k)))
            .collect();
        let turn = |center: f64, angle: f64| RigidMotion {
            center: Vec2::new(center, 0.0),
            translation: Vec2::zeros(),
            angle,
        };
        let turns = [Some(turn(0.0, 6.0).into()), Some(turn(2.02, -6.0).into())];
        let turn_of: Vec<u32> = (0..80).map(|k| 1 + k / 40).collect();
        let motion = Sweep {
            start: &start,
            end: &start,
            turn_of: &turn_of,
            turns: &turns,
        };

        let points: Vec<usize> = (0..40).collect();
        let edges: Vec<[usize; 2]> = (0..40).map(|k| [40 + k, 40 + (k + 1) % 40]).collect();
        let way = SlicedCandidates::of(&motion).unwrap();
        let found = way.pairs(&points, &edges, |_| 0.05, |_, _| true);
        assert!(found.len() < 400, "{} of 1600", found.len());

        // Every pair that a fine sampling sees at a distance of 0.05 m is among them.
        let mut met = 0;
        for (i, &point) in (0..).zip(&points) {
            for (j, edge) in (0..).zip(&edges) {
                let least = (0..=2000).map(|k| {
                    let t = f64::from(k) / 2000.0;
                    let [p, a, b] = [point, edge[0], edge[1]].map(|v| motion.path(v).position(t));
                    point_edge(p, a, b).distance
                });
                if least.fold(f64::INFINITY, f64::min) < 0.05 {
                    met += 1;
                    assert!(found.contains(&(i, j)), "{i} {j}");
                }
            }
        }
        assert!(met > 40, "{met}");
    }
}

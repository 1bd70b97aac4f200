//! Pairs that may come near in a direction, in two lists.
//!
//! A list of candidates holds while every vertex stays within a margin of the place where the list
//! was made. The **wide** list has room for the rest of the step; a motion beyond its margins makes
//! a new one, by a search over the whole surface. Most directions are far shorter than a step. They
//! look at the **near** list, the part of the wide one that may come near on the present direction.
//! The pairs left out have no influence on any result, so that nothing depends on when the list is
//! made. Only this list has pairs of edges, which are many and follow from those of points and
//! edges.

use crate::solve::log::Log;
use crate::solve::model::Model;
use crate::solve::timings::Phase;
use crate::tuning::{
    CANDIDATES_AHEAD, CANDIDATES_EDGES, CANDIDATES_LEAST, CANDIDATES_ROOM, CANDIDATES_SHORTER,
};
use ipcsim_contact::{Candidates, Surface};
use ipcsim_math::geometry::path::Sweep;
use ipcsim_math::{Vec2, parallel};

/// The two lists of candidates.
#[derive(Debug, Default)]
pub(super) struct ActiveCandidates {
    /// Pairs that may come near in the step, with margins that directions hardly leave.
    pub(super) wide: Candidates,
    /// The part of them that may come near in the present direction.
    pub(super) near: Candidates,
    /// Longest displacement of a vertex in the direction that they were picked for (m).
    longest: f64,
}

impl ActiveCandidates {
    /// Lists from a wide one.
    pub(super) fn of(wide: Candidates) -> Self {
        Self {
            wide,
            ..Self::default()
        }
    }

    /// Makes both lists hold for a motion, the wide one with room for one to `ahead` (m). Lists that
    /// hold already stay.
    pub(super) fn cover(&mut self, model: &Model, motion: &Sweep, ahead: &[Vec2], log: &mut Log) {
        let Sweep { start, end, .. } = motion;
        let surface = &model.surface;
        let room = |i: usize| CANDIDATES_ROOM * surface.reach.most_of(surface.body[i]);
        let moves = |i: usize| (end[i] - start[i]).amax() + motion.deviation(i);

        // Each vertex has room for some motions like this one, or for the motion ahead.
        let is_new = !self.wide.cover(motion);
        if is_new {
            let way = |i: usize| (ahead[i] - start[i]).amax();
            let least = least_motion(surface, start, way);
            let reach = |i: usize| room(i) + CANDIDATES_AHEAD * moves(i).max(way(i)).max(least);
            log.timings.measure(Phase::BroadPhase, || {
                self.wide.renew(surface, start, reach);
            });
        }

        // The part of the list for motions like this one.
        let longest = || parallel::max(start.len(), 0.0, moves);
        let least = CANDIDATES_ROOM * surface.reach.most();
        let long = CANDIDATES_SHORTER * self.longest;
        let is_long = least < long && longest() < long;
        if is_new || is_long || !self.near.cover(motion) {
            let reach = |i: usize, most: f64| {
                (room(i) + CANDIDATES_AHEAD * moves(i))
                    .min(most)
                    .max(moves(i))
            };
            log.timings.measure(Phase::BroadPhase, || {
                self.near.narrow_to(&self.wide, surface, start, reach);
                self.near.keep_on_way(surface, motion);
                self.near.pair_edges(surface);
            });
            self.longest = longest();
        }
    }
}

/// Motion that every vertex has room for, however little it moves itself (m): others may hit it and push
/// it along.
///
/// It is a share of the longest motion of a step (m), but no longer than edges are, whose
/// neighbours would only make lists longer.
fn least_motion(surface: &Surface, x: &[Vec2], way: impl Fn(usize) -> f64 + Sync) -> f64 {
    let edges = &surface.edges;
    let length = |k: usize| {
        let [a, b] = edges[k];
        (x[b] - x[a]).norm()
    };
    let mean = parallel::sum(edges.len(), length) / edges.len().max(1) as f64;
    let longest = parallel::max(x.len(), 0.0, way);
    (CANDIDATES_LEAST * longest).min(CANDIDATES_EDGES * mean)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::test_problems::{Small, barriers, number};
    use ipcsim_contact::{Contacts, max_step};
    use std::sync::Arc;

    /// Points over the edges of a chain, and where all are.
    fn over_a_chain() -> (Model, Vec<Vec2>) {
        let mut small = Small::default();
        let nodes: Vec<[f64; 2]> = (0..20).map(|k| [0.2 * f64::from(k), 0.0]).collect();
        let first = small.soft(&nodes, 1.0);
        for k in 1..nodes.len() {
            small.edge([first + k - 1, first + k]);
        }
        for k in 0..20 {
            let point = small.point([0.19 * k as f64 + 0.07, 0.12 + 0.06 * number(k)], 1.0);
            small.touch(point);
        }
        let (model, at) = small.model();
        (model, at.x)
    }

    #[test]
    fn the_near_list_finds_what_all_pairs_find_along_directions_of_any_length() {
        let (model, x) = over_a_chain();
        let surface = &model.surface;
        let all = Candidates::find(surface, &x, |_| 1e3);
        let mut nearby = ActiveCandidates::default();
        let mut log = Log::default();
        let mut touching = 0;
        for (k, length) in [1e-3, 0.05, 0.4, 1e-4, 0.02, 1.5, 1e-6, 0.3]
            .into_iter()
            .enumerate()
        {
            let end: Vec<Vec2> = x
                .iter()
                .enumerate()
                .map(|(i, x)| {
                    let by = [2 * i, 2 * i + 1].map(|j| number(100 * k + j));
                    x + Vec2::from(by) * length
                })
                .collect();
            let motion = Sweep::straight(&x, &end);
            nearby.cover(&model, &motion, &x, &mut log);
            assert!(nearby.near.cover(&motion) && nearby.wide.cover(&motion));

            // The bound of the step, and contacts along the motion.
            let bound = max_step(surface, &all, &motion);
            assert_eq!(max_step(surface, &nearby.near, &motion), bound);
            touching += usize::from(bound.fraction < 1.0);
            for t in [0.0, 0.5 * bound.fraction, bound.fraction] {
                let at: Vec<Vec2> = x.iter().zip(&end).map(|(a, b)| a + (b - a) * t).collect();
                let found = [&nearby.near, &all].map(|list| {
                    let contacts = Contacts::find(surface, &barriers(), list, &at);
                    contacts.map(|one| (one.len(), one.min_gap))
                });
                assert_eq!(found[0], found[1], "{length} {t}");
            }
        }
        assert!(touching > 2, "{touching}");
    }

    #[test]
    fn short_directions_after_a_long_one_keep_the_wide_list() {
        let (model, x) = over_a_chain();
        let mut nearby = ActiveCandidates::default();
        let mut log = Log::default();
        let moved = |by: f64| -> Vec<Vec2> { x.iter().map(|x| x + Vec2::new(0.0, by)).collect() };
        let mut cover = |nearby: &mut ActiveCandidates, by: f64| {
            let end = moved(by);
            nearby.cover(&model, &Sweep::straight(&x, &end), &x, &mut log);
        };

        cover(&mut nearby, 0.5);
        let made = Arc::clone(nearby.wide.found_at());
        let longest = nearby.longest;
        for by in [0.4, 0.01, -0.3, 0.6] {
            cover(&mut nearby, by);
            assert!(Arc::ptr_eq(&made, nearby.wide.found_at()), "{by}");
        }

        // The near list was narrowed for the short one, and the wide list is new beyond its margins.
        assert!(nearby.longest > 0.5 && longest == 0.5);
        cover(&mut nearby, 0.01);
        assert!(nearby.longest < 0.02);
        cover(&mut nearby, 2.0);
        assert!(!Arc::ptr_eq(&made, nearby.wide.found_at()));
    }
}

//! Pairs that may come near in a direction, in two lists.
//!
//! A list of candidates holds while every vertex stays within a margin of the place where the list
//! was made. The **wide** list has room for the rest of the step; a motion beyond its margins makes a
//! new one, by a search over the whole surface. Most directions are far shorter than a step. They
//! look at the **near** list, the part of the wide one that may come near on the present direction.
//! What it leaves out has no influence on any result, so that nothing depends on when it is made. It
//! alone has pairs of edges, which are many and follow from those of points and edges.

use crate::solve::log::Log;
use crate::solve::model::Model;
use crate::solve::timings::Phase;
use ipcsim_contact::Candidates;
use ipcsim_math::geometry::path::Sweep;
use ipcsim_math::{Vec2, parallel};

/// Share of `d_hat` by which candidates reach beyond the motion that they are found for. Lower: new
/// lists more often. Higher: longer lists.
const ROOM: f64 = 0.5;
/// Factor by which candidates reach beyond the motion that they are found for. Lower: new lists
/// more often. Higher: longer lists.
const AHEAD: f64 = 1.5;

/// Ratio of the longest way of a vertex to that in the direction that the near list was picked for,
/// below which it is picked again. Lower: longer lists. Higher: lists are picked more often.
const SHORTER: f64 = 0.25;

/// The two lists of candidates.
#[derive(Debug, Default)]
pub(super) struct ActiveCandidates {
    /// Pairs that may come near in the step, with margins that directions hardly leave.
    pub(super) wide: Candidates,
    /// Those of them that may come near in the present direction.
    pub(super) near: Candidates,
    /// Longest way of a vertex in the direction that they were picked for (m).
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
        let room = |i: usize| ROOM * surface.reach.most_of(surface.body[i]);
        let moves = |i: usize| (end[i] - start[i]).amax() + motion.deviation(i);

        // Each vertex has room for some motions like this one, or for the way ahead.
        let is_new = !self.wide.cover(motion);
        if is_new {
            let reach = |i: usize| {
                let way = (ahead[i] - start[i]).amax();
                room(i) + AHEAD * moves(i).max(way)
            };
            log.timings.measure(Phase::BroadPhase, || {
                self.wide.renew(surface, start, reach);
            });
        }

        // The part of the list for motions like this one.
        let longest = || parallel::max(start.len(), 0.0, moves);
        let least = ROOM * surface.reach.most();
        let long = SHORTER * self.longest;
        let is_long = least < long && longest() < long;
        if is_new || is_long || !self.near.cover(motion) {
            let reach = |i: usize, most: f64| (room(i) + AHEAD * moves(i)).min(most).max(moves(i));
            log.timings.measure(Phase::BroadPhase, || {
                self.near.narrow_to(&self.wide, surface, start, reach);
                self.near.keep_on_way(surface, motion);
                self.near.pair_edges(surface);
            });
            self.longest = longest();
        }
    }
}

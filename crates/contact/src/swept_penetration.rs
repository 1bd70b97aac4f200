//! Swept penetration: how deep the direct motion between two states cuts through bodies.
//!
//! Newton's method leads from the start of a step to its end on a path that is free of contact. The
//! direct motion, on which every body moves evenly from start to end, is another path, and stored
//! states suggest it. Both differ a little where a body slides round a corner of another: the
//! direct motion cuts the corner. They differ without bound where a fast body has gone round the
//! end of another one that is free to turn aside: the direct motion leads through that body.
//!
//! # Depth of a cut
//!
//! A vertex that the direct motion leads through a body enters at one place of the outline and
//! leaves at another one. At rest, the chord between these places cuts a piece off the body. The
//! depth of the cut is the largest distance of that piece's outline from the chord, for the one of
//! the two pieces that is less deep:
//!
//! - a corner of 90 degrees that a vertex cuts with a chord `c` has the depth `c / 2`;
//! - a plate that is crossed at a distance `a` from its end has the depth `a`, however thin it is;
//! - a hole and the outside are not on one outline: the depth is infinite.
//!
//! A wire is its own outline on both sides, and a vertex that crosses it goes round one of its
//! ends. In a circle the depth is the largest one that a vertex has below the rim.
//!
//! # How deep a step may cut
//!
//! A step may cut half the [width](SweptPenetrations::width) of the thinner of both bodies: a
//! quarter of the side of a square, half the thickness of a plate. A step that cuts deeper is
//! divided (`time/options/recovery.rs`), since a corner that is passed slowly is hardly cut at all.
//!
//! # Before a step
//!
//! The same test of the motion that all bodies would make without forces finds steps that are too
//! long for an impact ([`Pace::Far`]). A body may overshoot another one that it would pass by an
//! eighth of the depth, so that the body that is hit turns little within the step. Into a body that
//! is wider than its own [size](SweptPenetrations::size) a body may move by four times that size,
//! which is common and no harm. The step of a bullet, which moves farther, is divided until it
//! moves into the other body by no more than a quarter of its size or a 16th of the width of that
//! body: it slides little round the other one while it is stopped ([`Pace::Striking`]).
//!
//! Arcs are replaced by chords that deviate by a small share of that depth.

mod chain;
mod crossing;
mod look;
mod narrow;

use super::Outlines;
use super::broad::BroadPhase;
use crate::tuning::CUT_SHARE;
use chain::Chains;
use ipcsim_math::Vec2;
use ipcsim_math::geometry::Aabb;
use ipcsim_math::geometry::path::Sweep;
use look::Look;
use narrow::narrowest;

/// The direct motion of a vertex through a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SweptPenetration {
    /// Index of the vertex.
    pub vertex: usize,
    /// A vertex of the body that is cut.
    pub through: usize,
    /// Depth of the cut (m); infinite if no detour leads along the outline.
    pub depth: f64,
    /// Largest depth that a step may cut (m).
    pub allowed: f64,
}

impl SweptPenetration {
    /// True if the cut is at most as deep as a step may cut.
    pub fn is_allowed(&self) -> bool {
        self.depth <= self.allowed
    }
}

/// Bodies between which shortcuts are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// All that collide.
    Any,
    /// Bodies that move far enough to cut deeper than a step may.
    Fast,
    /// Bodies that would move so far through or into each other, if nothing stopped them, that the
    /// step is too long for their impact. No body with itself.
    Far,
    /// The same for a step that is divided already, and so may be divided further at little cost.
    Striking,
}

impl Pace {
    /// True if the motion is one that bodies would make without forces.
    fn is_before(self) -> bool {
        matches!(self, Self::Far | Self::Striking)
    }
}

/// Shape of all outlines at rest, by which shortcuts are judged.
#[derive(Clone, Debug, Default)]
pub struct SweptPenetrations {
    /// Outlines as chains of edges.
    chains: Chains,
    /// Width of each body (m), `[bodies]`.
    width: Vec<f64>,
    /// Size of each body (m), `[bodies]`.
    size: Vec<f64>,
    /// Least displacement (m) on which a body may be cut too deep, `[bodies]`.
    narrow: Vec<f64>,
    /// Vertices that collide, ascending, without bodies that nothing can touch.
    points: Vec<usize>,
}

impl SweptPenetrations {
    /// Shape of `outlines` at the positions `rest` (m, `[vertices]`).
    pub fn new(outlines: &Outlines, rest: &[Vec2]) -> Self {
        let chains = Chains::of(outlines, rest);
        let width = chains.widths(outlines);
        let size = chains.sizes(outlines);
        let untouchable = outlines.filter.untouchable(width.len());
        let narrow = narrowest(&chains, outlines, &width, &untouchable);

        let mut points: Vec<usize> = outlines.edges.iter().flatten().copied().collect();
        points.retain(|&vertex| !untouchable[outlines.body[vertex]]);
        points.sort_unstable();
        points.dedup();
        Self {
            chains,
            width,
            size,
            narrow,
            points,
        }
    }

    /// True if nothing collides, so that no motion is a shortcut.
    pub fn are_absent(&self) -> bool {
        self.points.is_empty()
    }

    /// Width of a body (m): twice its area over the length of its outline, which is the thickness
    /// of a plate, half the side of a square and the radius of a circle. A wire has a quarter of
    /// its length, and a point has no width that limits a cut: it is infinite.
    pub fn width(&self, body: usize) -> f64 {
        self.width[body]
    }

    /// Size of a body (m): a quarter of the length of its outline, which is the side of a square. A
    /// point has none.
    pub fn size(&self, body: usize) -> f64 {
        self.size[body]
    }

    /// The vertex of the direct `motion` that cuts deepest, relative to the depth that a step may
    /// cut; `None` if the motion is free. A vertex that ends inside a body has not passed it; at
    /// the pace [`Pace::Far`] it has moved into it, by a depth of the whole displacement.
    pub fn deepest(
        &self,
        outlines: &Outlines,
        motion: &Sweep,
        pace: Pace,
    ) -> Option<SweptPenetration> {
        // Bodies that move, and may meet others.
        let travel = self.travel(outlines, motion);
        let most = travel.iter().copied().fold(0.0, f64::max);
        let least = self.narrow.iter().copied().fold(f64::INFINITY, f64::min);
        if pace != Pace::Any && 2.0 * most < least {
            return None;
        }
        let paths = self.paths(outlines, motion);
        let look = Look {
            shape: self,
            outlines,
            motion,
            busy: self.busy(outlines, &paths, &travel, pace),
            travel: &travel,
            pace,
        };

        // The deepest cut by a vertex, through outlines and circles.
        let mut cuts = look.through_outlines(&paths);
        cuts.extend(look.through_circles(&paths));
        cuts.into_iter()
            .max_by(|a, b| (a.depth / a.allowed).total_cmp(&(b.depth / b.allowed)))
    }

    /// Longest displacement (m) of a vertex of each body, `[bodies]`.
    fn travel(&self, outlines: &Outlines, motion: &Sweep) -> Vec<f64> {
        let mut travel = vec![0.0_f64; self.width.len()];
        for &vertex in &self.points {
            let body = outlines.body[vertex];
            travel[body] = travel[body].max(motion.path(vertex).speed());
        }
        travel
    }

    /// Boxes around the paths of vertices and their circles, `[vertices]`.
    fn paths(&self, outlines: &Outlines, motion: &Sweep) -> Vec<Aabb> {
        let mut paths = vec![Aabb::EMPTY; motion.start.len()];
        for &vertex in &self.points {
            let around = Aabb::around([motion.start[vertex], motion.end[vertex]]);
            paths[vertex] = around.grown(motion.deviation(vertex) + outlines.radius[vertex]);
        }
        paths
    }

    /// Pairs of bodies that may meet, the smaller number first, ascending.
    fn busy(
        &self,
        outlines: &Outlines,
        paths: &[Aabb],
        travel: &[f64],
        pace: Pace,
    ) -> Vec<[usize; 2]> {
        let mut boxes = vec![Aabb::EMPTY; travel.len()];
        for &vertex in &self.points {
            let body = outlines.body[vertex];
            boxes[body] = boxes[body].union(&paths[vertex]);
        }

        let far = |a: usize, b: usize| {
            pace == Pace::Any || travel[a] + travel[b] >= self.narrow[a].min(self.narrow[b])
        };
        let others = BroadPhase::default().self_pairs(&boxes);
        let others = others.into_iter().map(|(a, b)| [a as usize, b as usize]);
        let alone = if pace.is_before() {
            0..0
        } else {
            0..travel.len()
        };
        let alone = alone.map(|body| [body; 2]);
        let mut busy: Vec<[usize; 2]> = others
            .chain(alone)
            .filter(|&[a, b]| outlines.filter.meet(a, b) && far(a, b))
            .collect();
        busy.sort_unstable();
        busy
    }

    /// Largest depth (m) that a step may cut through body `a` or `b` by the other one.
    fn allowed(&self, a: usize, b: usize) -> f64 {
        CUT_SHARE * self.width[a].min(self.width[b])
    }
}

#[cfg(test)]
mod tests;

//! Proof that a motion from a state without intersection leads to none: every vertex against every edge and half-plane that
//! its way comes near, and every triangle.
//!
//! Two edges that are apart cannot meet unless an end of one meets the other first, and a triangle collapses when a vertex of
//! it meets the edge between the others; so both are questions of points and edges. They are decided exactly where
//! vertices move on straight lines and nothing has a radius ([`exact`](super::ccd::exact)), and by certified bounds otherwise
//! ([`arc`](super::ccd::arc)). That nothing touches is what is proved, not that a least separation is kept. Pairs come from
//! the boxes around the ways, not from a solver's candidates.

use super::broad::BroadPhase;
use super::ccd::NarrowPhase;
use super::step_bound::meeting;
use super::{HalfPlane, Outlines};
use crate::geometry::Aabb;
use crate::geometry::path::{Sweep, Trajectory};
use crate::math::{parallel, perp};
use std::ops::AddAssign;

/// How many questions were asked, none of which had an impact for an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Proved {
    /// Pairs of a vertex and an edge on straight paths, decided exactly.
    pub exact: usize,
    /// Pairs on arcs or with a radius, decided by certified bounds.
    pub bounded: usize,
    /// Pairs of a vertex and a half-plane.
    pub planes: usize,
    /// Triangles.
    pub triangles: usize,
}

impl AddAssign for Proved {
    fn add_assign(&mut self, other: Self) {
        self.exact += other.exact;
        self.bounded += other.bounded;
        self.planes += other.planes;
        self.triangles += other.triangles;
    }
}

/// What a motion may not do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Breach {
    /// A vertex meets an edge, or that it does not cannot be shown from this time in `[0, 1]` on.
    Meets {
        /// The vertex.
        point: usize,
        /// The edge.
        edge: [usize; 2],
        /// The time.
        time: f64,
    },
    /// A vertex gets behind a half-plane.
    Behind {
        /// The vertex.
        vertex: usize,
        /// The half-plane.
        plane: usize,
        /// The time.
        time: f64,
    },
    /// A triangle collapses.
    Collapse {
        /// The triangle.
        triangle: [usize; 3],
        /// The time.
        time: f64,
    },
    /// A vertex of a body that turns does not end where its arc ends.
    Off {
        /// The vertex.
        vertex: usize,
        /// How far (m).
        distance: f64,
    },
}

/// Proves motions of one set of outlines and triangles.
#[derive(Debug)]
pub struct Prover<'a> {
    outlines: Outlines<'a>,
    triangles: &'a [[usize; 3]],
    /// Vertices that collide, ascending.
    points: Vec<usize>,
    /// Which vertices have no real edge.
    isolated: Vec<bool>,
}

/// Pieces that a way before a half-plane may be divided into.
const MAX_PIECES: usize = 1 << 16;
/// Roundings of a vertex that is carried along an arc, relative to its coordinates and to its way.
const ROUNDINGS: f64 = 64.0 * f64::EPSILON;

impl<'a> Prover<'a> {
    /// Of these outlines and triangles.
    pub fn new(outlines: Outlines<'a>, triangles: &'a [[usize; 3]]) -> Self {
        let mut points: Vec<usize> = outlines.edges.iter().flatten().copied().collect();
        points.sort_unstable();
        points.dedup();
        let mut isolated = vec![false; outlines.body.len()];
        outlines
            .edges
            .iter()
            .filter(|[a, b]| a == b)
            .for_each(|edge| isolated[edge[0]] = true);
        Self {
            outlines,
            triangles,
            points,
            isolated,
        }
    }

    /// Proves that nothing meets and no triangle collapses while `motion` goes on.
    ///
    /// # Errors
    /// What does, or cannot be shown not to.
    pub fn prove(&self, motion: &Sweep) -> Result<Proved, Breach> {
        stay_on_arcs(motion)?;
        let planes = self.stay_in_front(motion)?;
        let pairs = self.pairs(motion);
        let bounded = self.stay_apart(&pairs, motion)?;
        self.stay_upright(motion)?;
        Ok(Proved {
            exact: pairs.len() - bounded,
            bounded,
            planes,
            triangles: self.triangles.len(),
        })
    }

    fn stay_in_front(&self, motion: &Sweep) -> Result<usize, Breach> {
        let mut count = 0;
        for (index, plane) in self.outlines.planes.iter().enumerate() {
            let meets = |&&vertex: &&usize| self.meet(vertex, plane.origin);
            let points: Vec<usize> = self.points.iter().filter(meets).copied().collect();
            let behind = |k: usize| {
                behind(plane, self.outlines.radius[points[k]], motion, points[k]).unwrap_or(2.0)
            };
            if let (time, Some(k)) = parallel::first_min(points.len(), 2.0, behind) {
                return Err(Breach::Behind {
                    vertex: points[k],
                    plane: index,
                    time,
                });
            }
            count += points.len();
        }
        Ok(count)
    }

    fn meet(&self, a: usize, b: usize) -> bool {
        self.outlines
            .filter
            .meet(self.outlines.body[a], self.outlines.body[b])
    }

    /// The points and edges whose ways come near each other.
    fn pairs(&self, motion: &Sweep) -> Vec<[usize; 3]> {
        let Outlines { edges, radius, .. } = self.outlines;
        let way = |vertex: usize| {
            let ends = [motion.start[vertex], motion.end[vertex]];
            let around = Aabb::around(ends);
            let grown = motion.deviation(vertex) + radius[vertex];
            let rounding = ROUNDINGS * (grown + ends[0].amax() + ends[1].amax());
            if grown > 0.0 {
                around.grown(grown + rounding)
            } else {
                around
            }
        };
        let ways: Vec<Aabb> = (0..motion.start.len()).map(way).collect();
        let of_points: Vec<Aabb> = self.points.iter().map(|&i| ways[i]).collect();
        let of_edges: Vec<Aabb> = edges
            .iter()
            .map(|&[a, b]| ways[a].union(&ways[b]))
            .collect();
        let is_pair = |i: u32, j: u32| {
            let (point, [a, b]) = (self.points[i as usize], edges[j as usize]);
            let counted = a != b || self.isolated[point] && point < a;
            counted && point != a && point != b && self.meet(point, a)
        };
        let pairs = BroadPhase::default().pairs_where(&of_points, &of_edges, is_pair);
        let vertices = |(i, j): (u32, u32)| {
            let [a, b] = edges[j as usize];
            [self.points[i as usize], a, b]
        };
        pairs.into_iter().map(vertices).collect()
    }

    /// The number of pairs that are not decided exactly.
    fn stay_apart(&self, pairs: &[[usize; 3]], motion: &Sweep) -> Result<usize, Breach> {
        let radius =
            |[point, a, _]: [usize; 3]| self.outlines.radius[point] + self.outlines.radius[a];
        let impact = |k: usize| {
            meeting(NarrowPhase::Exact, pairs[k], motion, radius(pairs[k])).unwrap_or(2.0)
        };
        if let (time, Some(k)) = parallel::first_min(pairs.len(), 2.0, impact) {
            let [point, a, b] = pairs[k];
            return Err(Breach::Meets {
                point,
                edge: [a, b],
                time,
            });
        }
        let bounded = |&&pair: &&[usize; 3]| {
            radius(pair) > 0.0 || pair.iter().any(|&i| motion.deviation(i) > 0.0)
        };
        Ok(pairs.iter().filter(bounded).count())
    }

    fn stay_upright(&self, motion: &Sweep) -> Result<(), Breach> {
        let collapse = |k: usize| {
            let [a, b, c] = self.triangles[k];
            let sides = [[a, b, c], [b, c, a], [c, a, b]];
            sides
                .iter()
                .filter_map(|&side| meeting(NarrowPhase::Exact, side, motion, 0.0))
                .fold(2.0, f64::min)
        };
        match parallel::first_min(self.triangles.len(), 2.0, collapse) {
            (time, Some(k)) => Err(Breach::Collapse {
                triangle: self.triangles[k],
                time,
            }),
            _ => Ok(()),
        }
    }
}

/// What is stored is the end of the arc, up to rounding.
fn stay_on_arcs(motion: &Sweep) -> Result<(), Breach> {
    let off = |vertex: usize| {
        let path = motion.turning(vertex)?;
        let reach = path.arm.norm() * (1.0 + path.motion.angle.abs());
        let distance = (path.position(1.0) - motion.end[vertex]).amax();
        let allowed = ROUNDINGS * (motion.end[vertex].amax() + path.motion.center.amax() + reach);
        (distance.is_nan() || distance > allowed).then_some(Breach::Off { vertex, distance })
    };
    (0..motion.end.len()).find_map(off).map_or(Ok(()), Err)
}

/// The time up to which a vertex certainly is in front of a half-plane, up to rounding, or `None` if it is all the way.
///
/// Between two times the gap is at least the smaller of the gaps there less a slack: how far paths leave their chords or,
/// where the half-plane turns, half of what the gap can lose and win again at its largest rate.
fn behind(plane: &HalfPlane, radius: f64, motion: &Sweep, vertex: usize) -> Option<f64> {
    let [point, origin] = [vertex, plane.origin].map(|i| motion.path(i));
    let tip = plane.along.map(|tip| (tip, motion.path(tip)));
    // Straight paths end where they are stored to end, to the last bit.
    let place = |i: usize, path: &dyn Trajectory, t: f64| {
        if t >= 1.0 {
            motion.end[i]
        } else {
            path.position(t)
        }
    };
    let arm = |t: f64| place(vertex, &point, t) - place(plane.origin, &origin, t);
    let normal = |t: f64| match &tip {
        Some((i, tip)) => perp((place(*i, tip, t) - place(plane.origin, &origin, t)).normalize()),
        None => plane.normal,
    };
    let gap = |t: f64| normal(t).dot(&arm(t)) - radius;
    let turn = tip
        .and_then(|(i, _)| motion.turning(i))
        .map_or(0.0, |path| path.motion.angle.abs());
    let speed = point.speed() + origin.speed();
    let slack = |t: f64, t1: f64| {
        if turn > 0.0 {
            0.5 * (turn * (arm(t).norm() + speed * (t1 - t)) + speed) * (t1 - t)
        } else {
            point.chord_deviation(t, t1) + origin.chord_deviation(t, t1)
        }
    };
    let (mut t, mut length, mut now) = (0.0, 1.0, gap(0.0));
    for _ in 0..MAX_PIECES {
        let t1 = f64::min(t + length, 1.0);
        let then = gap(t1);
        if now > slack(t, t1) && then > slack(t, t1) {
            (t, now, length) = (t1, then, 2.0 * length);
        } else {
            length *= 0.5;
        }
        if t >= 1.0 {
            return None;
        }
        if t + length <= t {
            break;
        }
    }
    Some(t)
}

#[cfg(test)]
mod tests;

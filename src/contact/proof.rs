//! Proof that a motion from a state without intersections leads to a state without intersections.
//!
//! The proof covers every vertex against every edge and half-plane near its path, and every
//! triangle. Two edges that are apart cannot meet unless an end of one meets the other first, and a
//! triangle collapses when a vertex of it meets the opposite edge; so both are questions of points
//! and edges. They are decided exactly where vertices move on straight lines and nothing has a
//! radius ([`exact`](super::ccd::exact)), and by certified bounds otherwise
//! ([`arc`](super::ccd::arc)).
//!
//! What is proved is that nothing touches, not that a least separation is kept. Pairs come from
//! boxes around the paths, not from a solver's candidates.

use super::broad::BroadPhase;
use super::ccd::NarrowPhase;
use super::step_bound::meeting;
use super::tuning::PROOF_MAX_PIECES;
use super::{HalfPlane, Outlines};
use crate::geometry::Aabb;
use crate::geometry::path::{Sweep, Trajectory, VertexPath};
use crate::math::{Vec2, parallel, perp};
use std::ops::AddAssign;

/// Bound of the rounding errors of a vertex on an arc, relative to its coordinates and to the
/// length of its path.
const ARC_ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Time of an impact that does not happen.
const NEVER: f64 = 2.0;

/// Numbers of decisions that a proof consists of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Proved {
    /// Pairs of a vertex and an edge on straight paths, decided exactly.
    pub exact: usize,
    /// Pairs of a vertex and an edge on arcs or with a radius, decided by certified bounds.
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

/// Reason why a motion is not proved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Breach {
    /// A vertex meets an edge, or may meet it from this time on.
    Meets {
        /// Index of the vertex.
        point: usize,
        /// Both ends of the edge.
        edge: [usize; 2],
        /// Time in `[0, 1]`.
        time: f64,
    },
    /// A vertex gets behind a half-plane.
    Behind {
        /// Index of the vertex.
        vertex: usize,
        /// Index of the half-plane.
        plane: usize,
        /// Time in `[0, 1]`.
        time: f64,
    },
    /// A triangle collapses.
    Collapse {
        /// Vertices of the triangle.
        triangle: [usize; 3],
        /// Time in `[0, 1]`.
        time: f64,
    },
    /// The stored end of a vertex on a body that turns is not the end of its arc.
    Off {
        /// Index of the vertex.
        vertex: usize,
        /// Distance between both ends (m).
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
    /// Marks vertices without a real edge.
    isolated: Vec<bool>,
}

impl<'a> Prover<'a> {
    /// A prover for these outlines and triangles.
    pub fn new(outlines: Outlines<'a>, triangles: &'a [[usize; 3]]) -> Self {
        let mut points: Vec<usize> = outlines.edges.iter().flatten().copied().collect();
        points.sort_unstable();
        points.dedup();

        let mut isolated = vec![false; outlines.body.len()];
        for &[a, b] in outlines.edges {
            if a == b {
                isolated[a] = true;
            }
        }
        Self {
            outlines,
            triangles,
            points,
            isolated,
        }
    }

    /// Proves that nothing meets and no triangle collapses during `motion`.
    ///
    /// # Errors
    /// The first breach, or the first pair that cannot be decided.
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

    /// Proves that vertices stay in front of half-planes; returns the number of pairs.
    fn stay_in_front(&self, motion: &Sweep) -> Result<usize, Breach> {
        let mut count = 0;
        for (index, plane) in self.outlines.planes.iter().enumerate() {
            let mut points = self.points.clone();
            points.retain(|&vertex| self.meet(vertex, plane.origin));
            let time_behind = |k: usize| {
                let front = Front::new(plane, self.outlines.radius[points[k]], motion, points[k]);
                front.time_behind().unwrap_or(NEVER)
            };
            if let (time, Some(k)) = parallel::first_min(points.len(), NEVER, time_behind) {
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

    /// Points and edges whose paths come near each other: `[point, edge start, edge end]`.
    fn pairs(&self, motion: &Sweep) -> Vec<[usize; 3]> {
        let edges = self.outlines.edges;
        let paths: Vec<Aabb> = (0..motion.start.len())
            .map(|vertex| self.path_box(vertex, motion))
            .collect();
        let of_points: Vec<Aabb> = self.points.iter().map(|&i| paths[i]).collect();
        let of_edges: Vec<Aabb> = edges
            .iter()
            .map(|&[a, b]| paths[a].union(&paths[b]))
            .collect();

        let is_pair = |i: u32, j: u32| {
            let point = self.points[i as usize];
            let [a, b] = edges[j as usize];
            let counted = a != b || self.isolated[point] && point < a;
            counted && point != a && point != b && self.meet(point, a)
        };
        BroadPhase::default()
            .pairs_where(&of_points, &of_edges, is_pair)
            .into_iter()
            .map(|(i, j)| {
                let [a, b] = edges[j as usize];
                [self.points[i as usize], a, b]
            })
            .collect()
    }

    /// Box around the path of a vertex and its circle.
    fn path_box(&self, vertex: usize, motion: &Sweep) -> Aabb {
        let ends = [motion.start[vertex], motion.end[vertex]];
        let around = Aabb::around(ends);
        let grown = motion.deviation(vertex) + self.outlines.radius[vertex];
        if grown > 0.0 {
            let rounding = ARC_ROUNDING * (grown + ends[0].amax() + ends[1].amax());
            around.grown(grown + rounding)
        } else {
            around
        }
    }

    /// Proves that points stay apart from edges; returns the number of pairs that are not decided
    /// exactly.
    fn stay_apart(&self, pairs: &[[usize; 3]], motion: &Sweep) -> Result<usize, Breach> {
        let radius =
            |[point, a, _]: [usize; 3]| self.outlines.radius[point] + self.outlines.radius[a];
        let impact = |k: usize| {
            let toi = meeting(NarrowPhase::Exact, pairs[k], motion, radius(pairs[k]));
            toi.unwrap_or(NEVER)
        };
        if let (time, Some(k)) = parallel::first_min(pairs.len(), NEVER, impact) {
            let [point, a, b] = pairs[k];
            return Err(Breach::Meets {
                point,
                edge: [a, b],
                time,
            });
        }

        let is_bounded = |pair: [usize; 3]| {
            radius(pair) > 0.0 || pair.iter().any(|&i| motion.deviation(i) > 0.0)
        };
        Ok(pairs.iter().filter(|pair| is_bounded(**pair)).count())
    }

    /// Proves that no triangle collapses.
    fn stay_upright(&self, motion: &Sweep) -> Result<(), Breach> {
        let collapse = |k: usize| {
            let [a, b, c] = self.triangles[k];
            let sides = [[a, b, c], [b, c, a], [c, a, b]];
            sides
                .iter()
                .filter_map(|&side| meeting(NarrowPhase::Exact, side, motion, 0.0))
                .fold(NEVER, f64::min)
        };
        match parallel::first_min(self.triangles.len(), NEVER, collapse) {
            (time, Some(k)) => Err(Breach::Collapse {
                triangle: self.triangles[k],
                time,
            }),
            _ => Ok(()),
        }
    }
}

/// Proves that stored ends of vertices are those of their arcs, up to rounding.
fn stay_on_arcs(motion: &Sweep) -> Result<(), Breach> {
    for vertex in 0..motion.end.len() {
        let Some(path) = motion.turning(vertex) else {
            continue;
        };
        let reach = path.arm.norm() * (1.0 + path.motion.angle.abs());
        let distance = (path.position(1.0) - motion.end[vertex]).amax();
        let size = motion.end[vertex].amax() + path.motion.center.amax() + reach;
        if distance.is_nan() || distance > ARC_ROUNDING * size {
            return Err(Breach::Off { vertex, distance });
        }
    }
    Ok(())
}

/// A vertex before a half-plane, both in motion.
struct Front<'a> {
    plane: &'a HalfPlane,
    /// Radius of the vertex (m).
    radius: f64,
    motion: &'a Sweep<'a>,
    vertex: usize,
    /// Paths of the vertex, the half-plane's origin and, if it turns, the vertex on its line.
    point: VertexPath,
    origin: VertexPath,
    tip: Option<(usize, VertexPath)>,
    /// Angle by which the half-plane turns (rad).
    turn: f64,
    /// Bound of the speeds of point and origin together (m per unit of time).
    speed: f64,
}

impl<'a> Front<'a> {
    fn new(plane: &'a HalfPlane, radius: f64, motion: &'a Sweep<'a>, vertex: usize) -> Self {
        let point = motion.path(vertex);
        let origin = motion.path(plane.origin);
        let turn = plane
            .along
            .and_then(|tip| motion.turning(tip))
            .map_or(0.0, |path| path.motion.angle.abs());
        Self {
            plane,
            radius,
            motion,
            vertex,
            point,
            origin,
            tip: plane.along.map(|tip| (tip, motion.path(tip))),
            turn,
            speed: point.speed() + origin.speed(),
        }
    }

    /// Position of a vertex. Straight paths end where they are stored to end, to the last bit.
    fn place(&self, vertex: usize, path: &VertexPath, t: f64) -> Vec2 {
        if t >= 1.0 {
            self.motion.end[vertex]
        } else {
            path.position(t)
        }
    }

    /// Vector from the origin to the point.
    fn arm(&self, t: f64) -> Vec2 {
        self.place(self.vertex, &self.point, t) - self.place(self.plane.origin, &self.origin, t)
    }

    fn gap(&self, t: f64) -> f64 {
        let normal = match &self.tip {
            Some((i, tip)) => {
                let along = self.place(*i, tip, t) - self.place(self.plane.origin, &self.origin, t);
                perp(along.normalize())
            }
            None => self.plane.normal,
        };
        normal.dot(&self.arm(t)) - self.radius
    }

    /// Bound of what the gap loses and wins again between two times, relative to the smaller of the
    /// gaps there.
    ///
    /// Without a turn these are the distances of paths from their chords; with one it is half of
    /// what the gap can lose at its largest rate.
    fn slack(&self, t: f64, t1: f64) -> f64 {
        if self.turn > 0.0 {
            let reach = self.arm(t).norm() + self.speed * (t1 - t);
            0.5 * (self.turn * reach + self.speed) * (t1 - t)
        } else {
            self.point.chord_deviation(t, t1) + self.origin.chord_deviation(t, t1)
        }
    }

    /// Time up to which the vertex certainly is in front of the half-plane, up to rounding; `None`
    /// if it is throughout.
    fn time_behind(&self) -> Option<f64> {
        let mut t = 0.0;
        let mut length = 1.0;
        let mut now = self.gap(0.0);
        for _ in 0..PROOF_MAX_PIECES {
            let t1 = f64::min(t + length, 1.0);
            let then = self.gap(t1);
            let slack = self.slack(t, t1);
            if now > slack && then > slack {
                t = t1;
                now = then;
                length *= 2.0;
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
}

#[cfg(test)]
mod tests;

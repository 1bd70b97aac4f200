//! Proof that a moving vertex stays in front of a moving half-plane.
//!
//! The motion is divided into pieces. On a piece the gap is proved to be positive if it exceeds at
//! both ends the amount that it can lose and regain in between. Pieces grow while that succeeds and
//! shrink where it fails.

use crate::HalfPlane;
use crate::tuning::PROOF_MAX_PIECES;
use ipcsim_math::geometry::path::{Sweep, Trajectory, VertexPath};
use ipcsim_math::{Vec2, perp};

/// A vertex before a half-plane, both in motion.
pub(super) struct Front<'a> {
    /// The half-plane.
    plane: &'a HalfPlane,
    /// Radius of the vertex (m).
    radius: f64,
    /// Motion of all vertices.
    motion: &'a Sweep<'a>,
    /// Number of the vertex.
    vertex: usize,
    /// Path of the vertex.
    point: VertexPath,
    /// Path of the half-plane's origin.
    origin: VertexPath,
    /// If the half-plane turns, the other vertex on its line, and the path of that vertex.
    tip: Option<(usize, VertexPath)>,
    /// Angle by which the half-plane turns (rad).
    turn: f64,
    /// Bound of the speeds of point and origin together (m per unit of time).
    speed: f64,
}

impl<'a> Front<'a> {
    /// A vertex of the given radius (m) before a half-plane.
    pub(super) fn new(
        plane: &'a HalfPlane,
        radius: f64,
        motion: &'a Sweep<'a>,
        vertex: usize,
    ) -> Self {
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

    /// Position of a vertex at time `t` (m). Straight paths end where they are stored to end, to
    /// the last bit.
    fn place(&self, vertex: usize, path: &VertexPath, t: f64) -> Vec2 {
        if t >= 1.0 {
            self.motion.end[vertex]
        } else {
            path.position(t)
        }
    }

    /// Vector from the origin to the point at time `t` (m).
    fn arm(&self, t: f64) -> Vec2 {
        self.place(self.vertex, &self.point, t) - self.place(self.plane.origin, &self.origin, t)
    }

    /// Gap between the vertex and the half-plane at time `t` (m), up to rounding.
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

    /// Bound of the part of the gap that is lost and regained between two times, relative to the
    /// smaller of the gaps there.
    ///
    /// Without a turn these are the distances of paths from their chords; with one it is half of
    /// the largest loss at the gap's largest rate.
    fn slack(&self, t: f64, t1: f64) -> f64 {
        if self.turn > 0.0 {
            let reach = self.arm(t).norm() + self.speed * (t1 - t);
            0.5 * (self.turn * reach + self.speed) * (t1 - t)
        } else {
            self.point.chord_deviation(t, t1) + self.origin.chord_deviation(t, t1)
        }
    }

    /// Time in `[0, 1]` up to which the vertex certainly is in front of the half-plane, up to
    /// rounding; `None` if it is throughout.
    ///
    /// Pieces of the motion double in length after a success and are halved after a failure.
    pub(super) fn time_behind(&self) -> Option<f64> {
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

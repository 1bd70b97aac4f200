//! Smallest gaps between bodies, whatever the barrier reaches.

use super::{Candidates, Surface};
use ipcsim_math::Vec2;
use ipcsim_math::geometry::distance::point_edge;
use std::collections::BTreeMap;

/// Smallest gap between two bodies.
#[derive(Clone, Copy, Debug)]
pub struct Gap {
    /// Distance `d` of the nearest point and edge, or point and half-plane (m).
    pub distance: f64,
    /// Part `s` of the distance that the barrier does not count: radii and separation (m).
    pub separation: f64,
    /// Position of the nearest point (m).
    pub place: Vec2,
    /// Unit vector along which the body with the smaller number moves away from the other. It is
    /// zero where the point lies on the edge.
    pub away: Vec2,
}

impl Gap {
    /// Distance that the barrier counts, `g = d - s` (m); 0 or less where it is infinite.
    pub fn left(&self) -> f64 {
        self.distance - self.separation
    }
}

/// Smallest gaps found so far, for each pair of different bodies.
struct Nearest<'a> {
    /// Surface whose vertices and half-planes are measured.
    surface: &'a Surface,
    /// Positions of the vertices, `[vertices]` (m).
    x: &'a [Vec2],
    /// Smallest gap of each pair, by the numbers of the bodies in ascending order.
    gaps: BTreeMap<[usize; 2], Gap>,
}

/// Smallest gap at positions `x` (m, `[vertices]`) of every two different bodies within reach of
/// contact, and of every body and half-plane.
///
/// Keys are the numbers of the two bodies, the smaller one first.
pub fn nearest_gaps(surface: &Surface, x: &[Vec2]) -> BTreeMap<[usize; 2], Gap> {
    let mut nearest = Nearest {
        surface,
        x,
        gaps: BTreeMap::new(),
    };

    // Points near edges, and points above half-planes.
    let candidates = Candidates::find(surface, x, |_| 0.0);
    for (k, &point) in surface.points.iter().enumerate() {
        for &edge in candidates.edges_near(k) {
            nearest.look_at_edge(point, surface.edges[edge as usize]);
        }
        nearest.look_at_planes(point);
    }
    nearest.gaps
}

impl Nearest<'_> {
    /// Measures a vertex against an edge with the ends `a` and `b`. Nothing happens if both belong
    /// to one body.
    fn look_at_edge(&mut self, point: usize, [a, b]: [usize; 2]) {
        let x = self.x;
        if self.surface.body[a] == self.surface.body[point] {
            return;
        }

        let near = point_edge(x[point], x[a], x[b]);
        let foot = x[a] + (x[b] - x[a]) * near.t;
        let away = (x[point] - foot)
            .try_normalize(0.0)
            .unwrap_or_else(Vec2::zeros);
        self.add(point, a, near.distance, away);
    }

    /// Measures a vertex against every half-plane that its body collides with.
    fn look_at_planes(&mut self, point: usize) {
        let x = self.x;
        let surface = self.surface;
        let planes = surface.planes.iter();
        for plane in planes.filter(|plane| surface.meet(point, plane.origin)) {
            let away = plane.normal_at(x);
            let distance = away.dot(&(x[point] - x[plane.origin]));
            self.add(point, plane.origin, distance, away);
        }
    }

    /// Keeps a gap of `distance` (m) between vertex `point` and the body of vertex `other` if it
    /// is the smallest of the two bodies. The vertex moves away along the unit vector `away`.
    fn add(&mut self, point: usize, other: usize, distance: f64, away: Vec2) {
        let own = self.surface.body[point];
        let others = self.surface.body[other];

        let mut gap = Gap {
            distance,
            separation: self.surface.separation(point, other),
            place: self.x[point],
            away,
        };
        // The direction belongs to the body with the smaller number.
        if own > others {
            gap.away = -gap.away;
        }

        let pair = [own.min(others), own.max(others)];
        let least = self.gaps.entry(pair).or_insert(gap);
        if gap.left() < least.left() {
            *least = gap;
        }
    }
}

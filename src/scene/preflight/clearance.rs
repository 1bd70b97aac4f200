//! Gaps at the start that are too small for the barrier.
//!
//! The barrier is infinite at a gap of 0 and very stiff just above it. A scene whose bodies start
//! almost in contact can be built, but its first step throws the bodies apart. This room measures
//! the smallest gap `g = d - s` of every two bodies, where `d` is the distance of a point from an
//! edge or a half-plane, and `s` are the radii of circles plus `contact.min_separation`:
//!
//! - `g <= 0` is an error, as the barrier has no finite value there;
//! - `0 < g < 1e-4 d_hat` is a warning;
//! - overlaps are left to [`crate::scene::overlap`], which reports each of them once.
//!
//! Candidates for contact give the pairs, so that bodies farther apart than `d_hat` cost nothing.
//! The command that repairs scenes asks for the directions in which such bodies move apart.

use crate::contact::{Candidates, Surface};
use crate::geometry::distance::point_edge;
use crate::math::Vec2;
use crate::math::number::short;
use crate::scene::assemble::Setup;
use crate::scene::overlap::Overlap;
use crate::scene::problem::Problem;
use std::collections::BTreeMap;

/// Share of `d_hat` (1) below which a gap at the start is reported.
///
/// At this gap the barrier pushes with `kappa / 2` divided by the share, 1e4 times its usual
/// pressure, and bodies fly apart in the first step.
const HARD: f64 = 1e-4;

/// Largest number of pairs of bodies that are reported. More would hide other problems.
const LISTED: usize = 20;

/// Smallest gap between two bodies at the start.
#[derive(Clone, Copy)]
struct Gap {
    /// Distance `d` of the nearest point and edge, or point and half-plane (m).
    distance: f64,
    /// Part `s` of the distance that the barrier does not count: radii and separation (m).
    separation: f64,
    /// Position of the nearest point (m).
    place: Vec2,
    /// Unit vector along which the body with the smaller number moves away from the other. It is
    /// zero where the point lies on the edge.
    away: Vec2,
}

impl Gap {
    /// Distance that the barrier counts, `g = d - s` (m); 0 or less where it is infinite.
    fn left(&self) -> f64 {
        self.distance - self.separation
    }
}

/// Smallest gaps found so far, for each pair of different bodies.
struct Nearest<'a> {
    /// Surface whose vertices and half-planes are measured.
    surface: &'a Surface,
    /// Positions of the vertices at the start, `[vertices]` (m).
    x: &'a [Vec2],
    /// Smallest gap of each pair, by the numbers of the bodies in ascending order.
    gaps: BTreeMap<[usize; 2], Gap>,
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
        // The direction is that of the body with the smaller number.
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

/// Pairs of bodies whose gap at the start is a warning, each with the smaller number first.
pub(super) fn hard(setup: &Setup) -> Vec<[usize; 2]> {
    let d_hat = setup.world.model.surface.d_hat;
    let gaps = gaps(setup).into_iter();
    gaps.filter(|(_, gap)| gap.left() < HARD * d_hat)
        .map(|(pair, _)| pair)
        .collect()
}

/// Pairs of bodies that start too near to each other without overlapping: those with a tiny gap, and
/// the `pushed` ones.
///
/// Each comes with the unit vector along which the first body moves away from the second. Pairs
/// are sorted by the numbers of their bodies, the smaller one first.
#[cfg(feature = "scene")]
pub(super) fn ways_away(
    overlaps: &[Overlap],
    pushed: &[[usize; 2]],
    setup: &Setup,
) -> Vec<([usize; 2], Vec2)> {
    let d_hat = setup.world.model.surface.d_hat;
    let mut gaps = gaps(setup);
    gaps.retain(|pair, gap| {
        let is_near = gap.left() < HARD * d_hat || pushed.contains(pair);
        is_near && overlaps.iter().all(|overlap| overlap.bodies != *pair)
    });

    gaps.into_iter()
        .map(|(pair, gap)| (pair, gap.away))
        .collect()
}

/// Errors for bodies within `min_separation`, and warnings for gaps at which the barrier explodes.
///
/// At most [`LISTED`] problems are returned. Pairs in `overlaps` are left out: they are reported
/// already.
pub(super) fn problems(overlaps: &[Overlap], setup: &Setup) -> Vec<Problem> {
    let mut gaps = gaps(setup);
    for overlap in overlaps {
        gaps.remove(&overlap.bodies);
    }

    let found = gaps
        .into_iter()
        .filter_map(|(pair, gap)| problem(pair, gap, setup));
    found.take(LISTED).collect()
}

/// Error or warning of a pair of bodies; `None` if the gap between them is wide enough.
fn problem([one, other]: [usize; 2], gap: Gap, setup: &Setup) -> Option<Problem> {
    let surface = &setup.world.model.surface;
    let d_hat = surface.d_hat;
    let least = surface.min_separation;
    let kappa = setup.world.barrier.kappa;
    let [a, b] = [one, other].map(|body| &setup.world.bodies[body].name);
    let left = gap.left();

    // Nothing is left for the barrier.
    if left <= 0.0 {
        let message = format!(
            "\"{a}\" starts {} m from \"{b}\", not farther than contact.min_separation, {} m; \
             move it away, or lower min_separation",
            short(left + least),
            short(least)
        );
        return Some(Problem::error(&setup.paths[one], message).at(gap.place));
    }

    // Little is left, and the barrier is stiff.
    (left < HARD * d_hat).then(|| {
        let message = format!(
            "\"{a}\" starts {} m from \"{b}\", a {:.0}th of d_hat, {} m; the barrier will push \
             them apart with {:.0e} Pa; move it away by d_hat",
            short(left),
            d_hat / left,
            short(d_hat),
            0.5 * kappa * d_hat / left
        );
        Problem::warning(&setup.paths[one], message).at(gap.place)
    })
}

/// Smallest gap of every two different bodies within reach of contact.
///
/// Keys are the numbers of the two bodies, the smaller one first.
fn gaps(setup: &Setup) -> BTreeMap<[usize; 2], Gap> {
    let surface = &setup.world.model.surface;
    let x = &setup.state.x;
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

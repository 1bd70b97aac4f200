//! Gaps at the start that are too small for the barrier.

use crate::contact::Candidates;
use crate::geometry::distance::point_edge;
use crate::math::Vec2;
use crate::math::number::short;
use crate::scene::assemble::Setup;
use crate::scene::overlap::Overlap;
use crate::scene::problem::Problem;
use std::collections::BTreeMap;

/// Share of `d_hat` (1) below which a gap at the start is reported. The barrier pushes with `kappa / 2`
/// divided by this share, 1e4 times its usual pressure: bodies fly apart in the first step.
const HARD: f64 = 1e-4;

/// Largest number of pairs that are reported. More would hide other problems.
const LISTED: usize = 20;

/// Smallest gap between two bodies.
#[derive(Clone, Copy)]
struct Gap {
    /// Distance of the nearest point and edge, or point and half-plane (m).
    distance: f64,
    /// Part of the distance that the barrier does not count: radii and separation (m).
    separation: f64,
    /// Position of the nearest point (m).
    place: Vec2,
    /// Unit vector along which the body with the smaller number moves away from the other.
    away: Vec2,
}

impl Gap {
    /// Distance that the barrier counts (m).
    fn left(&self) -> f64 {
        self.distance - self.separation
    }
}

/// Pairs of bodies that start too near to each other, each with the unit vector along which the first
/// moves away from the second.
#[cfg(feature = "scene")]
pub(in crate::scene) fn ways_away(overlaps: &[Overlap], setup: &Setup) -> Vec<([usize; 2], Vec2)> {
    let d_hat = setup.world.model.surface.d_hat;
    let mut gaps = gaps(setup);
    gaps.retain(|pair, gap| {
        gap.left() < HARD * d_hat && overlaps.iter().all(|overlap| overlap.bodies != *pair)
    });
    gaps.into_iter()
        .map(|(pair, gap)| (pair, gap.away))
        .collect()
}

/// Errors for bodies within `min_separation`, warnings for gaps at which the barrier explodes.
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

/// Problem of a pair of bodies, if its gap is too small.
fn problem([one, other]: [usize; 2], gap: Gap, setup: &Setup) -> Option<Problem> {
    let surface = &setup.world.model.surface;
    let (d_hat, kappa, least) = (
        surface.d_hat,
        setup.world.barrier.kappa,
        surface.min_separation,
    );
    let [a, b] = [one, other].map(|body| &setup.world.bodies[body].name);
    let left = gap.left();
    let place = gap.place;

    if left <= 0.0 {
        let message = format!(
            "\"{a}\" starts {} m from \"{b}\", not farther than contact.min_separation, {} m; move it away, or \
             lower min_separation",
            short(left + least),
            short(least)
        );
        return Some(Problem::error(&setup.paths[one], message).at(place));
    }
    (left < HARD * d_hat).then(|| {
        let message = format!(
            "\"{a}\" starts {} m from \"{b}\", a {:.0}th of d_hat, {} m; the barrier will push them apart with {:.0e} \
             Pa; move it away by d_hat",
            short(left),
            d_hat / left,
            short(d_hat),
            0.5 * kappa * d_hat / left
        );
        Problem::warning(&setup.paths[one], message).at(place)
    })
}

/// Smallest gap of every two different bodies within reach of contact, the body with the smaller number
/// first.
fn gaps(setup: &Setup) -> BTreeMap<[usize; 2], Gap> {
    let (surface, x) = (&setup.world.model.surface, &setup.state.x);
    let mut gaps: BTreeMap<[usize; 2], Gap> = BTreeMap::new();
    let mut add = |a: usize, b: usize, gap: Gap| {
        let is_first = surface.body[a] < surface.body[b];
        let gap = Gap {
            away: if is_first { gap.away } else { -gap.away },
            ..gap
        };
        let pair = [
            surface.body[a].min(surface.body[b]),
            surface.body[a].max(surface.body[b]),
        ];
        let least = gaps.entry(pair).or_insert(gap);
        if gap.left() < least.left() {
            *least = gap;
        }
    };

    // Points near edges, and points above half-planes.
    let candidates = Candidates::find(surface, x, |_| 0.0);
    for (k, &point) in surface.points.iter().enumerate() {
        for [a, b] in candidates
            .edges_near(k)
            .iter()
            .map(|&e| surface.edges[e as usize])
        {
            if surface.body[a] != surface.body[point] {
                let near = point_edge(x[point], x[a], x[b]);
                let foot = x[a] + (x[b] - x[a]) * near.t;
                let away = (x[point] - foot)
                    .try_normalize(0.0)
                    .unwrap_or_else(Vec2::zeros);
                add(
                    point,
                    a,
                    Gap {
                        distance: near.distance,
                        separation: surface.separation(point, a),
                        place: x[point],
                        away,
                    },
                );
            }
        }
        for plane in surface
            .planes
            .iter()
            .filter(|plane| surface.meet(point, plane.origin))
        {
            let away = plane.normal_at(x);
            let distance = away.dot(&(x[point] - x[plane.origin]));
            add(
                point,
                plane.origin,
                Gap {
                    distance,
                    separation: surface.separation(point, plane.origin),
                    place: x[point],
                    away,
                },
            );
        }
    }
    gaps
}

//! Seams: a body that slides from one body onto another keeps its height.
//!
//! Two bodies rest at a share of their activation distance, their *reach*. Pairs that start near to
//! each other have a smaller one than others, and small bodies have a smaller one than large ones.
//! Where surfaces are level, a body would be lifted, or stopped, at the seam between them. So the
//! reach of a body towards all that it can slide onto from where it is is the smallest one among
//! them.
//!
//! Reaches change between steps only, and become larger only where a pair gives no force: a barrier
//! never gains energy. Where a pair gives force, its reach is halved at most in a step, so that bodies
//! sink and do not drop. A pair whose gap has grown to well beyond its reach has a part of the gap
//! again, at most its usual reach: a small gap at the start is soon forgotten where things move.

use super::adapted_pair::AdaptedPair;
use super::barriers::Barriers;
use super::{Candidates, HalfPlane, Surface};
use crate::tuning::{LEVEL_SLOPE, REACH_GROWTH, REACH_OF_GAP};
use ipcsim_math::Vec2;
use ipcsim_math::geometry::distance::point_edge;
use std::collections::BTreeMap;

/// Place where a body is near to another one.
#[derive(Clone, Copy, Debug)]
struct Support {
    /// Number of the other body.
    other: usize,
    /// Point of its surface (m).
    place: Vec2,
    /// Unit normal there, towards the body.
    normal: Vec2,
}

/// A part of a body that another one may slide onto.
#[derive(Clone, Copy, Debug)]
struct Ahead {
    /// Number of its body.
    body: usize,
    /// Point of its surface (m).
    place: Vec2,
    /// Unit vector along the surface.
    along: Vec2,
}

/// Bodies that are near to each other, and where.
#[derive(Debug)]
struct Nearness {
    /// Smallest gap of each pair that is nearer than its usual reach (m).
    gaps: BTreeMap<[usize; 2], f64>,
    /// Places where each body is near to others, `[bodies]`.
    supports: Vec<Vec<Support>>,
}

/// True if pairs of bodies on a surface may have different reaches, so that seams matter.
pub fn reaches_differ(surface: &Surface, barriers: &Barriers) -> bool {
    let is_adapted = || barriers.adapted().iter().any(|pair| pair.reach.is_some());
    barriers.adapt() && (!surface.reach.is_even() || is_adapted())
}

/// The pairs of bodies whose reach differs in the next step from the reach at the start, sorted by
/// pair, and without doublings.
///
/// Vertices are at `x` (m) and move by less than `margin` (m) in the next step, both `[vertices]`.
/// `moves` is true for bodies that forces move, `[bodies]`.
pub fn reaches_over_seams(
    surface: &Surface,
    barriers: &Barriers,
    x: &[Vec2],
    margin: &[f64],
    moves: &[bool],
) -> Vec<AdaptedPair> {
    let candidates = Candidates::find(surface, x, |i| margin[i]);
    let nearness = Nearness::of(surface, &candidates, x, moves);
    let levels = nearness.levels(surface, barriers, &candidates, x, moves);

    // Pairs that are level with others, that have another reach, or had one at the start.
    let changed = barriers.adapted().iter().map(|pair| pair.bodies);
    let mut pairs: Vec<[usize; 2]> = changed.chain(surface.reach.pairs()).collect();
    pairs.extend(levels.keys());
    pairs.sort_unstable();
    pairs.dedup();

    let reaches = pairs.into_iter().map(|[a, b]| {
        let before = barriers.reach(surface, a, b);
        let gap = nearness.gaps.get(&[a, b]).copied();
        let reach = match (levels.get(&[a, b]), gap) {
            (Some(&level), Some(gap)) if gap < before => level.max(0.5 * before).min(before),
            (Some(&level), _) => level.min(before),
            (None, Some(gap)) if REACH_OF_GAP * gap > REACH_GROWTH * before => {
                (REACH_OF_GAP * gap).min(surface.reach.usual(a, b))
            }
            (None, Some(_)) => before,
            (None, None) => surface.reach.usual(a, b),
        };
        let is_first = reach.to_bits() == surface.reach.between(a, b).to_bits();
        AdaptedPair {
            reach: (!is_first).then_some(reach),
            ..AdaptedPair::new(a, b)
        }
    });
    reaches.filter(|pair| pair.reach.is_some()).collect()
}

impl Nearness {
    /// Bodies that are near to each other at `x` (m, `[vertices]`).
    fn of(surface: &Surface, candidates: &Candidates, x: &[Vec2], moves: &[bool]) -> Self {
        let mut nearness = Self {
            gaps: BTreeMap::new(),
            supports: vec![Vec::new(); moves.len()],
        };
        for (k, &point) in surface.points.iter().enumerate() {
            let at = x[point];
            for &edge in candidates.edges_near(k) {
                let edge = surface.edges[edge as usize];
                let [a, b] = [point, edge[0]].map(|i| surface.body[i]);
                if a == b {
                    continue;
                }
                let foot = foot_of(at, edge, x);
                let gap = (at - foot).norm() - surface.separation(point, edge[0]);
                if gap < surface.reach.usual(a, b) {
                    let normal = (at - foot).try_normalize(0.0).unwrap_or_default();
                    let [own, others] = [point, edge[0]].map(|i| surface.radius[i]);
                    let places = [at - normal * own, foot + normal * others];
                    nearness.add([a, b], places, normal, gap);
                }
            }
            for plane in planes_of(surface, point) {
                let [a, b] = [point, plane.origin].map(|i| surface.body[i]);
                let normal = plane.normal_at(x);
                let height = normal.dot(&(at - x[plane.origin]));
                let gap = height - surface.separation(point, plane.origin);
                if gap < surface.reach.usual(a, b) {
                    let places = [at - normal * surface.radius[point], at - normal * height];
                    nearness.add([a, b], places, normal, gap);
                }
            }
        }
        for (supports, moves) in nearness.supports.iter_mut().zip(moves) {
            if !moves {
                supports.clear();
            }
        }
        nearness
    }

    /// Adds a place where body `a` is near to body `b`, with its points of both (m), the unit normal
    /// towards `a`, and the gap (m).
    fn add(&mut self, [a, b]: [usize; 2], places: [Vec2; 2], normal: Vec2, gap: f64) {
        let least = self.gaps.entry([a.min(b), a.max(b)]).or_insert(gap);
        *least = least.min(gap);
        let support = |other, place, normal| Support {
            other,
            place,
            normal,
        };
        self.supports[a].push(support(b, places[1], normal));
        self.supports[b].push(support(a, places[0], -normal));
    }

    /// Smallest reach among the pairs of a body with all that is level with each other, of each such
    /// pair (m).
    fn levels(
        &self,
        surface: &Surface,
        barriers: &Barriers,
        candidates: &Candidates,
        x: &[Vec2],
        moves: &[bool],
    ) -> BTreeMap<[usize; 2], f64> {
        let mut levels = BTreeMap::new();
        let mut look = |body: usize, from: Vec2, ahead: Ahead| {
            let Some((other, pair)) = self.level_pair(surface, barriers, body, from, &ahead) else {
                return;
            };
            let least = pair[0].min(pair[1]);
            for other in [other, ahead.body] {
                let key = [body.min(other), body.max(other)];
                let level = levels.entry(key).or_insert(least);
                *level = f64::min(*level, least);
            }
        };

        for (k, &point) in surface.points.iter().enumerate() {
            let own = surface.body[point];
            for &edge in candidates.edges_near(k) {
                let edge = surface.edges[edge as usize];
                let other = surface.body[edge[0]];
                if own == other {
                    continue;
                }
                // Single vertices and circles are no floor.
                let along = (x[edge[1]] - x[edge[0]]).try_normalize(0.0);
                if let Some(along) = along.filter(|_| moves[own]) {
                    let foot = foot_of(x[point], edge, x);
                    look(
                        own,
                        x[point],
                        Ahead {
                            body: other,
                            place: foot,
                            along,
                        },
                    );
                }
            }
            if moves[own] && !self.supports[own].is_empty() {
                for plane in planes_of(surface, point) {
                    let normal = plane.normal_at(x);
                    let height = normal.dot(&(x[point] - x[plane.origin]));
                    look(
                        own,
                        x[point],
                        Ahead {
                            body: surface.body[plane.origin],
                            place: x[point] - normal * height,
                            along: Vec2::new(normal.y, -normal.x),
                        },
                    );
                }
            }
        }
        levels
    }

    /// Body from which `body` may slide, at its point `from` (m), onto a part of another one that is
    /// level with it, with the reaches of both pairs (m).
    fn level_pair(
        &self,
        surface: &Surface,
        barriers: &Barriers,
        body: usize,
        from: Vec2,
        ahead: &Ahead,
    ) -> Option<(usize, [f64; 2])> {
        let next = barriers.reach(surface, body, ahead.body);
        let supports = self.supports[body].iter();
        let others = supports.filter(|support| support.other != ahead.body);

        // The nearest place counts: a body may rest on several sides.
        let nearest = others.min_by(|one, other| {
            let [one, other] = [one, other].map(|support| (support.place - from).norm_squared());
            one.total_cmp(&other)
        })?;
        let now = barriers.reach(surface, body, nearest.other);
        let band = surface.reach.usual(body, nearest.other);
        let is_level = nearest.is_level_with(ahead, band);
        is_level.then_some((nearest.other, [now, next]))
    }
}

impl Support {
    /// True if a part of a body lies on the tangent of the support, up to `band` (m), and leads on
    /// along it.
    fn is_level_with(&self, ahead: &Ahead, band: f64) -> bool {
        let height = self.normal.dot(&(ahead.place - self.place));
        let rise = self.normal.dot(&ahead.along).abs();
        height.abs() <= band && rise <= LEVEL_SLOPE
    }
}

/// Half-planes that the body of a vertex collides with.
fn planes_of(surface: &Surface, point: usize) -> impl Iterator<Item = &HalfPlane> {
    let planes = surface.planes.iter();
    planes.filter(move |plane| surface.meet(point, plane.origin))
}

/// Point of an edge that is nearest to a place (m).
fn foot_of(place: Vec2, [a, b]: [usize; 2], x: &[Vec2]) -> Vec2 {
    let near = point_edge(place, x[a], x[b]);
    x[a] + (x[b] - x[a]) * near.t
}

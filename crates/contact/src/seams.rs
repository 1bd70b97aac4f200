//! Seams: a body that slides from one body onto another keeps its height.
//!
//! Two bodies rest at a share of their activation distance, their *reach*. Pairs that start near to
//! each other have a smaller one than others, and small bodies have a smaller one than large ones.
//! Where surfaces are level, a body would be lifted, or stopped, at the seam between them. So the
//! reach of a body towards all that it can slide onto from where it is is the smallest one among
//! them. A part counts that faces the body: pieces of a floor do not slide onto each other below what
//! lies on them.
//!
//! Ends of pieces lift a body that passes by a share of its reach. Pieces of a floor that may move and
//! start near to each other have a joint, whose reach is small. What lies on one of them has no larger
//! reach there, and the lift is of the joint's size. Pieces that keep their places do without
//! ([`super::flush`]).
//!
//! Reaches change between steps only, and become larger only where a pair gives no force: a barrier
//! never gains energy. Where a pair gives force, its reach is halved at most in a step, so that bodies
//! sink and do not drop. A pair whose gap has grown to well beyond its reach has a part of the gap
//! again, at most its usual reach: a small gap at the start is soon forgotten where things move.

use super::adapted_pair::AdaptedPair;
use super::barriers::Barriers;
use super::{Candidates, HalfPlane, Surface};
use crate::tuning::{DENTS, LEVEL_SLOPE, REACH_GROWTH, REACH_OF_GAP};
use ipcsim_math::geometry::distance::{Region, point_edge};
use ipcsim_math::{Vec2, perp};
use std::collections::BTreeMap;

/// Place where a body is near to another one.
#[derive(Clone, Copy, Debug)]
struct Support {
    /// Number of the other body.
    other: usize,
    /// True if forces move it.
    moves: bool,
    /// Point of its surface (m).
    place: Vec2,
    /// Unit normal there, towards the body.
    normal: Vec2,
    /// Gap (m).
    gap: f64,
}

/// A point of a body from which it may slide.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// Number of the body.
    body: usize,
    /// True if forces move it.
    moves: bool,
    /// The point (m).
    at: Vec2,
}

/// A part of a body that another one may slide onto.
#[derive(Clone, Copy, Debug)]
struct Ahead {
    /// Number of its body.
    body: usize,
    /// True if forces move it.
    moves: bool,
    /// Point of its surface (m).
    place: Vec2,
    /// Unit vector along the surface.
    along: Vec2,
    /// Unit normal out of its body; `None` for a line, which has two sides.
    normal: Option<Vec2>,
}

/// Smallest reach among pairs that are level with each other.
#[derive(Clone, Copy, Debug)]
struct Level {
    /// That reach (m).
    reach: f64,
    /// The pair that has it, the smaller body first.
    least: [usize; 2],
    /// True if it is the reach of that pair, and no larger one that dents ask for.
    is_least: bool,
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
    let nearness = Nearness::of(surface, &candidates, x, margin, moves);
    let levels = nearness.levels(surface, barriers, &candidates, x, moves);

    // Pairs that are level with others, that have another reach, or had one at the start.
    let changed = barriers.adapted().iter().map(|pair| pair.bodies);
    let mut pairs: Vec<[usize; 2]> = changed.chain(surface.reach.pairs()).collect();
    pairs.extend(levels.keys());
    pairs.sort_unstable();
    pairs.dedup();

    let next = |pair: [usize; 2]| {
        let gap = nearness.gaps.get(&pair).copied();
        let before = barriers.reach(surface, pair[0], pair[1]);
        let usual = surface.reach.usual(pair[0], pair[1]);
        next_reach(
            before,
            usual,
            levels.get(&pair).map(|level| level.reach),
            gap,
        )
    };
    let reaches = pairs.into_iter().map(|[a, b]| {
        // A pair without force has the reach of the next step at once, not step by step.
        let before = barriers.reach(surface, a, b);
        let has_force = nearness.gaps.get(&[a, b]).is_some_and(|&gap| gap < before);
        let level = levels
            .get(&[a, b])
            .filter(|level| !has_force && level.is_least);
        let of_support = level.map_or(f64::INFINITY, |level| next(level.least));
        let reach = next([a, b]).min(of_support);
        let is_first = reach.to_bits() == surface.reach.between(a, b).to_bits();
        AdaptedPair {
            reach: (!is_first).then_some(reach),
            ..AdaptedPair::new(a, b)
        }
    });
    reaches.filter(|pair| pair.reach.is_some()).collect()
}

/// Reach (m) of a pair in the next step, from the one `before`, the `usual` one, a `level` among pairs
/// and the gap, if the pair is near.
fn next_reach(before: f64, usual: f64, level: Option<f64>, gap: Option<f64>) -> f64 {
    match (level, gap) {
        (Some(level), Some(gap)) if gap < before => level.max(0.5 * before).min(before),
        (Some(level), _) => level.min(before),
        (None, Some(gap)) if REACH_OF_GAP * gap > REACH_GROWTH * before => {
            (REACH_OF_GAP * gap).min(usual)
        }
        (None, Some(_)) => before,
        (None, None) => usual,
    }
}

impl Nearness {
    /// Bodies that are near to each other at `x` (m, `[vertices]`).
    fn of(
        surface: &Surface,
        candidates: &Candidates,
        x: &[Vec2],
        margin: &[f64],
        moves: &[bool],
    ) -> Self {
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
                let near = point_edge(at, x[edge[0]], x[edge[1]]);
                let foot = x[edge[0]] + (x[edge[1]] - x[edge[0]]) * near.t;
                let gap = near.distance - surface.separation(point, edge[0]);
                let moved = margin[point] + margin[edge[0]].max(margin[edge[1]]);
                let usual = surface.reach.usual(a, b);
                if gap < usual {
                    nearness.add_gap([a, b], gap);
                }

                // Corners next to each other, as at a joint of a floor, carry nothing.
                let is_flat = near.region == Region::Interior
                    || surface.isolated[point]
                    || edge[0] == edge[1];
                if gap < usual + moved && is_flat {
                    let normal = (at - foot).try_normalize(0.0).unwrap_or_default();
                    let [own, others] = [point, edge[0]].map(|i| surface.radius[i]);
                    let places = [at - normal * own, foot + normal * others];
                    nearness.add([a, b], places, normal, moves);
                }
            }
            for plane in planes_of(surface, point) {
                let [a, b] = [point, plane.origin].map(|i| surface.body[i]);
                let normal = plane.normal_at(x);
                let height = normal.dot(&(at - x[plane.origin]));
                let gap = height - surface.separation(point, plane.origin);
                let usual = surface.reach.usual(a, b);
                if gap < usual + margin[point] + margin[plane.origin] {
                    let places = [at - normal * surface.radius[point], at - normal * height];
                    nearness.add([a, b], places, normal, moves);
                }
                if gap < usual {
                    nearness.add_gap([a, b], gap);
                }
            }
        }
        nearness
    }

    /// Adds a place where body `a` is near to body `b`, with its points of both (m) and the unit normal
    /// towards `a`. `moves` is true for bodies that forces move, `[bodies]`.
    fn add(&mut self, [a, b]: [usize; 2], places: [Vec2; 2], normal: Vec2, moves: &[bool]) {
        let gap = normal.dot(&(places[0] - places[1]));
        let support = |other: usize, place, normal| Support {
            other,
            moves: moves[other],
            place,
            normal,
            gap,
        };
        self.supports[a].push(support(b, places[1], normal));
        self.supports[b].push(support(a, places[0], -normal));
    }

    /// Adds the gap (m) of a pair that is nearer than its usual reach.
    fn add_gap(&mut self, [a, b]: [usize; 2], gap: f64) {
        let least = self.gaps.entry([a.min(b), a.max(b)]).or_insert(gap);
        *least = least.min(gap);
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
    ) -> BTreeMap<[usize; 2], Level> {
        let mut levels = BTreeMap::new();
        for (k, &point) in surface.points.iter().enumerate() {
            let own = surface.body[point];
            if self.supports[own].is_empty() {
                continue;
            }
            let from = Place {
                body: own,
                moves: moves[own],
                at: x[point],
            };
            for &edge in candidates.edges_near(k) {
                let edge = surface.edges[edge as usize];
                let other = surface.body[edge[0]];
                // Single vertices and circles are no floor.
                let along = (x[edge[1]] - x[edge[0]]).try_normalize(0.0);
                if let Some(along) = along.filter(|_| own != other) {
                    let ahead = Ahead {
                        body: other,
                        moves: moves[other],
                        place: foot_of(x[point], edge, x),
                        along,
                        normal: surface.filled[other].then(|| -perp(along)),
                    };
                    self.add_level(surface, barriers, &from, &ahead, &mut levels);
                }
            }
            for plane in planes_of(surface, point).filter(|_| from.moves) {
                let normal = plane.normal_at(x);
                let height = normal.dot(&(x[point] - x[plane.origin]));
                let ahead = Ahead {
                    body: surface.body[plane.origin],
                    moves: false,
                    place: x[point] - normal * height,
                    along: Vec2::new(normal.y, -normal.x),
                    normal: Some(normal),
                };
                self.add_level(surface, barriers, &from, &ahead, &mut levels);
            }
        }
        levels
    }

    /// Lowers the reaches (m) of pairs of bodies in `levels`, where a body may slide `from` a place on
    /// another body onto a part of a third one, or where this part is next to the body as a piece of the
    /// same floor.
    fn add_level(
        &self,
        surface: &Surface,
        barriers: &Barriers,
        from: &Place,
        ahead: &Ahead,
        levels: &mut BTreeMap<[usize; 2], Level>,
    ) {
        let body = from.body;
        let Some(support) = self.level_support(surface, from, ahead) else {
            return;
        };
        let pair = |other: usize| [body.min(other), body.max(other)];
        let of_pair = |other: usize| Level {
            reach: barriers.reach(surface, body, other),
            least: pair(other),
            is_least: true,
        };
        let [now, next] = [support.other, ahead.body].map(of_pair);
        let least = if next.reach < now.reach { next } else { now };
        let is_soft = [support.other, ahead.body]
            .iter()
            .all(|&other| barriers.softer(body, other).is_finite());
        let mut lower = |other: usize, moves: bool| {
            let mut lowest = least;
            if is_soft && from.moves && moves {
                let dents = DENTS * barriers.dent(body, other);
                lowest.reach = least.reach.max(dents.min(of_pair(other).reach));
                lowest.is_least = lowest.reach <= least.reach;
            }
            let level = levels.entry(pair(other)).or_insert(lowest);
            if lowest.reach < level.reach {
                *level = lowest;
            }
        };

        let is_beside = ahead
            .normal
            .is_some_and(|normal| normal.dot(&support.normal) < 0.0);
        if is_beside && support.moves {
            // What lies on soft pieces dents them, by more than the joint between them.
            let bodies = [body, support.other, ahead.body];
            if bodies
                .iter()
                .all(|&body| barriers.softer(body, body).is_infinite())
            {
                lower(support.other, support.moves);
            }
        } else if from.moves {
            lower(support.other, support.moves);
            lower(ahead.body, ahead.moves);
        }
    }

    /// The place nearest to a point of a body at which another body is near to it, if a part of a third
    /// one is level there.
    fn level_support(&self, surface: &Surface, from: &Place, ahead: &Ahead) -> Option<&Support> {
        let supports = self.supports[from.body].iter();
        let others = supports.filter(|support| support.other != ahead.body);

        // The nearest place counts: a body may rest on several sides.
        let nearest = others.min_by(|one, other| {
            let [one, other] = [one, other].map(|support| (support.place - from.at).norm_squared());
            one.total_cmp(&other)
        })?;
        let band = surface.reach.usual(from.body, nearest.other);
        let band = band.max(nearest.gap);
        nearest.is_level_with(ahead, band).then_some(nearest)
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

//! Corridor of gaps: which pairs of bodies need a stiffer barrier in the next step.
//!
//! The numbers of doublings are part of the memory of a step. `run.json` lists their changes, with
//! which forces are computed again from stored positions.

use super::adapted_pair::AdaptedPair;
use super::barrier::BarrierShape;
use super::barriers::Barriers;
use super::tuning::{LEAST_GAP, MOST_DOUBLINGS, REST_GAP, REST_GAP_AIM, REST_LEAST_REACH, STEADY};
use super::{Contacts, Surface};
use ipcsim_math::Vec2;
use ipcsim_math::groups::Groups;
use std::collections::BTreeMap;

/// Two bodies in contact.
#[derive(Clone, Copy, Debug)]
struct Touch {
    /// Numbers of the bodies, the smaller one first.
    bodies: [usize; 2],
    /// Smallest gap of their contacts, relative to its activation distance (1).
    gap: f64,
    /// Sum of the sizes of their normal forces (N).
    force: f64,
    /// Sum of their gaps, each times its force (N m).
    gaps: f64,
    /// Energy of their barrier (J).
    energy: f64,
}

/// Barriers in the next step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stiffened {
    /// Pairs whose barrier differs from the one at the start, sorted by pair.
    pub adapted: Vec<AdaptedPair>,
    /// Energy (J) that barriers gain by new doublings, less what they lose by smaller reaches.
    pub energy: f64,
}

impl Stiffened {
    /// Adds reaches of pairs, which are sorted by pair and have no doublings.
    pub fn join(&mut self, reaches: Vec<AdaptedPair>) {
        if reaches.is_empty() {
            return;
        }
        let mut joined: BTreeMap<[usize; 2], AdaptedPair> = reaches
            .into_iter()
            .map(|pair| (pair.bodies, pair))
            .collect();
        for pair in self.adapted.drain(..) {
            let entry = joined.entry(pair.bodies).or_insert(pair);
            entry.times = pair.times;
        }
        self.adapted = joined.into_values().collect();
    }

    /// True if a pair has another reach than in the step before, with its `barriers`.
    pub fn changes_reach(&self, barriers: &Barriers) -> bool {
        let with_reach = |pair: &&AdaptedPair| pair.reach.is_some();
        let reach = |pair: &AdaptedPair| (pair.bodies, pair.reach);
        let now = self.adapted.iter().filter(with_reach).map(reach);
        let before = barriers.adapted().iter().filter(with_reach).map(reach);
        !now.eq(before)
    }
}

/// Motion of bodies in a step, and other forces between them than contact.
#[derive(Clone, Debug)]
pub struct Motion {
    /// Force that accelerates each body (N), `[bodies]`; `None` for obstacles, which bear any
    /// force.
    pub accelerating: Vec<Option<f64>>,
    /// Pairs of bodies that a joint connects.
    pub joined: Vec<[usize; 2]>,
}

/// Stiffness of the barriers that the next step begins with, after `barriers` have led to the
/// `contacts` at positions `x` (m, `[vertices]`) in a step with a `motion`.
///
/// - A pair gets more doublings if its smallest gap is below the share [`LEAST_GAP`] of its
///   activation distance, and if it is steady: no body that contacts and joints connect with it is
///   accelerated by more than the share [`STEADY`] of its force. Where bodies hit each other
///   barriers hold the energy of the hit, and stiffer ones would give back more than they got. The
///   pressure of a barrier grows with the stiffness and falls with the gap, so each doubling widens
///   a small gap by a known factor ([`BarrierShape::widening`]); as many doublings are taken as
///   bring it to twice the least share.
/// - A pair in contact keeps its stiffness.
/// - A pair that has parted gets none: its barrier has no energy then.
///
/// Nothing is doubled if the scene gives the stiffness.
pub fn stiffen(
    barriers: &Barriers,
    surface: &Surface,
    contacts: &Contacts,
    x: &[Vec2],
    motion: impl FnOnce() -> Motion,
) -> Stiffened {
    let mut stiffened = Stiffened::default();
    if !barriers.adapt() {
        return stiffened;
    }

    // Mostly all gaps are wide, and no pair has been doubled.
    let is_tight = contacts
        .pairs(surface)
        .any(|pair| pair.gap(surface, x) < LEAST_GAP * pair.d_hat(surface, barriers));
    if barriers.are_as_given() && !is_tight {
        return stiffened;
    }

    let touches = touches(surface, barriers, contacts, x);
    let hardest = if is_tight {
        hardest(&touches, &motion())
    } else {
        Vec::new()
    };
    for touch in touches {
        let [a, b] = touch.bodies;
        let before = barriers.doublings(a, b);
        let shape = shape_between(barriers, surface, touch.bodies);
        let is_steady = || hardest[a].max(hardest[b]) <= STEADY * touch.force;
        let times = if touch.gap < LEAST_GAP && is_steady() {
            (before + missing(touch.gap, shape.widening())).min(MOST_DOUBLINGS)
        } else {
            before
        };
        let gained = f64::from(1_u32 << (times - before)) - 1.0;
        stiffened.energy += gained * touch.energy;
        if times > 0 {
            let bodies = touch.bodies;
            stiffened.adapted.push(AdaptedPair {
                bodies,
                times,
                reach: None,
            });
        }
    }
    stiffened
}

/// Barriers with which bodies that deform rest on others nearly as if they touched; `None` if the
/// present ones do.
///
/// Between two bodies with the force `F`, the thickness `t` and the stiffness `E` of the softer side, a
/// gap of `g` acts as a layer that is `g E t / F` times as soft as the contact region, whose
/// displacement is of the order `F / (E t)`. So the mean gap, weighted by forces, is at most
/// [`REST_GAP`] of that. The reach of the pair falls in proportion, which keeps its pressure. A pair
/// that is pressed below the corridor gets more doublings first.
pub fn rest_closely(
    barriers: &Barriers,
    surface: &Surface,
    contacts: &Contacts,
    x: &[Vec2],
) -> Option<Vec<AdaptedPair>> {
    if !barriers.adapt() || surface.reach.is_given() {
        return None;
    }

    let mut adapted: BTreeMap<[usize; 2], AdaptedPair> = BTreeMap::new();
    adapted.extend(barriers.adapted().iter().map(|pair| (pair.bodies, *pair)));
    let mut is_changed = false;
    for touch in touches(surface, barriers, contacts, x) {
        let [a, b] = touch.bodies;
        let softness = barriers.softer(a, b);
        if a == b || !softness.is_finite() || touch.force == 0.0 {
            continue;
        }

        // Doublings widen the gap, which the reach then makes smaller.
        let allowed = REST_GAP * touch.force / (softness * surface.thickness);
        let before = barriers.doublings(a, b);
        let shape = shape_between(barriers, surface, touch.bodies);
        let more = if touch.gap < LEAST_GAP {
            missing(touch.gap, shape.widening()).min(MOST_DOUBLINGS - before)
        } else {
            0
        };
        let gap = touch.gaps / touch.force * shape.widening().powf(f64::from(more));
        let reach = barriers.reach(surface, a, b);
        let usual = surface.reach.usual(a, b);
        let wanted = reach * (REST_GAP_AIM * allowed / gap).min(1.0);
        let next = wanted.max(REST_LEAST_REACH * usual);
        let is_wide = touch.gaps > allowed * touch.force && next < reach;
        if more == 0 && !is_wide {
            continue;
        }

        is_changed = true;
        let entry = adapted.entry([a.min(b), a.max(b)]);
        let pair = entry.or_insert_with(|| AdaptedPair::new(a, b));
        pair.times = before + more;
        pair.reach = Some(next.min(reach));
    }
    is_changed.then(|| adapted.into_values().collect())
}

/// Barriers for the next increment of statics: pairs in contact keep their doublings.
pub fn keep_doublings(barriers: &Barriers, surface: &Surface, contacts: &Contacts) -> Stiffened {
    let mut touching: Vec<[usize; 2]> = contacts
        .pairs(surface)
        .map(|pair| pair.bodies(surface))
        .map(|[a, b]| [a.min(b), a.max(b)])
        .collect();
    touching.sort_unstable();
    touching.dedup();
    let kept = barriers.adapted().iter();
    let kept = kept.filter(|pair| pair.times > 0 && touching.binary_search(&pair.bodies).is_ok());
    Stiffened {
        adapted: kept
            .map(|pair| AdaptedPair {
                reach: None,
                ..*pair
            })
            .collect(),
        energy: 0.0,
    }
}

/// Formula of the barrier between two bodies.
fn shape_between(barriers: &Barriers, surface: &Surface, bodies: [usize; 2]) -> BarrierShape {
    if surface.is_pair_integrated(bodies) {
        BarrierShape::Inverse
    } else {
        barriers.shape()
    }
}

/// Doublings that bring a small gap, relative to its activation distance (1), to twice the least
/// share, where each widens it by the factor `widening`.
fn missing(gap: f64, widening: f64) -> u32 {
    let mut gap = gap;
    let mut doublings = 0;
    while gap < 2.0 * LEAST_GAP && doublings < MOST_DOUBLINGS {
        gap *= widening;
        doublings += 1;
    }
    doublings
}

/// Largest force that accelerates a body in the group of each one (N), `[bodies]`. Contacts and
/// joints between bodies that move make groups; obstacles are in none, and have 0.
fn hardest(touches: &[Touch], motion: &Motion) -> Vec<f64> {
    let accelerating = &motion.accelerating;
    let mut groups = Groups::new(accelerating.len());
    let touching = touches.iter().map(|touch| &touch.bodies);
    for &[a, b] in touching.chain(&motion.joined) {
        if accelerating[a].is_some() && accelerating[b].is_some() {
            groups.join(a, b);
        }
    }

    let mut hardest = vec![0.0_f64; accelerating.len()];
    for (body, own) in accelerating.iter().enumerate() {
        let root = groups.root(body);
        hardest[root] = hardest[root].max(own.unwrap_or(0.0));
    }
    let bodies = 0..hardest.len();
    bodies.map(|body| hardest[groups.root(body)]).collect()
}

/// Pairs of bodies in contact at `x` (m, `[vertices]`), in ascending order.
fn touches(surface: &Surface, barriers: &Barriers, contacts: &Contacts, x: &[Vec2]) -> Vec<Touch> {
    let of_contacts = contacts.forces(surface, x).map(|normal| {
        let [a, b] = normal.bodies;
        Touch {
            bodies: [a.min(b), a.max(b)],
            gap: normal.gap / normal.pair.d_hat(surface, barriers),
            force: normal.force.abs(),
            gaps: normal.force.abs() * normal.gap,
            energy: normal.energy,
        }
    });

    // Contacts of a pair come together, in their order.
    let mut touches: Vec<Touch> = of_contacts.collect();
    touches.sort_by_key(|touch| touch.bodies);
    touches.dedup_by(|next, touch| {
        let is_same = next.bodies == touch.bodies;
        if is_same {
            touch.gap = touch.gap.min(next.gap);
            touch.force += next.force;
            touch.gaps += next.gaps;
            touch.energy += next.energy;
        }
        is_same
    });
    touches
}

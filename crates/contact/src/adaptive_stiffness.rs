//! Corridor of gaps: which pairs of bodies need a stiffer barrier in the next step.
//!
//! The numbers of doublings are part of the memory of a step. `run.json` lists their changes, with
//! which forces are computed again from stored positions.

use super::adapted_pair::AdaptedPair;
use super::barriers::Barriers;
use super::close_rest::GapAtRest;
use super::touch::{Motion, hardest, missing, shape_between, touches};
use super::tuning::{LEAST_GAP, MOST_DOUBLINGS, STEADY};
use super::{Contacts, Surface};
use ipcsim_math::Vec2;
use std::collections::BTreeMap;

/// Barriers in the next step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stiffened {
    /// Pairs whose barrier differs from the one at the start, sorted by pair.
    pub adapted: Vec<AdaptedPair>,
    /// Energy (J) that barriers gain by new doublings, less what they lose by smaller reaches.
    pub energy: f64,
    /// The widest gap between two bodies that rest on each other in motion, if one deforms.
    pub gap_at_rest: Option<GapAtRest>,
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

    /// Makes the reaches of pairs at rest on a surface as small as the `closer` ones.
    pub fn draw_closer(&mut self, surface: &Surface, closer: &[AdaptedPair]) {
        for pair in closer {
            let [a, b] = pair.bodies;
            let place = self
                .adapted
                .partition_point(|other| other.bodies < pair.bodies);
            let is_new = self
                .adapted
                .get(place)
                .is_none_or(|other| other.bodies != pair.bodies);
            if is_new {
                self.adapted.insert(place, AdaptedPair::new(a, b));
            }
            let own = &mut self.adapted[place].reach;
            let before = own.unwrap_or_else(|| surface.reach.between(a, b));
            *own = pair.reach.map(|reach| reach.min(before));
        }
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

/// Stiffness of the barriers that the next step begins with, after `barriers` have led to the
/// `contacts` at positions `x` (m, `[vertices]`) in a step with a `motion`.
///
/// - A pair gets more doublings if its smallest gap is below the share [`LEAST_GAP`] of its
///   activation distance, and if it is steady: no body that contacts and joints connect with it is
///   accelerated by more than the share [`STEADY`] of its force. Where bodies hit each other
///   barriers hold the energy of the hit, and stiffer ones would give back more than they got. The
///   pressure of a barrier grows with the stiffness and falls with the gap, so each doubling widens
///   a small gap by a known factor ([`widening`]); as many doublings are taken as
///   bring it to twice the least share.
/// - A pair in contact keeps its stiffness.
/// - A pair that has parted gets none: its barrier has no energy then.
///
/// Nothing is doubled if the scene gives the stiffness.
///
/// [`widening`]: crate::barrier::BarrierShape::widening
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
        ..Stiffened::default()
    }
}

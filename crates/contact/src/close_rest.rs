//! Gaps at rest: barriers act as a layer between bodies that deform, which is kept thin.
//!
//! Between two bodies with the force `F`, the thickness `t` and the stiffness `E` of the softer side, a
//! gap of `g` acts as a layer that is `g E t / F` times as soft as the contact region, whose
//! displacement is of the order `F / (E t)`. So the mean gap, weighted by forces, is at most
//! [`REST_GAP`] of that in statics, and in motion where the scene asks for it. The reach of the pair falls
//! in proportion, which keeps its pressure, and in statics grows again as forces do: the thinner the barrier,
//! the shorter are the directions to the next equilibrium.

use super::adapted_pair::AdaptedPair;
use super::barriers::Barriers;
use super::touch::{Motion, Touch, hardest, missing, shape_between, touches};
use super::tuning::{
    LEAST_GAP, MOST_DOUBLINGS, REST_GAP, REST_GAP_AIM, REST_LEAST_REACH, REST_ROOM, STEADY,
};
use super::{Contacts, Surface};
use ipcsim_math::Vec2;
use ipcsim_math::elementary::powf;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Gap between two bodies that rest on each other, if one deforms.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GapAtRest {
    /// Numbers of the two bodies, the smaller one first.
    pub bodies: [usize; 2],
    /// Mean gap, weighted by forces (m).
    pub gap: f64,
    /// The same relative to the displacement `F / (E t)` of the contact region (1).
    pub share: f64,
}

/// A pair that presses on each other, and the displacement `F / (E t)` of its contact region (m).
#[derive(Debug)]
struct Resting {
    /// The pair.
    touch: Touch,
    /// Displacement of the contact region (m).
    displacement: f64,
}

impl Resting {
    /// The pair, if a side of it deforms and the two press on each other.
    fn of(barriers: &Barriers, surface: &Surface, touch: Touch) -> Option<Self> {
        let [a, b] = touch.bodies;
        let stiffness = barriers.softer(a, b);
        let counts = a != b && stiffness.is_finite() && touch.force > 0.0;
        counts.then(|| Self {
            touch,
            displacement: touch.force / (stiffness * surface.thickness),
        })
    }

    /// Mean gap, weighted by forces (m).
    fn gap(&self) -> f64 {
        self.touch.gaps / self.touch.force
    }

    /// Reach with which a gap (m) would be as small as it may be (m).
    fn reach_at(&self, barriers: &Barriers, surface: &Surface, gap: f64) -> f64 {
        let [a, b] = self.touch.bodies;
        let allowed = REST_GAP * self.displacement;
        let wanted = barriers.reach(surface, a, b) * (REST_GAP_AIM * allowed / gap).min(1.0);
        wanted.max(REST_LEAST_REACH * surface.reach.usual(a, b))
    }

    /// A reach that is wider than the present one, and not wider than the first one, where the gap is far
    /// smaller than it may be: forces have grown since the reach became smaller. A gap grows with the reach,
    /// and at a corner with its square.
    fn wider_reach(&self, barriers: &Barriers, surface: &Surface) -> Option<f64> {
        let [a, b] = self.touch.bodies;
        let [reach, first] = [barriers.reach(surface, a, b), surface.reach.between(a, b)];
        let room = REST_GAP_AIM * REST_GAP * self.displacement / self.gap();
        (reach < first && room > REST_ROOM).then(|| (reach * room.sqrt()).min(first))
    }

    /// True if the gap is larger than it may be.
    fn is_wide(&self) -> bool {
        self.gap() > REST_GAP * self.displacement
    }
}

/// Barriers with which bodies that deform rest on others nearly as if they touched; `None` if the
/// present ones do. A pair whose reach is thinner than it need be gets a wider one; a pair with its
/// first reach that is pressed below the corridor gets more doublings before its reach falls.
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
    let touches = touches(surface, barriers, contacts, x).into_iter();
    for resting in touches.filter_map(|touch| Resting::of(barriers, surface, touch)) {
        let touch = &resting.touch;
        let [a, b] = touch.bodies;

        let reach = barriers.reach(surface, a, b);
        if let Some(wider) = resting.wider_reach(barriers, surface) {
            is_changed = true;
            let entry = adapted.entry([a, b]);
            entry.or_insert_with(|| AdaptedPair::new(a, b)).reach = Some(wider);
            continue;
        }

        // Doublings widen the gap, which the reach then makes smaller.
        let before = barriers.doublings(a, b);
        let shape = shape_between(barriers, surface, touch.bodies);
        let is_narrow = reach < surface.reach.between(a, b);
        let more = if touch.gap < LEAST_GAP && !is_narrow {
            missing(touch.gap, shape.widening()).min(MOST_DOUBLINGS - before)
        } else {
            0
        };
        let gap = resting.gap() * powf(shape.widening(), f64::from(more));
        let next = resting.reach_at(barriers, surface, gap);
        if more == 0 && !(resting.is_wide() && next < reach) {
            continue;
        }

        is_changed = true;
        let entry = adapted.entry([a, b]);
        let pair = entry.or_insert_with(|| AdaptedPair::new(a, b));
        pair.times = before + more;
        pair.reach = Some(next.min(reach));
    }
    is_changed.then(|| adapted.into_values().collect())
}

/// Pairs of bodies in motion that rest on each other, if one deforms: no body that contacts and joints
/// connect with them is accelerated by more than the share [`STEADY`] of their force.
#[derive(Debug)]
pub struct AtRest<'a> {
    /// Barriers of the step.
    barriers: &'a Barriers,
    /// Bodies.
    surface: &'a Surface,
    /// The pairs, in ascending order.
    pairs: Vec<Resting>,
}

impl<'a> AtRest<'a> {
    /// The pairs after `barriers` have led to the `contacts` at positions `x` (m, `[vertices]`) in a step
    /// with a `motion`; none where the scene gives the barrier.
    pub fn of(
        barriers: &'a Barriers,
        surface: &'a Surface,
        contacts: &Contacts,
        x: &[Vec2],
        motion: impl FnOnce() -> Motion,
    ) -> Self {
        let is_derived = barriers.adapt() && !surface.reach.is_given();
        let mut pairs = Vec::new();
        if is_derived && barriers.deform() && !contacts.is_empty() {
            let touches = touches(surface, barriers, contacts, x);
            let hardest = hardest(&touches, &motion());
            let is_steady = |touch: &Touch| {
                let [a, b] = touch.bodies;
                hardest[a].max(hardest[b]) <= STEADY * touch.force
            };
            let steady = touches.into_iter().filter(is_steady);
            pairs.extend(steady.filter_map(|touch| Resting::of(barriers, surface, touch)));
        }
        Self {
            barriers,
            surface,
            pairs,
        }
    }

    /// The gap that is largest relative to the displacement of its contact region; `None` without one.
    pub fn widest(&self) -> Option<GapAtRest> {
        let gaps = self.pairs.iter().map(|resting| GapAtRest {
            bodies: resting.touch.bodies,
            gap: resting.gap(),
            share: resting.gap() / resting.displacement,
        });
        gaps.max_by(|a, b| a.share.total_cmp(&b.share))
    }

    /// Smaller reaches for the next step, sorted by pair and without doublings. A reach is halved at most,
    /// so that bodies sink and do not drop.
    pub fn closer(&self) -> Vec<AdaptedPair> {
        let Self {
            barriers, surface, ..
        } = self;
        let wide = self.pairs.iter().filter(|resting| resting.is_wide());
        let closer = wide.filter_map(|resting| {
            let [a, b] = resting.touch.bodies;
            let reach = barriers.reach(surface, a, b);
            let next = resting.reach_at(barriers, surface, resting.gap());
            (next < reach).then(|| AdaptedPair {
                reach: Some(next.max(0.5 * reach)),
                ..AdaptedPair::new(a, b)
            })
        });
        closer.collect()
    }
}

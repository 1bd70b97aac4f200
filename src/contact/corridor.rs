//! Corridor of gaps: which pairs of bodies need a stiffer barrier in the next step.

use super::barriers::{Barriers, Doubled};
use super::tuning::{LEAST_GAP, MOST_DOUBLINGS, STEADY};
use super::{ContactPair, Contacts, Surface};
use crate::math::Vec2;
use crate::math::groups::Groups;
use std::collections::BTreeMap;

/// Two bodies in contact.
#[derive(Clone, Copy, Debug)]
struct Touch {
    /// Smallest gap of their contacts, relative to its activation distance (1).
    gap: f64,
    /// Sum of the sizes of their normal forces (N).
    force: f64,
}

/// Motion of bodies in a step, and what holds them together beside contact.
#[derive(Clone, Debug)]
pub struct Motion {
    /// Force that accelerates each body (N), `[bodies]`; `None` for obstacles, which bear any force.
    pub accelerating: Vec<Option<f64>>,
    /// Pairs of bodies that a joint connects.
    pub joined: Vec<[usize; 2]>,
}

/// Doublings that the next step begins with, after `barriers` have led to the `contacts` at positions
/// `x` (m, `[vertices]`) in a step with a `motion`.
///
/// - A pair gets one more if its smallest gap is below the share [`LEAST_GAP`] of its activation
///   distance, and if it is steady: no body that contacts and joints connect with it is accelerated
///   by more than the share [`STEADY`] of its force. Where bodies hit each other barriers hold the
///   energy of the hit, and stiffer ones would give back more than they got.
/// - A pair in contact keeps what it has.
/// - A pair that has parted gets none: its barrier has no energy then.
///
/// Sorted by pair; empty if the scene gives the stiffness.
pub fn doublings(
    barriers: &Barriers,
    surface: &Surface,
    contacts: &Contacts,
    x: &[Vec2],
    motion: impl FnOnce() -> Motion,
) -> Vec<Doubled> {
    if !barriers.adapt() {
        return Vec::new();
    }

    // Mostly all gaps are wide, and no pair has been doubled.
    let is_tight = |[point, start, end]: [usize; 3]| {
        let pair = ContactPair::new(surface, point, [start, end]);
        pair.gap(surface, x) < LEAST_GAP * pair.d_hat(surface)
    };
    if barriers.are_as_given() && !contacts.stencils().any(is_tight) {
        return Vec::new();
    }

    let touches = touches(surface, contacts, x);
    let hardest = hardest(&touches, &motion());
    let doublings = touches.into_iter().map(|(bodies, touch)| {
        let [a, b] = bodies;
        let is_steady = hardest[a].max(hardest[b]) <= STEADY * touch.force;
        let more = u32::from(touch.gap < LEAST_GAP && is_steady);
        Doubled {
            bodies,
            times: (barriers.doublings(a, b) + more).min(MOST_DOUBLINGS),
        }
    });
    doublings.filter(|pair| pair.times > 0).collect()
}

/// Largest force that accelerates a body in the group of each one (N), `[bodies]`. Contacts and joints
/// between bodies that move make groups; obstacles are in none, and have 0.
fn hardest(touches: &BTreeMap<[usize; 2], Touch>, motion: &Motion) -> Vec<f64> {
    let accelerating = &motion.accelerating;
    let mut groups = Groups::new(accelerating.len());
    for &[a, b] in touches.keys().chain(&motion.joined) {
        if accelerating[a].is_some() && accelerating[b].is_some() {
            groups.join(a, b);
        }
    }

    let mut hardest = vec![0.0_f64; accelerating.len()];
    for (body, own) in accelerating.iter().enumerate() {
        let root = groups.root(body);
        hardest[root] = hardest[root].max(own.unwrap_or(0.0));
    }
    (0..hardest.len())
        .map(|body| hardest[groups.root(body)])
        .collect()
}

/// Pairs of bodies in contact at `x` (m, `[vertices]`), by their numbers, the smaller one first.
fn touches(surface: &Surface, contacts: &Contacts, x: &[Vec2]) -> BTreeMap<[usize; 2], Touch> {
    let mut touches: BTreeMap<[usize; 2], Touch> = BTreeMap::new();
    for normal in contacts.forces(surface, x) {
        let [a, b] = normal.bodies;
        let gap = normal.gap / normal.pair.d_hat(surface);

        let touch = touches
            .entry([a.min(b), a.max(b)])
            .or_insert(Touch { gap, force: 0.0 });
        touch.gap = touch.gap.min(gap);
        touch.force += normal.force.abs();
    }
    touches
}

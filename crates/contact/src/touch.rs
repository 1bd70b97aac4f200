//! Pairs of bodies that touch: their gaps, forces and energies, and how hard forces move them.

use super::barrier::BarrierShape;
use super::barriers::Barriers;
use super::tuning::{LEAST_GAP, MOST_DOUBLINGS};
use super::{Contacts, Surface};
use ipcsim_math::Vec2;
use ipcsim_math::groups::Groups;

/// Two bodies in contact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    /// Numbers of the bodies, the smaller one first.
    pub(super) bodies: [usize; 2],
    /// Smallest gap of their contacts, relative to its activation distance (1).
    pub(super) gap: f64,
    /// Sum of the sizes of their normal forces (N).
    pub(super) force: f64,
    /// Sum of their gaps, each times its force (N m).
    pub(super) gaps: f64,
    /// Energy of their barrier (J).
    pub(super) energy: f64,
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

/// Pairs of bodies in contact at `x` (m, `[vertices]`), in ascending order.
pub(super) fn touches(
    surface: &Surface,
    barriers: &Barriers,
    contacts: &Contacts,
    x: &[Vec2],
) -> Vec<Touch> {
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

/// Largest force that accelerates a body in the group of each one (N), `[bodies]`. Contacts and
/// joints between bodies that move make groups; obstacles are in none, and have 0.
pub(super) fn hardest(touches: &[Touch], motion: &Motion) -> Vec<f64> {
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

/// Formula of the barrier between two bodies.
pub(super) fn shape_between(
    barriers: &Barriers,
    surface: &Surface,
    bodies: [usize; 2],
) -> BarrierShape {
    if surface.is_pair_integrated(bodies) {
        BarrierShape::Inverse
    } else {
        barriers.shape()
    }
}

/// Doublings that bring a small gap, relative to its activation distance (1), to twice the least
/// share, where each widens it by the factor `widening`.
pub(super) fn missing(gap: f64, widening: f64) -> u32 {
    let mut gap = gap;
    let mut doublings = 0;
    while gap < 2.0 * LEAST_GAP && doublings < MOST_DOUBLINGS {
        gap *= widening;
        doublings += 1;
    }
    doublings
}

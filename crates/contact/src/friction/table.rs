//! Friction between bodies: coefficients, speeds at which it is fully developed, and belts.
//!
//! Most scenes have one coefficient, so a table without entries answers without a search.

use super::anchor::Anchor;
use super::law::SlipLaw;
use crate::PairScale;
use crate::tuning::{ANCHORS_AHEAD, KINETIC_SPEED, LEAST_KINETIC_SPEED, ROLLING_SPEED};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Coefficients of one pair of bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Coefficients {
    /// Coefficient of static friction (1): the force that is needed to start sliding, over the
    /// normal force.
    pub sticking: f64,
    /// Coefficient of kinetic friction (1), at most the static one.
    pub sliding: f64,
    /// Rolling resistance (m): the largest torque against rolling, over the normal force. It is the
    /// lever arm by which the normal force is ahead of the contact.
    pub rolling: f64,
}

impl From<f64> for Coefficients {
    /// One coefficient of static and kinetic friction (1), without rolling resistance.
    fn from(coefficient: f64) -> Self {
        Self {
            sticking: coefficient,
            sliding: coefficient,
            rolling: 0.0,
        }
    }
}

impl Coefficients {
    /// True if neither sliding nor rolling is resisted.
    fn are_zero(&self) -> bool {
        self.sticking <= 0.0 && self.rolling <= 0.0
    }
}

/// Coefficients of friction of every pair of bodies, the speeds at which it acts, and the speeds of
/// belts.
///
/// A pair of bodies has the coefficients of its entry, or else of the entry of their two materials,
/// or else the default.
#[derive(Clone, Debug, PartialEq)]
pub struct FrictionTable {
    /// Coefficients of all pairs without an entry.
    pub default: Coefficients,
    /// Coefficients of single pairs, with the smaller body index first.
    pairs: BTreeMap<[usize; 2], Coefficients>,
    /// Coefficients of pairs of materials, with the smaller number first.
    of_materials: BTreeMap<[usize; 2], Coefficients>,
    /// Number of the material of each body, `[bodies]`; `None` for a body without one.
    pub materials: Vec<Option<usize>>,
    /// Sliding speed at which static friction is fully developed, `eps_v` (m/s).
    pub eps_v: PairScale,
    /// Sliding speed from which on friction is kinetic (m/s), at least twice `eps_v` of the pair;
    /// 10 times `eps_v` if `None`.
    pub kinetic_speed: Option<f64>,
    /// Relative angular speed from which on rolling resistance acts in full (rad/s).
    pub rolling_speed: f64,
    /// Speed of the surface of each body along its outline, counter-clockwise around the body
    /// (m/s), `[bodies]`; empty if no body has a belt.
    pub belts: Vec<f64>,
    /// True if sticking contacts hold on to anchors, see [`Anchor`].
    pub sticks: bool,
    /// Anchors from the end of the step before, sorted by vertices.
    anchors: Arc<[Anchor]>,
}

impl FrictionTable {
    /// A table with one coefficient (1) and one speed `eps_v` (m/s) for all pairs.
    pub fn uniform(default: f64, eps_v: f64) -> Self {
        Self::new(default, PairScale::uniform(eps_v))
    }

    /// A table with the same coefficients for all pairs, and the speeds `eps_v` (m/s) of pairs.
    pub fn new(default: impl Into<Coefficients>, eps_v: PairScale) -> Self {
        Self {
            default: default.into(),
            pairs: BTreeMap::new(),
            of_materials: BTreeMap::new(),
            materials: Vec::new(),
            eps_v,
            kinetic_speed: None,
            rolling_speed: ROLLING_SPEED,
            belts: Vec::new(),
            sticks: false,
            anchors: Arc::default(),
        }
    }

    /// A table of the same belts with the coefficient 1 for all pairs, by which contacts without
    /// friction have a slip too.
    #[must_use]
    pub fn rough(&self) -> Self {
        Self {
            belts: self.belts.clone(),
            ..Self::uniform(1.0, 1.0)
        }
    }

    /// True if no pair has friction or rolling resistance.
    pub fn is_frictionless(&self) -> bool {
        let mut entries = self.pairs.values().chain(self.of_materials.values());
        self.default.are_zero() && entries.all(Coefficients::are_zero)
    }

    /// Sets the coefficients between bodies `a` and `b`, in either order.
    pub fn set(&mut self, a: usize, b: usize, coefficients: impl Into<Coefficients>) {
        self.pairs.insert([a.min(b), a.max(b)], coefficients.into());
    }

    /// Sets the coefficients between bodies of the materials `a` and `b`, in either order.
    pub fn set_materials(&mut self, a: usize, b: usize, coefficients: impl Into<Coefficients>) {
        let pair = [a.min(b), a.max(b)];
        self.of_materials.insert(pair, coefficients.into());
    }

    /// Coefficients between bodies `a` and `b`, in either order.
    pub fn get(&self, a: usize, b: usize) -> Coefficients {
        if !self.pairs.is_empty()
            && let Some(&own) = self.pairs.get(&[a.min(b), a.max(b)])
        {
            return own;
        }
        self.by_material(a, b).unwrap_or(self.default)
    }

    /// Coefficients of the materials of bodies `a` and `b`; `None` if these have none.
    fn by_material(&self, a: usize, b: usize) -> Option<Coefficients> {
        if self.of_materials.is_empty() {
            return None;
        }
        let [a, b] = [*self.materials.get(a)?, *self.materials.get(b)?];
        let [a, b] = [a?, b?];
        self.of_materials.get(&[a.min(b), a.max(b)]).copied()
    }

    /// Law of sliding friction between two `bodies` with these coefficients over a time (s).
    pub(super) fn law(&self, bodies: [usize; 2], pair: Coefficients, time: f64) -> SlipLaw {
        let eps_v = self.eps_v.between(bodies[0], bodies[1]);
        let speed = self.kinetic_speed.unwrap_or(KINETIC_SPEED * eps_v);
        SlipLaw {
            full: eps_v * time,
            kinetic: speed.max(LEAST_KINETIC_SPEED * eps_v) * time,
            ratio: pair.sliding / pair.sticking,
        }
    }

    /// This table, with contacts that hold on to `anchors`, which are sorted by vertices.
    #[must_use]
    pub fn holding(&self, anchors: &[Anchor]) -> Self {
        let mut held = self.clone();
        held.anchors = anchors.into();
        held
    }

    /// Elastic slip (m) with which a contact between these vertices and a body begins a step.
    ///
    /// `near` is the number of the anchor that was found before, after which this one is looked for
    /// first; it becomes the number of this one.
    pub(super) fn slip_of(&self, vertices: [usize; 4], other: usize, near: &mut usize) -> f64 {
        let found = self.anchor_of(vertices, other, near);
        found.map_or(0.0, |k| self.anchors[k].slip)
    }

    /// Number of the anchor with which a contact between these vertices and a body begins a step;
    /// `None` if it has none. `near` is as in [`FrictionTable::slip_of`].
    ///
    /// A vertex that has gone on to the next edge of the same body takes its slip along.
    pub(super) fn anchor_of(
        &self,
        vertices: [usize; 4],
        other: usize,
        near: &mut usize,
    ) -> Option<usize> {
        let anchors = &self.anchors;
        let is_own = |anchor: &Anchor| anchor.vertices == vertices;
        let next = anchors
            .iter()
            .skip(*near)
            .take(ANCHORS_AHEAD)
            .position(is_own);
        let found = next.map(|k| *near + k).or_else(|| {
            let found = anchors.binary_search_by_key(&vertices, |anchor| anchor.vertices);
            found.ok()
        });
        if let Some(k) = found {
            *near = k;
            return found;
        }

        let own = &vertices[..2];
        let first = anchors.partition_point(|anchor| anchor.vertices[..2] < *own);
        let same = anchors[first..].iter();
        let mut same = same.take_while(|anchor| anchor.vertices[..2] == *own);
        let found = same.position(|anchor| anchor.other == other);
        found.map(|k| first + k)
    }

    /// Sum of the speeds (m/s) of the belts of two bodies.
    ///
    /// Both surfaces move counter-clockwise around their own bodies, hence in opposite directions
    /// where the bodies touch, and by the sum along each other.
    pub(super) fn belts(&self, a: usize, b: usize) -> f64 {
        let of = |body: usize| self.belts.get(body).copied().unwrap_or(0.0);
        of(a) + of(b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_comes_before_its_materials_and_these_before_the_default() {
        let mut table = FrictionTable::uniform(0.1, 1e-3);
        table.materials = vec![Some(0), Some(1), Some(1), None];
        table.set_materials(1, 0, 0.2);
        table.set(2, 0, 0.3);

        for (pair, expected) in [([0, 1], 0.2), ([0, 2], 0.3), ([1, 2], 0.1), ([0, 3], 0.1)] {
            let [a, b] = pair;
            assert_eq!(table.get(a, b), expected.into(), "{pair:?}");
            assert_eq!(table.get(b, a), expected.into(), "{pair:?}");
        }
    }

    #[test]
    fn friction_is_kinetic_at_the_speed_that_is_given_and_never_before_it_is_developed() {
        let mut table = FrictionTable::uniform(0.4, 1e-3);
        for (given, expected) in [(None, 10e-3), (Some(0.5), 0.5), (Some(1e-4), 2e-3)] {
            table.kinetic_speed = given;
            let law = table.law([0, 1], 0.4.into(), 0.1);
            assert!((law.kinetic - 0.1 * expected).abs() < 1e-17, "{given:?}");
            assert_eq!(law.ratio, 1.0);
        }
    }
}

//! Friction between bodies: coefficients, and speeds at which it is fully developed.
//!
//! Most scenes have one coefficient, so a table without entries answers without a search.

use crate::contact::PairScale;
use std::collections::BTreeMap;

/// Coefficient of friction `mu` of every pair of bodies, and the sliding speed `eps_v` from which on
/// it acts in full.
#[derive(Clone, Debug, PartialEq)]
pub struct FrictionTable {
    /// Coefficient (1) of all pairs that have none of their own.
    pub default: f64,
    /// Coefficients (1) of single pairs, with the smaller body index first.
    pairs: BTreeMap<[usize; 2], f64>,
    /// Sliding speed from which on friction is fully developed, `eps_v` (m/s).
    pub eps_v: PairScale,
}

impl FrictionTable {
    /// A table with one coefficient (1) and one speed `eps_v` (m/s) for all pairs.
    pub fn uniform(default: f64, eps_v: f64) -> Self {
        Self::new(default, PairScale::uniform(eps_v))
    }

    /// A table with one coefficient (1) for all pairs, and the speeds `eps_v` (m/s) of pairs.
    pub fn new(default: f64, eps_v: PairScale) -> Self {
        Self {
            default,
            pairs: BTreeMap::new(),
            eps_v,
        }
    }

    /// True if no pair has friction.
    pub fn is_frictionless(&self) -> bool {
        self.default <= 0.0 && self.pairs.values().all(|&coefficient| coefficient <= 0.0)
    }

    /// Sets the coefficient (1) between bodies `a` and `b`, in either order.
    pub fn set(&mut self, a: usize, b: usize, coefficient: f64) {
        self.pairs.insert([a.min(b), a.max(b)], coefficient);
    }

    /// Coefficient (1) between bodies `a` and `b`, in either order.
    pub fn get(&self, a: usize, b: usize) -> f64 {
        if self.pairs.is_empty() {
            return self.default;
        }

        self.pairs
            .get(&[a.min(b), a.max(b)])
            .copied()
            .unwrap_or(self.default)
    }
}

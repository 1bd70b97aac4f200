//! Coefficients of friction between bodies.

use std::collections::BTreeMap;

/// Coefficient of friction `mu` of every pair of bodies.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrictionTable {
    /// Coefficient of all pairs that have none of their own.
    pub default: f64,
    /// Coefficients of single pairs, with the smaller body index first.
    pairs: BTreeMap<[usize; 2], f64>,
}

impl FrictionTable {
    /// A table with one coefficient for all pairs.
    pub fn uniform(default: f64) -> Self {
        Self {
            default,
            pairs: BTreeMap::new(),
        }
    }

    /// Sets the coefficient between bodies `a` and `b`, in either order.
    pub fn set(&mut self, a: usize, b: usize, coefficient: f64) {
        self.pairs.insert([a.min(b), a.max(b)], coefficient);
    }

    /// The coefficient between bodies `a` and `b`, in either order.
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

//! Scales of pairs of bodies: activation distances, and speeds at which friction is developed.

use std::collections::BTreeMap;

/// A scale of every two bodies: the smaller of their scales, unless the pair has an entry.
///
/// So it depends only on the two bodies; the rest of the scene changes nothing between them. Scales
/// are positive, in the unit of the quantity.
#[derive(Clone, Debug, PartialEq)]
pub struct PairScale {
    /// Largest scale of a pair of bodies without an entry.
    most: f64,
    /// Scale of each body, `[bodies]`; empty if all pairs have the largest one.
    own: Vec<f64>,
    /// Scales of single pairs, with the smaller body number first.
    pairs: BTreeMap<[usize; 2], f64>,
    /// Usual scales of pairs that are smaller than both of their bodies, with the smaller body number
    /// first.
    narrow: BTreeMap<[usize; 2], f64>,
}

impl PairScale {
    /// One scale for all pairs.
    pub fn uniform(scale: f64) -> Self {
        Self {
            most: scale,
            own: Vec::new(),
            pairs: BTreeMap::new(),
            narrow: BTreeMap::new(),
        }
    }

    /// Scales of bodies, `[bodies]`. A half-plane has no size: its scale is infinite, and its pairs
    /// have the scale of the other body. Two such bodies have the largest finite scale.
    pub fn of_bodies(own: Vec<f64>) -> Self {
        let finite = own.iter().copied().filter(|scale| scale.is_finite());
        Self {
            most: finite.reduce(f64::max).unwrap_or(1.0),
            own,
            pairs: BTreeMap::new(),
            narrow: BTreeMap::new(),
        }
    }

    /// Sets the usual scale of bodies `a` and `b`, in either order, to at most their present one.
    pub fn narrow(&mut self, a: usize, b: usize, scale: f64) {
        let scale = scale.min(self.usual(a, b));
        self.narrow.insert([a.min(b), a.max(b)], scale);
    }

    /// Sets the scale of bodies `a` and `b`, in either order, to at most their present one.
    pub fn lower(&mut self, a: usize, b: usize, scale: f64) {
        let scale = scale.min(self.between(a, b));
        self.pairs.insert([a.min(b), a.max(b)], scale);
    }

    /// True if one scale is given for all pairs.
    pub fn is_given(&self) -> bool {
        self.own.is_empty()
    }

    /// True if all pairs have the same scale.
    pub fn is_even(&self) -> bool {
        let least = self.own.iter().copied().fold(self.most, f64::min);
        self.pairs.is_empty() && self.narrow.is_empty() && least.to_bits() == self.most.to_bits()
    }

    /// Pairs of bodies with an entry, with the smaller body number first.
    pub fn pairs(&self) -> impl Iterator<Item = [usize; 2]> + '_ {
        self.pairs.keys().copied()
    }

    /// Scale of the bodies `a` and `b`, in either order.
    #[inline]
    pub fn between(&self, a: usize, b: usize) -> f64 {
        // Few pairs have an entry.
        if !self.pairs.is_empty()
            && let Some(&scale) = self.pairs.get(&[a.min(b), a.max(b)])
        {
            return scale;
        }
        self.usual(a, b)
    }

    /// Scale of the bodies `a` and `b`, in either order, without regard to entries.
    #[inline]
    pub fn usual(&self, a: usize, b: usize) -> f64 {
        if !self.narrow.is_empty()
            && let Some(&scale) = self.narrow.get(&[a.min(b), a.max(b)])
        {
            return scale;
        }
        self.most_of(a).min(self.most_of(b))
    }

    /// Bound of the scales of all pairs of body `a`.
    #[inline]
    pub fn most_of(&self, a: usize) -> f64 {
        match self.own.get(a) {
            Some(own) => own.min(self.most),
            None => self.most,
        }
    }

    /// Bound of the scales of all pairs.
    pub fn most(&self) -> f64 {
        self.most
    }

    /// Smallest scale of a body, which is the scale of all its pairs without an entry.
    pub fn least_of_bodies(&self) -> f64 {
        self.own.iter().copied().fold(self.most, f64::min)
    }

    /// Smallest scale of a pair of bodies.
    pub fn least(&self) -> f64 {
        let pairs = self.pairs.values().chain(self.narrow.values()).copied();
        pairs.fold(self.least_of_bodies(), f64::min)
    }
}

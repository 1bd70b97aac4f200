//! Restitution between bodies: coefficients, and approach speeds below which nothing rebounds.

use super::PairScale;
use std::collections::BTreeMap;

/// Coefficient of restitution `e` of every pair of bodies, and the approach speed up to which a
/// pair stays together.
///
/// A pair without a coefficient has no law of restitution: only its barrier decides how it
/// rebounds. That differs from a coefficient of 0, with which nothing rebounds.
#[derive(Clone, Debug, PartialEq)]
pub struct Restitution {
    /// Coefficient (1) of all pairs without an entry, if they have one.
    default: Option<f64>,
    /// Coefficients (1) of single pairs, with the smaller body number first.
    pairs: BTreeMap<[usize; 2], f64>,
    /// Approach speeds up to which the coefficient is 0.
    rest: RestSpeed,
}

/// Approach speed up to which a pair stays together, whatever its coefficient: the largest of a
/// share of its size and of the gain of each body in a few steps.
#[derive(Clone, Debug, PartialEq)]
pub struct RestSpeed {
    /// Speeds by size (m/s).
    pub least: PairScale,
    /// Speeds by the forces on each body (m/s), `[bodies]`; empty if the scene gives one speed.
    pub pushed: Vec<f64>,
}

impl RestSpeed {
    /// Speed (m/s) between bodies `a` and `b`, in either order.
    fn between(&self, a: usize, b: usize) -> f64 {
        let pushed = [a, b].map(|body| self.pushed.get(body).copied().unwrap_or(0.0));
        pushed.into_iter().fold(self.least.between(a, b), f64::max)
    }
}

impl Restitution {
    /// A table with a coefficient (1) for all pairs, or with none, and the speeds up to which pairs
    /// stay together.
    pub fn new(default: Option<f64>, rest: RestSpeed) -> Self {
        Self {
            default,
            pairs: BTreeMap::new(),
            rest,
        }
    }

    /// Sets the coefficient (1) between bodies `a` and `b`, in either order.
    pub fn set(&mut self, a: usize, b: usize, coefficient: f64) {
        self.pairs.insert([a.min(b), a.max(b)], coefficient);
    }

    /// True if no pair has a coefficient.
    pub fn is_absent(&self) -> bool {
        self.default.is_none() && self.pairs.is_empty()
    }

    /// Coefficient (1) between bodies `a` and `b`, in either order; `None` if they have none.
    pub fn between(&self, a: usize, b: usize) -> Option<f64> {
        let own = self.pairs.get(&[a.min(b), a.max(b)]).copied();
        own.or(self.default)
    }

    /// Approach speed (m/s) up to which bodies `a` and `b`, in either order, stay together.
    pub fn rest_speed(&self, a: usize, b: usize) -> f64 {
        self.rest.between(a, b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_have_no_order_and_the_larger_speed_counts() {
        let rest = RestSpeed {
            least: PairScale::uniform(0.1),
            pushed: vec![0.05, 0.2, 0.3],
        };
        let mut restitution = Restitution::new(None, rest.clone());
        assert!(restitution.is_absent());
        restitution.set(2, 1, 0.5);
        assert!(!restitution.is_absent());
        assert_eq!(restitution.between(1, 2), Some(0.5));
        assert_eq!(restitution.between(2, 1), Some(0.5));
        assert_eq!(restitution.between(0, 1), None);
        assert_eq!(Restitution::new(Some(0.0), rest).between(0, 1), Some(0.0));

        // An obstacle has no speed.
        for (pair, speed) in [([0, 0], 0.1), ([0, 1], 0.2), ([2, 1], 0.3), ([3, 0], 0.1)] {
            let [a, b] = pair;
            assert!(
                (restitution.rest_speed(a, b) - speed).abs() < 1e-15,
                "{pair:?}"
            );
        }
    }
}

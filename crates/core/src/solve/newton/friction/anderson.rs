//! Fixed points by anderson what was tried (Anderson 1965; Walker and Ni 2011).
//!
//! A direction `p` leads to another one, `G(p)`, and `G(p) = p` is sought. The changes of the way
//! `G(p) - p` from one direction to the next say, to first order, which mixture of those tried has
//! the shortest way; the next direction is where that mixture leads.

use ipcsim_math::{Vec2, parallel};

/// PathChange `|G(p) - p|` relative to `|G(p)|`, below which friction leads where it is led.
///
/// Unit 1, 1e-4 to 0.5; usually 0.05. Higher: more directions. Lower: more substitutions for each.
const ALIKE: f64 = 0.05;
/// Part of a change that those before do not have, relative to the first direction, below which
/// rounding decides about it.
const ROUNDING: f64 = 1e-8;

/// Directions, and the directions that the friction of each one leads to. They are compared in the
/// metric of the masses (kg), `[nodes]`.
#[derive(Debug, Default)]
pub(crate) struct Anderson {
    /// Length of the first direction (kg^(1/2) m).
    first: f64,
    /// The next direction, and a place for where its friction leads.
    pub(crate) next: FixedPointStep,
    /// The last direction, where its friction leads, and the way between them.
    last: FixedPointStep,
    /// The direction with the shortest way so far.
    pub(crate) best: FixedPointStep,
    /// Changes of the way, of length 1 and at right angles to each other, each with the change of
    /// where friction leads; those from number `count` on are buffers.
    changes: Vec<[Vec<Vec2>; 2]>,
    /// Number of changes so far.
    count: usize,
}

/// A direction `p` and where its friction leads, `G(p)` (m; of angles rad), `[nodes]`.
#[derive(Debug, Default)]
pub(crate) struct FixedPointStep {
    /// The direction `p`.
    pub(crate) from: Vec<Vec2>,
    /// Where it leads, `G(p)`.
    pub(crate) to: Vec<Vec2>,
    /// The way `G(p) - p`.
    way: Vec<Vec2>,
    /// Length of the way (kg^(1/2) m).
    length: f64,
}

impl FixedPointStep {
    /// Becomes another one, in the memory that it has.
    fn copy_from(&mut self, other: &Self) {
        copy(&mut self.from, &other.from);
        copy(&mut self.to, &other.to);
        copy(&mut self.way, &other.way);
        self.length = other.length;
    }
}

impl Anderson {
    /// Begins with no motion, whose friction leads to the direction `p`.
    pub(crate) fn begin(&mut self, mass: &[Vec2], p: &[Vec2]) {
        let Self { last, next, .. } = self;
        for at in [&mut last.from, &mut next.to] {
            at.clear();
            at.resize(p.len(), Vec2::zeros());
        }
        copy(&mut last.to, p);
        copy(&mut last.way, p);
        last.length = product(mass, p, p).sqrt();

        self.first = last.length;
        self.best.copy_from(last);
        self.count = 0;
    }

    /// Finds the next direction: where the last one leads, less what the changes so far say about
    /// its way.
    pub(crate) fn mix(&mut self, mass: &[Vec2]) {
        let FixedPointStep { to, way, .. } = &self.last;
        let p = &mut self.next.from;
        copy(p, to);
        for [change, led] in &self.changes[..self.count] {
            subtract(p, product(mass, change, way), led);
        }
    }

    /// Notes where the friction of the next direction leads, and returns true if that is the end:
    /// both are alike, or nothing new was found.
    pub(crate) fn note(&mut self, mass: &[Vec2]) -> bool {
        let FixedPointStep {
            from,
            to,
            way,
            length,
        } = &mut self.next;
        copy(way, to);
        subtract(way, 1.0, from);
        *length = product(mass, way, way).sqrt();
        if !length.is_finite() {
            return true;
        }

        // The part of the change that those before do not have.
        if self.changes.len() == self.count {
            self.changes.push(Default::default());
        }
        let (before, new) = self.changes.split_at_mut(self.count);
        let [change, led] = &mut new[0];
        copy(change, way);
        copy(led, to);
        subtract(change, 1.0, &self.last.way);
        subtract(led, 1.0, &self.last.to);
        for [one, residual_of_one] in before {
            let share = product(mass, one, change);
            subtract(change, share, one);
            subtract(led, share, residual_of_one);
        }
        let size = product(mass, change, change).sqrt();

        let is_alike = *length <= ALIKE * product(mass, to, to).sqrt();
        std::mem::swap(&mut self.last, &mut self.next);
        if self.last.length < self.best.length {
            self.best.copy_from(&self.last);
        }
        if is_alike || size <= ROUNDING * self.first {
            return true;
        }
        change.iter_mut().chain(led).for_each(|d| *d /= size);
        self.count += 1;
        false
    }
}

/// Product `a . M b` in the metric of the masses.
fn product(mass: &[Vec2], a: &[Vec2], b: &[Vec2]) -> f64 {
    parallel::sum(mass.len(), |i| mass[i].component_mul(&a[i]).dot(&b[i]))
}

/// Becomes a copy of a field, in the memory that is there.
fn copy(to: &mut Vec<Vec2>, from: &[Vec2]) {
    to.clear();
    to.extend_from_slice(from);
}

/// Subtracts a multiple of `b` from `a`.
fn subtract(a: &mut [Vec2], factor: f64, b: &[Vec2]) {
    for (a, b) in a.iter_mut().zip(b) {
        *a -= b * factor;
    }
}

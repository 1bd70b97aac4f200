//! Fixed points by mixing earlier attempts (Anderson 1965; Walker and Ni 2011).
//!
//! A direction `p` leads to another one, `G(p)`, and `G(p) = p` is sought. The changes of the
//! residual `G(p) - p` from one direction to the next say, to first order, which mixture of the
//! tried directions has the smallest residual; the next direction is `G` of that mixture.

use crate::tuning::{ANDERSON_ALIKE, ANDERSON_ROUNDING};
use ipcsim_math::{Vec2, parallel};

/// Directions, and the directions that the friction of each one leads to. They are compared in the
/// metric of the masses (kg), `[nodes]`.
#[derive(Debug, Default)]
pub(crate) struct Anderson {
    /// Length of the first direction (kg^(1/2) m).
    first: f64,
    /// The next direction, and a place for where its friction leads.
    pub(crate) next: FixedPointStep,
    /// The last direction, its image `G(p)`, and the residual between them.
    last: FixedPointStep,
    /// The direction with the smallest residual so far.
    pub(crate) best: FixedPointStep,
    /// Changes of the residual, of length 1 and at right angles to each other, each with the change
    /// of the image; entries from number `count` on are buffers.
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
    /// The residual `G(p) - p`.
    way: Vec<Vec2>,
    /// Length of the residual (kg^(1/2) m).
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

    /// Begins with a direction and where its friction leads, [`Anderson::begin`] with a first attempt at hand.
    /// The residual between the two is the smallest so far; mixing starts with the next attempt.
    pub(crate) fn begin_from(&mut self, mass: &[Vec2], from: &[Vec2], to: &[Vec2]) {
        let Self { last, next, .. } = self;
        copy(&mut last.from, from);
        for image in [&mut last.to, &mut next.to, &mut last.way] {
            copy(image, to);
        }
        subtract(&mut last.way, 1.0, from);
        last.length = product(mass, &last.way, &last.way).sqrt();

        self.first = product(mass, to, to).sqrt();
        self.best.copy_from(last);
        self.count = 0;
    }

    /// Finds the next direction: the image of the last one, less the part of its residual that the
    /// changes so far predict.
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

        let is_alike = *length <= ANDERSON_ALIKE * product(mass, to, to).sqrt();
        std::mem::swap(&mut self.last, &mut self.next);
        if self.last.length < self.best.length {
            self.best.copy_from(&self.last);
        }
        if is_alike || size <= ANDERSON_ROUNDING * self.first {
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

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};

    /// Masses (kg), `[nodes]`, which differ.
    fn masses(nodes: usize) -> Vec<Vec2> {
        let mass = |k: usize| Vec2::new(1.0 + k as f64, 0.5 + 0.3 * k as f64);
        (0..nodes).map(mass).collect()
    }

    /// Components of a field, one after another.
    fn flat(field: &[Vec2]) -> DVector<f64> {
        DVector::from_iterator(2 * field.len(), field.iter().flat_map(|v| [v.x, v.y]))
    }

    /// A linear map `G(p) = A p + b`.
    struct Map {
        a: DMatrix<f64>,
        b: DVector<f64>,
    }

    impl Map {
        /// A map whose derivative has these eigenvalues, with vectors that are not at right angles.
        fn with_eigenvalues(values: &[f64]) -> Self {
            let n = values.len();
            let vectors = DMatrix::from_fn(n, n, |i, j| {
                f64::from(u8::from(i == j)) + 0.3 * ((3 * i + 7 * j) as f64).sin()
            });
            let diagonal = DMatrix::from_diagonal(&DVector::from_row_slice(values));
            Self {
                a: &vectors * diagonal * vectors.clone().try_inverse().unwrap(),
                b: DVector::from_fn(n, |i, _| 1.0 + 0.2 * i as f64),
            }
        }

        /// Where a field leads.
        fn of(&self, p: &[Vec2]) -> Vec<Vec2> {
            let led = &self.a * flat(p) + &self.b;
            led.as_slice()
                .chunks(2)
                .map(Vec2::from_column_slice)
                .collect()
        }

        /// The fixed point, by a direct solution.
        fn fixed(&self) -> DVector<f64> {
            let n = self.b.len();
            let matrix = DMatrix::identity(n, n) - &self.a;
            matrix.lu().solve(&self.b).unwrap()
        }

        /// Searches the fixed point, and returns the number of directions that were tried.
        fn search(&self, anderson: &mut Anderson, most: usize) -> usize {
            let nodes = self.b.len() / 2;
            let mass = masses(nodes);
            anderson.begin(&mass, &self.of(&vec![Vec2::zeros(); nodes]));
            for count in 1..=most {
                anderson.mix(&mass);
                anderson.next.to = self.of(&anderson.next.from);
                if anderson.note(&mass) {
                    return count;
                }
            }
            most + 1
        }
    }

    #[test]
    fn the_fixed_point_of_a_linear_map_is_found_in_one_direction_more_than_it_has_components() {
        // Plain repetition diverges by a factor of 40 each time.
        let map = Map::with_eigenvalues(&[-40.0, 25.0, -9.0, 14.0]);
        let mut anderson = Anderson::default();
        let count = map.search(&mut anderson, 5);
        assert!(count <= 5, "{count}");

        let fixed = map.fixed();
        let error = (flat(&anderson.best.to) - &fixed).norm() / fixed.norm();
        assert!(error < 1e-9, "{error:e} after {count}");
    }

    #[test]
    fn mixing_needs_fewer_directions_than_plain_repetition() {
        let map = Map::with_eigenvalues(&[-0.97, -0.9, -0.8, 0.5, 0.3, 0.1]);
        let mut anderson = Anderson::default();
        let mixed = map.search(&mut anderson, 100);

        // Plain repetition to the same ratio of lengths.
        let mass = masses(3);
        let mut p = vec![Vec2::zeros(); 3];
        let mut plain = 0;
        loop {
            let to = map.of(&p);
            let length = |field: &[Vec2]| product(&mass, field, field).sqrt();
            let change: Vec<Vec2> = to.iter().zip(&p).map(|(to, p)| to - p).collect();
            if length(&change) <= ANDERSON_ALIKE * length(&to) {
                break;
            }
            plain += 1;
            p = to;
        }
        assert!(mixed <= 7 && 3 * mixed <= plain, "{mixed} {plain}");
        assert!(
            anderson.best.length
                <= ANDERSON_ALIKE * product(&mass, &anderson.best.to, &anderson.best.to).sqrt()
        );
    }

    #[test]
    fn a_change_that_is_nothing_new_ends_the_search_and_is_not_used() {
        // `G(p) = p + b` has no fixed point, and all changes vanish.
        let mut map = Map::with_eigenvalues(&[0.0, 0.0]);
        map.a.fill_with_identity();
        let mut anderson = Anderson::default();
        assert_eq!(map.search(&mut anderson, 9), 1);
        assert_eq!(anderson.count, 0);

        // The next direction is where the last one leads, without a division by the vanishing length.
        let mass = masses(1);
        let led = anderson.last.to.clone();
        anderson.mix(&mass);
        assert_eq!(anderson.next.from, led);
        assert_eq!(anderson.best.from, [Vec2::zeros()]);
    }

    #[test]
    fn a_search_that_begins_again_forgets_the_one_before_and_keeps_the_shortest_change() {
        let map = Map::with_eigenvalues(&[-3.0, 5.0, 1.5, -7.0]);
        let mut used = Anderson::default();
        Map::with_eigenvalues(&[-40.0, 25.0, -9.0, 14.0, 3.0, 2.0]).search(&mut used, 7);
        let mut new = Anderson::default();
        let counts = [&mut used, &mut new].map(|anderson| map.search(anderson, 9));
        assert_eq!(counts[0], counts[1]);
        assert_eq!(used.best.to, new.best.to);

        // A later direction that leads farther off is not the best one.
        let mass = [Vec2::repeat(1.0)];
        new.begin(&mass, &[Vec2::x()]);
        new.mix(&mass);
        new.next.to = vec![Vec2::new(1.2, 0.1)];
        assert!(!new.note(&mass));
        let best = new.best.to.clone();
        new.mix(&mass);
        new.next.to = vec![Vec2::new(-50.0, 80.0)];
        assert!(!new.note(&mass));
        assert_eq!(new.best.to, best);
    }
}

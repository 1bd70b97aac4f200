//! Coulomb friction, lagged: normal force, tangent and point of contact are those of the step's start, which makes it a
//! potential (Li et al. 2020, section 5; the free physics-based simulation book, chapter on friction).

use super::{Contacts, Surface};
use crate::energy::{Energy, LocalEnergy, Summed};
use crate::math::{Mat2, Vec2, outer, perp};

/// Coefficients of friction between bodies.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrictionTable {
    /// Number of bodies.
    pub bodies: usize,
    /// Coefficient of each pair, `[bodies * bodies]`, symmetric.
    pub coefficients: Vec<f64>,
}

impl FrictionTable {
    /// The same coefficient for every pair.
    pub fn uniform(bodies: usize, coefficient: f64) -> Self {
        Self { bodies, coefficients: vec![coefficient; bodies * bodies] }
    }

    /// Sets the coefficient between bodies `a` and `b`.
    pub fn set(&mut self, a: usize, b: usize, coefficient: f64) {
        self.coefficients[a * self.bodies + b] = coefficient;
        self.coefficients[b * self.bodies + a] = coefficient;
    }

    /// The coefficient between bodies `a` and `b`.
    pub fn get(&self, a: usize, b: usize) -> f64 {
        self.coefficients[a * self.bodies + b]
    }
}

/// The lagged friction potential of one contact, `mu lambda f_0(|u|)` (J).
///
/// `u = t . sum_i c_i (x_i - x_i^n)` is how far the contact has slid (m); `f_0` is `u` beyond `slip` and
/// `u^2/slip - u^3/(3 slip^2) + slip/3` below, so that the force grows smoothly from rest.
#[derive(Clone, Copy, Debug)]
pub struct FrictionContact<const N: usize> {
    /// Friction coefficient times normal force, `mu lambda` (N).
    pub load: f64,
    /// Unit tangent `t`.
    pub tangent: Vec2,
    /// Weights `c_i` of the vertices in the relative displacement; their sum is 0.
    pub weights: [f64; N],
    /// Positions at the step's start, `x_i^n` (m).
    pub start: [Vec2; N],
    /// Sliding distance at which friction is fully developed, `eps_v h` (m).
    pub slip: f64,
}

impl<const N: usize> FrictionContact<N> {
    fn slide(&self, x: &[Vec2; N]) -> f64 {
        (0..N).map(|i| self.weights[i] * self.tangent.dot(&(x[i] - self.start[i]))).sum()
    }
}

impl<const N: usize> LocalEnergy<N> for FrictionContact<N> {
    const NAME: &'static str = "friction";

    fn value(&self, x: &[Vec2; N]) -> f64 {
        let (u, slip) = (self.slide(x).abs(), self.slip);
        let f0 = if u >= slip { u } else { u * u / slip * (1.0 - u / (3.0 * slip)) + slip / 3.0 };
        self.load * f0
    }

    fn gradient(&self, x: &[Vec2; N]) -> [Vec2; N] {
        let u = self.slide(x);
        let ratio = u.abs() / self.slip;
        let f1 = if ratio >= 1.0 { 1.0 } else { ratio * (2.0 - ratio) };
        let force = self.tangent * (self.load * f1.copysign(u));
        self.weights.map(|c| force * c)
    }

    fn hessian(&self, x: &[Vec2; N]) -> [[Mat2; N]; N] {
        let ratio = self.slide(x).abs() / self.slip;
        let f2 = if ratio >= 1.0 { 0.0 } else { 2.0 * (1.0 - ratio) / self.slip };
        let h = outer(self.tangent, self.tangent) * (self.load * f2);
        self.weights.map(|a| self.weights.map(|b| h * (a * b)))
    }
}

/// Lagged friction of all contacts.
#[derive(Clone, Debug, Default)]
pub struct Friction {
    lines: Summed<FrictionContact<3>, 3>,
    points: Summed<FrictionContact<2>, 2>,
    planes: Summed<FrictionContact<2>, 2>,
}

impl Friction {
    /// The friction of `contacts`, found at `x`, against sliding from `start`; `slip` is `eps_v h` (m). The point of
    /// contact is the nearest point of the edge itself, never of its extension. Contacts with a negative weight, which
    /// only correct the barrier where two edges overlap, have none.
    pub fn lagged(
        surface: &Surface,
        table: &FrictionTable,
        contacts: &Contacts,
        x: &[Vec2],
        start: &[Vec2],
        slip: f64,
    ) -> Self {
        let mut friction = Self::default();
        let coefficient = |a: usize, b: usize| table.get(surface.body[a], surface.body[b]);
        for (&[p, a, b], contact) in contacts.lines.stencils.iter().zip(&contacts.lines.elements) {
            let tangent = (x[b] - x[a]).normalize();
            let s = tangent.dot(&(x[p] - x[a])) / (x[b] - x[a]).norm();
            let distance = tangent.perp(&(x[p] - x[a])).abs();
            let load = coefficient(p, a) * contact.weight * -contact.barrier.pair(distance).first;
            let weights = [1.0, s - 1.0, -s];
            add(
                &mut friction.lines,
                [p, a, b],
                FrictionContact { load, tangent, weights, start: [p, a, b].map(|i| start[i]), slip },
            );
        }
        for (&[p, v], contact) in contacts.points.stencils.iter().zip(&contacts.points.elements) {
            let gap = x[p] - x[v];
            let distance = gap.norm();
            let tangent = perp(gap / distance);
            let load = coefficient(p, v) * contact.weight * -contact.barrier.pair(distance).first;
            add(&mut friction.points, [p, v], two(load, tangent, [start[p], start[v]], slip));
        }
        for (&[p, o], contact) in contacts.planes.stencils.iter().zip(&contacts.planes.elements) {
            let distance = contact.normal.dot(&(x[p] - x[o]));
            let load = coefficient(p, o) * contact.weight * -contact.barrier.plane(distance).first;
            add(&mut friction.planes, [p, o], two(load, perp(contact.normal), [start[p], start[o]], slip));
        }
        friction
    }

    /// The three sums as potentials.
    pub fn parts(&self) -> [&dyn Energy; 3] {
        [&self.lines, &self.points, &self.planes]
    }
}

fn two(load: f64, tangent: Vec2, start: [Vec2; 2], slip: f64) -> FrictionContact<2> {
    FrictionContact { load, tangent, weights: [1.0, -1.0], start, slip }
}

fn add<const N: usize>(sum: &mut Summed<FrictionContact<N>, N>, stencil: [usize; N], contact: FrictionContact<N>) {
    if contact.load > 0.0 {
        sum.push(stencil, contact);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::energy::testing;

    #[test]
    fn derivatives_match_finite_differences() {
        let start = [Vec2::new(0.3, 0.1), Vec2::new(0.0, 0.0), Vec2::new(1.0, 0.2)];
        let tangent = Vec2::new(1.0, 0.2).normalize();
        for slide in [-3.0, -0.6, 0.2, 0.9, 1.5] {
            let contact = FrictionContact { load: 2.0, tangent, weights: [1.0, -0.7, -0.3], start, slip: 0.01 };
            let x = [start[0] + tangent * (slide * 0.01), start[1], start[2]];
            testing::check(&contact, x, 1e-7, false);
        }
    }

    #[test]
    fn the_force_is_mu_lambda_when_sliding_and_opposes_the_motion() {
        let contact = two(3.0, Vec2::new(1.0, 0.0), [Vec2::zeros(); 2], 1e-5);
        for slide in [-1.0, 1.0] {
            let gradient = contact.gradient(&[Vec2::new(slide, 0.0), Vec2::zeros()]);
            assert!((gradient[0].x - 3.0 * slide).abs() < 1e-15 && (gradient[1].x + 3.0 * slide).abs() < 1e-15);
        }
        let at_rest = contact.gradient(&[Vec2::zeros(); 2]);
        assert_eq!(at_rest[0].norm(), 0.0);
    }
}

//! Coulomb friction, lagged: normal force, tangent and point of contact are those of the step's start, which makes it a
//! potential (Li et al. 2020, section 5; the free physics-based simulation book, chapter on friction).

use super::{Contacts, Surface};
use crate::energy::{Energy, LocalEnergy, Summed};
use crate::math::{Mat2, Vec2, outer, perp};
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// Coefficients of friction between bodies.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrictionTable {
    /// Coefficient of pairs that are not listed.
    pub default: f64,
    /// Coefficients of pairs, the smaller number first.
    pairs: BTreeMap<[usize; 2], f64>,
}

impl FrictionTable {
    /// The same coefficient for every pair.
    pub fn uniform(default: f64) -> Self {
        Self {
            default,
            pairs: BTreeMap::new(),
        }
    }

    /// Sets the coefficient between bodies `a` and `b`.
    pub fn set(&mut self, a: usize, b: usize, coefficient: f64) {
        self.pairs.insert([a.min(b), a.max(b)], coefficient);
    }

    /// The coefficient between bodies `a` and `b`.
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

/// The lagged friction potential of one contact, `mu lambda f_0(|u|)` (J).
///
/// `u = sum_i c_i . (y_i - x_i^n)` is how far the contact has slid (m); `f_0` is `u` beyond `slip` and
/// `u^2/slip - u^3/(3 slip^2) + slip/3` below, so that the force grows smoothly from rest.
///
/// `y_i` is where vertex `i` would be had it kept to its velocity at `x^n`: the vertex itself where paths are straight, but
/// a point on the tangent of its arc on a rigid body. A body that turns once in a step has slid by its circumference.
#[derive(Clone, Copy, Debug)]
pub struct FrictionContact<const N: usize> {
    /// Friction coefficient times normal force, `mu lambda` (N).
    pub load: f64,
    /// What each vertex adds to the sliding distance, `c_i`; these sum to 0.
    pub weights: [Vec2; N],
    /// Positions at the step's start, `x_i^n` (m).
    pub start: [Vec2; N],
    /// Sliding distance at which friction is fully developed, `eps_v h` (m).
    pub slip: f64,
    /// The force along the tangent as a share of `load`, in `[-1, 1]`, as the last Newton direction expected it.
    pub dual: f64,
}

/// Newton's method by force and motion.
///
/// Beyond `slip` the second derivative of `f_0` vanishes: a contact that ought to stick is sent far to the other side, and
/// then back. The primal-dual method keeps the force `w` as an unknown of its own, bound by `w m(|u|) = u` with
/// `m(r) = r / f_0'(r)`, and linearises that: `dw = ((1 - w m' sign u) du + u - w m) / m`. The gradient stays what it is; the second
/// derivative becomes `(1 - w m' sign u) / m`, which is that of `f_0` once `w` and `u` agree, and never negative (Chan, Golub
/// and Mulet 1999, "A nonlinear primal-dual method for total variation-based image restoration", section 3).
impl<const N: usize> FrictionContact<N> {
    fn slide(&self, y: &[Vec2; N]) -> f64 {
        (0..N)
            .map(|i| self.weights[i].dot(&(y[i] - self.start[i])))
            .sum()
    }

    /// `m(|u|)` and its derivative.
    fn secant(&self, u: f64) -> (f64, f64) {
        let ratio = u.abs() / self.slip;
        if ratio >= 1.0 {
            return (u.abs(), 1.0);
        }
        let rest = 2.0 - ratio;
        (self.slip / rest, 1.0 / (rest * rest))
    }

    /// The second derivative by the sliding distance `u`, relative to `load`.
    fn stiffness(&self, u: f64) -> f64 {
        let (m, slope) = self.secant(u);
        (1.0 - slope * self.dual * 1.0_f64.copysign(u)) / m
    }

    fn follow(&mut self, y: &[Vec2; N], p: &[Vec2; N]) {
        let u = self.slide(y);
        let du: f64 = self.weights.iter().zip(p).map(|(c, p)| c.dot(p)).sum();
        self.dual = (u / self.secant(u).0 + self.stiffness(u) * du).clamp(-1.0, 1.0);
    }
}

impl<const N: usize> LocalEnergy<N> for FrictionContact<N> {
    const NAME: &'static str = "friction";

    fn value(&self, y: &[Vec2; N]) -> f64 {
        let (u, slip) = (self.slide(y).abs(), self.slip);
        let f0 = if u >= slip {
            u
        } else {
            u * u / slip * (1.0 - u / (3.0 * slip)) + slip / 3.0
        };
        self.load * f0
    }

    fn gradient(&self, y: &[Vec2; N]) -> [Vec2; N] {
        let u = self.slide(y);
        let ratio = u.abs() / self.slip;
        let f1 = if ratio >= 1.0 {
            1.0
        } else {
            ratio * (2.0 - ratio)
        };
        let force = self.load * f1.copysign(u);
        self.weights.map(|c| c * force)
    }

    fn hessian(&self, y: &[Vec2; N]) -> [[Mat2; N]; N] {
        let stiffness = self.load * self.stiffness(self.slide(y));
        self.weights
            .map(|a| self.weights.map(|b| outer(a, b) * stiffness))
    }
}

/// Lagged friction of all contacts, by the number of vertices that take part.
#[derive(Clone, Debug, Default)]
pub struct Friction {
    pairs: Summed<FrictionContact<2>, 2>,
    triples: Summed<FrictionContact<3>, 3>,
    quadruples: Summed<FrictionContact<4>, 4>,
}

/// What friction is computed from: coefficients, and how far from which positions sliding is counted.
#[derive(Clone, Copy, Debug)]
pub struct Lag<'a> {
    /// Coefficients.
    pub table: &'a FrictionTable,
    /// Positions at the step's start (m).
    pub start: &'a [Vec2],
    /// Sliding distance at which friction is fully developed, `eps_v h` (m).
    pub slip: f64,
}

impl Friction {
    /// The friction of `contacts`, found at `x`. The point of contact is the nearest point of the edge itself, never of its
    /// extension. Contacts with a negative weight, which only correct the barrier where two edges overlap, have none.
    pub fn lagged(surface: &Surface, contacts: &Contacts, x: &[Vec2], lag: Lag) -> Self {
        let mut friction = Self::default();
        let coefficient = |a: usize, b: usize| lag.table.get(surface.body[a], surface.body[b]);
        let mut add = |load: f64, tangent: Vec2, normal: Vec2, stencil: &[(usize, f64)]| {
            if load > 0.0 {
                friction.add(
                    lag,
                    load,
                    &sliding(surface, lag.start, [tangent, normal], stencil),
                );
            }
        };
        for (&[p, a, b], contact) in contacts.lines.stencils.iter().zip(&contacts.lines.elements) {
            let tangent = (x[b] - x[a]).normalize();
            let s = tangent.dot(&(x[p] - x[a])) / (x[b] - x[a]).norm();
            let signed = tangent.perp(&(x[p] - x[a]));
            let jet = contact.jet(signed.abs());
            let load = coefficient(p, a) * contact.weight * -jet.first;
            add(
                load,
                tangent,
                perp(tangent).scale(signed.signum()),
                &[(p, 1.0), (a, s - 1.0), (b, -s)],
            );
        }
        for (&[p, v], contact) in contacts
            .points
            .stencils
            .iter()
            .zip(&contacts.points.elements)
        {
            let distance = (x[p] - x[v]).norm();
            let normal = (x[p] - x[v]) / distance;
            let load = coefficient(p, v)
                * contact.weight
                * -contact.jet(distance - contact.separation).first;
            add(load, perp(normal), normal, &[(p, 1.0), (v, -1.0)]);
        }
        for (&[p, o], contact) in contacts
            .planes
            .stencils
            .iter()
            .zip(&contacts.planes.elements)
        {
            let gap = contact.normal.dot(&(x[p] - x[o])) - contact.separation;
            let load = coefficient(p, o) * contact.weight * -contact.jet(gap).first;
            add(
                load,
                perp(contact.normal),
                contact.normal,
                &[(p, 1.0), (o, -1.0)],
            );
        }
        friction
    }

    fn add(&mut self, lag: Lag, load: f64, weights: &[(usize, Vec2)]) {
        match weights.len() {
            2 => push(&mut self.pairs, lag, load, weights),
            3 => push(&mut self.triples, lag, load, weights),
            _ => push(&mut self.quadruples, lag, load, weights),
        }
    }

    /// Brings the forces that the next Hessian is made with to what is expected after the motion `p` from `y`; without
    /// motion to what they are at `y`.
    pub fn follow(&mut self, y: &[Vec2], p: &[Vec2]) {
        follow(&mut self.pairs, y, p);
        follow(&mut self.triples, y, p);
        follow(&mut self.quadruples, y, p);
    }

    /// Whether nothing rubs.
    pub fn is_empty(&self) -> bool {
        self.pairs.elements.is_empty()
            && self.triples.elements.is_empty()
            && self.quadruples.elements.is_empty()
    }

    /// The three sums as potentials of the positions `y` (see [`FrictionContact`]).
    pub fn parts(&self) -> [&dyn Energy; 3] {
        [&self.triples, &self.pairs, &self.quadruples]
    }
}

fn follow<const N: usize>(sum: &mut Summed<FrictionContact<N>, N>, y: &[Vec2], p: &[Vec2]) {
    for (contact, stencil) in sum.elements.iter_mut().zip(&sum.stencils) {
        contact.follow(&stencil.map(|i| y[i]), &stencil.map(|i| p[i]));
    }
}

/// What each vertex adds to sliding along `tangent`, from what it adds to the motion of the contact. A circle touches with
/// its rim: where its centre `c` moves by `dc` and its rim vertex `r` by `dr`, it has turned by
/// `perp(a) . (dr - dc) / R^2` with the arm `a = r - c`, and its point at `-+ R n` moves along the tangent by
/// `t . dc -+ R (t . perp n)` times that.
fn sliding(
    surface: &Surface,
    start: &[Vec2],
    [tangent, normal]: [Vec2; 2],
    stencil: &[(usize, f64)],
) -> SmallVec<[(usize, Vec2); 4]> {
    let mut weights: SmallVec<[(usize, Vec2); 4]> = SmallVec::new();
    for (k, &(vertex, c)) in stencil.iter().enumerate() {
        weights.push((vertex, tangent * c));
        if let Some(disk) = surface.disk_at(vertex) {
            let inward = if k == 0 { -1.0 } else { 1.0 };
            let turn = perp(start[disk.rim] - start[vertex]) / disk.radius;
            let rolled = turn * (c * inward * tangent.dot(&perp(normal)));
            weights.push((disk.rim, rolled));
            let last = weights.len() - 2;
            weights[last].1 -= rolled;
        }
    }
    weights
}

fn push<const N: usize>(
    sum: &mut Summed<FrictionContact<N>, N>,
    lag: Lag,
    load: f64,
    weights: &[(usize, Vec2)],
) {
    let stencil: [usize; N] = std::array::from_fn(|k| weights[k].0);
    let weights = std::array::from_fn(|k| weights[k].1);
    sum.push(
        stencil,
        FrictionContact {
            load,
            weights,
            start: stencil.map(|i| lag.start[i]),
            slip: lag.slip,
            dual: 0.0,
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::energy::testing;

    fn two(load: f64, tangent: Vec2, start: [Vec2; 2], slip: f64) -> FrictionContact<2> {
        FrictionContact {
            load,
            weights: [tangent, -tangent],
            start,
            slip,
            dual: 0.0,
        }
    }

    #[test]
    fn derivatives_match_finite_differences() {
        let start = [
            Vec2::new(0.3, 0.1),
            Vec2::new(0.0, 0.0),
            Vec2::new(1.0, 0.2),
        ];
        let tangent = Vec2::new(1.0, 0.2).normalize();
        for slide in [-3.0, -0.6, 0.2, 0.9, 1.5] {
            let weights = [1.0, -0.7, -0.3].map(|c| tangent * c);
            let mut contact = FrictionContact {
                load: 2.0,
                weights,
                start,
                slip: 0.01,
                dual: 0.0,
            };
            let x = [start[0] + tangent * (slide * 0.01), start[1], start[2]];
            contact.follow(&x, &[Vec2::zeros(); 3]);
            testing::check(&contact, x, 1e-7, false);
        }
    }

    /// One contact on a spring that is at rest where it has slid `to`: its equilibrium by bisection, and the directions that the
    /// primal-dual method takes to it, each in full. Newton's own method goes to and fro for ever where it sticks.
    #[test]
    fn a_contact_that_sticks_or_slides_is_found_in_few_directions() {
        let (load, slip, stiffness) = (3.0, 1e-5, 10.0);
        let axis = Vec2::new(1.0, 0.0);
        for to in [-0.4, -0.29, 1e-6, 0.2, 0.299, 0.301, 0.5, 4.0] {
            let mut contact = two(load, axis, [Vec2::zeros(); 2], slip);
            let force = |contact: &FrictionContact<2>, u: f64| {
                stiffness * (u - to) + contact.gradient(&[axis * u, Vec2::zeros()])[0].x
            };
            let (mut low, mut high) = (-5.0, 5.0);
            while high - low > 1e-12 {
                let middle = 0.5 * (low + high);
                if force(&contact, middle) > 0.0 {
                    high = middle;
                } else {
                    low = middle;
                }
            }
            let (mut u, mut count) = (to, 0);
            while (u - low).abs() > 1e-3 * slip {
                let du = -force(&contact, u)
                    / (stiffness + contact.hessian(&[axis * u, Vec2::zeros()])[0][0].m11);
                contact.follow(&[axis * u, Vec2::zeros()], &[axis * du, Vec2::zeros()]);
                u += du;
                count += 1;
                assert!(count <= 20, "to {to}: at {u}, not at {low}");
            }
        }
    }

    #[test]
    fn the_force_is_mu_lambda_when_sliding_and_opposes_the_motion() {
        let contact = two(3.0, Vec2::new(1.0, 0.0), [Vec2::zeros(); 2], 1e-5);
        for slide in [-1.0, 1.0] {
            let gradient = contact.gradient(&[Vec2::new(slide, 0.0), Vec2::zeros()]);
            assert!(
                (gradient[0].x - 3.0 * slide).abs() < 1e-15
                    && (gradient[1].x + 3.0 * slide).abs() < 1e-15
            );
        }
        let at_rest = contact.gradient(&[Vec2::zeros(); 2]);
        assert_eq!(at_rest[0].norm(), 0.0);
    }
}

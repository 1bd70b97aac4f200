//! Contacts whose gaps are linear functions of a displacement, with their exact barriers.
//!
//! Newton's method replaces the barrier of each contact by a quadratic function, which is wrong by any factor
//! as soon as a gap changes by half of itself, and it knows only pairs that are in contact already. Here the
//! barrier stays as it is, and only the gap is replaced by its linear model:
//!
//! `E(u) = sum_k w_k (b(g_k + n_k . u) + p_k (a_k . u) (c_k . u))`
//!
//! over the places `k` of all contacts within a wider reach. The sum of barriers of linear functions is convex,
//! and finite at `u = 0`: a direction that minimises it with the rest of the potential neither closes a gap
//! nor is surprised by one (Gauss-Newton on the composition, or a prox-linear method; Drusvyatskiy and
//! Paquette 2019). The second term is the geometric stiffness: normals turn, with a pressure `p_k` that is held.
//!
//! Along an edge the places come from the quadrature rule of its piece.
//!
//! Each place knows how its gap and the two factors of its turning have changed so far, and how they change along
//! a present direction. It has no vertices: [`LinearGaps::slopes`] are the derivatives `n`, `a` and `c` by
//! these, and an inner solver has them by its own unknowns. A solver goes in steps:
//!
//! 1. [`LinearGaps::stiffen`] chooses stiffnesses; [`LinearGaps::gradients`] and [`LinearGaps::curvatures`] are the
//!    derivatives of the energy by the gap and the factors of turning;
//! 2. [`LinearGaps::set_out`] takes the changes along the direction that these lead to;
//! 3. [`LinearGaps::open_share`] and [`LinearGaps::value_after`] serve a line search;
//! 4. [`LinearGaps::advance`] goes a share of the direction.

mod places;

use super::barrier::{Barrier, Jet};
use super::segments::round;
use super::tuning::{INVERSE_MOST_STEPS, LINEAR_GAP_KEPT};
use ipcsim_math::Vec2;

/// Barrier of a place as a function of its gap.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GapLaw {
    /// Formula and stiffness.
    barrier: Barrier,
    /// Activation distance (m).
    d_hat: f64,
    /// Which integral of the barrier it is.
    shape: GapShape,
}

/// Which function of the gap a barrier is.
#[derive(Clone, Copy, Debug)]
enum GapShape {
    /// The barrier of one side.
    OneSided,
    /// Half of it, for pairs that are found from both sides.
    Mutual,
    /// The integral along a circle with this curvature relative to the other side (1/m).
    Round(f64),
}

/// A place of a contact: its gap, and the factors by which its normal turns.
#[derive(Clone, Debug)]
pub(crate) struct LinearGap {
    /// Barrier.
    law: GapLaw,
    /// Contact length times thickness `w` (m^2); of circles thickness (m).
    weight: f64,
    /// Gap (m) after the displacement so far, and its change along the present direction.
    gap: [f64; 2],
    /// `a . u` and `c . u` so far, and their changes along the present direction.
    bent: [[f64; 2]; 2],
    /// Pressure (Pa) that the last direction leads to.
    expected: f64,
    /// Stiffness that Newton's method has for the gap (Pa/m).
    stiffness: f64,
    /// Pressure (Pa) with which normals turn.
    held: f64,
    /// Pressure that stops the masses of both sides in the step, over the distance by which they would meet
    /// (Pa/m); 0 if it is not known.
    stopping: f64,
}

/// Derivatives of a place by the displacements of four vertices, which may repeat.
#[derive(Clone, Copy, Debug)]
pub struct GapSlopes {
    /// The vertices.
    pub vertices: [usize; 4],
    /// Derivative `n` of the gap by each vertex (1).
    pub opening: [Vec2; 4],
    /// Derivatives `a` and `c` (1, 1/m) whose product `-2 a c` is the second derivative of the gap; zero where
    /// normals do not turn.
    pub bend: [[Vec2; 4]; 2],
}

/// The places of all contacts near some positions.
#[derive(Clone, Debug, Default)]
pub struct LinearGaps {
    /// Places.
    places: Vec<LinearGap>,
    /// Derivatives of each place.
    slopes: Vec<GapSlopes>,
    /// Vertices of the contact of each place, as friction knows them.
    contacts: Vec<[usize; 4]>,
}

impl GapLaw {
    /// Value and derivatives at an open gap (m); zero from the activation distance on.
    #[inline]
    fn jet(&self, gap: f64) -> Jet {
        if gap >= self.d_hat {
            return Jet {
                value: 0.0,
                first: 0.0,
                second: 0.0,
            };
        }
        match self.shape {
            GapShape::OneSided => self.barrier.plane(gap, self.d_hat),
            GapShape::Mutual => self.barrier.pair(gap, self.d_hat),
            GapShape::Round(curvature) => round(self.barrier, gap, self.d_hat, curvature),
        }
    }

    /// Gap (m) with a `pressure` (Pa), searched from another gap; the activation distance without pressure.
    ///
    /// A pressure is nearly an inverse square of the gap, so Newton's method is applied to its inverse root.
    fn gap_with(&self, pressure: f64, from: f64) -> f64 {
        if pressure <= 0.0 {
            return self.d_hat;
        }

        let aim = 1.0 / pressure.sqrt();
        let mut gap = from.min(0.9 * self.d_hat);
        for _ in 0..INVERSE_MOST_STEPS {
            let Jet { first, second, .. } = self.jet(gap);
            let root = 1.0 / (-first).sqrt();
            let slope = 0.5 * root * second / -first;
            let next = gap + (aim - root) / slope;

            // Never beyond the range of the barrier, nor far at once.
            let most = (0.5 * (gap + self.d_hat)).min(5.0 * gap);
            let next = next.clamp(0.2 * gap, most);
            if (next - gap).abs() < 1e-3 * gap {
                return next;
            }
            gap = next;
        }
        gap
    }
}

impl LinearGap {
    /// Takes the stiffness of a secant, from the present gap to the gap with the expected pressure: it leads
    /// there at once, where a tangent would take many steps.
    fn stiffen(&mut self) {
        let gap = self.gap[0];
        if gap >= self.law.d_hat && self.expected <= 0.0 {
            self.stiffness = 0.0;
            return;
        }

        // The secant, or the tangent where both gaps are alike.
        let Jet { first, second, .. } = self.law.jet(gap);
        let there = self.law.gap_with(self.expected, gap);
        let is_other = (there - gap).abs() > 1e-2 * gap;
        self.stiffness = if is_other {
            (-first - self.expected) / (there - gap)
        } else {
            second
        };
    }

    /// Energy (J) after a share of the present direction; infinite where the gap closes.
    #[inline]
    fn value_after(&self, share: f64) -> f64 {
        let gap = self.gap[0] + share * self.gap[1];
        if gap <= 0.0 {
            return f64::INFINITY;
        }

        let [[a, da], [c, dc]] = self.bent;
        let turned = self.held * (a + share * da) * (c + share * dc);
        self.weight * (self.law.jet(gap).value + turned)
    }

    /// Pressure (Pa) at the end of the present direction, to first order with the stiffness, at least 0:
    /// `max(p - k n . du, 0)` with the present pressure `p` and the stiffness `k` (Pa/m).
    #[inline]
    fn led_pressure(&self) -> f64 {
        let pressure = -self.law.jet(self.gap[0]).first;
        (pressure - self.stiffness * self.gap[1]).max(0.0)
    }

    /// Takes a share of the present direction, and expects the pressure that the whole of it leads to. A pair
    /// that the direction would close, and that nothing holds apart yet, expects the pressure that stops both
    /// sides at half of the activation distance.
    fn advance(&mut self, share: f64) {
        let [gap, change] = self.gap;
        let closes = gap + change <= 0.0;
        if closes && self.stiffness == 0.0 {
            // A pair that nothing holds apart yet: the pressure that would.
            self.expected = self.stopping * (0.5 * self.law.d_hat - gap - change);
        } else {
            let led = self.led_pressure();
            self.expected += share * (led - self.expected);
        }
        self.gap[0] += share * change;
        for [so_far, change] in &mut self.bent {
            *so_far += share * *change;
        }
    }
}

impl LinearGaps {
    /// Number of places: one for each contact of a point, several for each piece of an edge.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// True if nothing is near.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Vertices of the contact of each place, as [`Friction::contacts`](crate::Friction::contacts) has them.
    pub fn contacts(&self) -> &[[usize; 4]] {
        &self.contacts
    }

    /// Derivatives of each place by the displacements of vertices.
    pub fn slopes(&self) -> &[GapSlopes] {
        &self.slopes
    }

    /// Keeps the places that press, or may press where each vertex moves by up to twice a `displacement` (m,
    /// `[vertices]`) in any direction.
    pub fn keep_reachable(&mut self, displacement: &[Vec2]) {
        let is_near = |(slopes, place): (&GapSlopes, &LinearGap)| {
            let moved = slopes.vertices.iter().zip(&slopes.opening);
            let way: f64 = moved.map(|(&i, n)| n.norm() * displacement[i].norm()).sum();
            place.gap[0] - 2.0 * way < place.law.d_hat
        };
        let keeps: Vec<bool> = self.slopes.iter().zip(&self.places).map(is_near).collect();

        let mut kept = keeps.iter();
        self.places.retain(|_| kept.next() == Some(&true));
        let mut kept = keeps.iter();
        self.slopes.retain(|_| kept.next() == Some(&true));
        let mut kept = keeps.iter();
        self.contacts.retain(|_| kept.next() == Some(&true));
    }

    /// Notes how hard places must press to stop the two sides in a step: `mass` is the mass (kg) that moves with
    /// a vertex, infinite if nothing moves it, and `scale` the factor of contact over that of inertia (s^2).
    pub fn weigh(&mut self, mass: impl Fn(usize) -> f64, scale: f64) {
        for (contact, place) in self.contacts.iter().zip(&mut self.places) {
            let [one, _, other, _] = contact.map(&mass);
            let reduced = 1.0 / (1.0 / one + 1.0 / other);
            place.stopping = reduced / (scale * place.weight.abs());
        }
    }

    /// Chooses the stiffness of each gap, for the next Newton matrix.
    pub fn stiffen(&mut self) {
        self.places.iter_mut().for_each(LinearGap::stiffen);
    }

    /// Turns normals with the pressures of the present gaps, or holds them fixed.
    pub fn turn(&mut self, with_pressures: bool) {
        for place in &mut self.places {
            place.held = if with_pressures {
                -place.law.jet(place.gap[0]).first
            } else {
                0.0
            };
        }
    }

    /// Derivatives of the energy by the gap (N) and by the two factors of turning (N; N m) of each place, after the
    /// displacement so far.
    pub fn gradients(&self) -> impl Iterator<Item = [f64; 3]> + '_ {
        self.places.iter().map(|place| {
            let [[a, _], [c, _]] = place.bent;
            let held = place.weight * place.held;
            let force = place.weight * place.law.jet(place.gap[0]).first;
            [force, held * c, held * a]
        })
    }

    /// Second derivatives of the energy of each place: by the gap with the stiffness that was chosen (N/m), and
    /// by both factors of turning (N).
    pub fn curvatures(&self) -> impl Iterator<Item = [f64; 2]> + '_ {
        let places = self.places.iter();
        places.map(|place| [place.stiffness, place.held].map(|by_area| place.weight * by_area))
    }

    /// Derivative of the energy by the gap (N) of each place with the pressure by which its normal turns.
    pub fn held(&self) -> impl Iterator<Item = f64> + '_ {
        self.places.iter().map(|place| -place.weight * place.held)
    }

    /// Notes the direction that the displacement may go on by: the changes of the gap (m) and of both factors of
    /// turning along it, for each place.
    pub fn set_out(&mut self, changes: &[[f64; 3]]) {
        for (place, [gap, a, c]) in self.places.iter_mut().zip(changes) {
            place.gap[1] = *gap;
            place.bent[0][1] = *a;
            place.bent[1][1] = *c;
        }
    }

    /// Share of the present direction, at most 1, that leaves every gap a part of itself.
    pub fn open_share(&self) -> f64 {
        let mut share: f64 = 1.0;
        for place in &self.places {
            let [gap, change] = place.gap;
            if change < 0.0 {
                share = share.min((1.0 - LINEAR_GAP_KEPT) * gap / -change);
            }
        }
        share
    }

    /// Energy (J) after a share of the present direction; infinite if a gap closes on it. Friction and the rest
    /// of the potential are not part of it.
    pub fn value_after(&self, share: f64) -> f64 {
        let places = self.places.iter();
        places.map(|place| place.value_after(share)).sum()
    }

    /// Takes a share of the present direction: gaps change by it, and pressures are expected to go
    /// on by the same share of their change.
    pub fn advance(&mut self, share: f64) {
        for place in &mut self.places {
            place.advance(share);
        }
    }

    /// Normal force of each place (N) at the present gap.
    pub fn forces(&self) -> impl Iterator<Item = f64> + '_ {
        let places = self.places.iter();
        places.map(|place| -place.weight * place.law.jet(place.gap[0]).first)
    }

    /// Normal force of each place (N) that the last direction leads to.
    pub fn expected_forces(&self) -> impl Iterator<Item = f64> + '_ {
        let places = self.places.iter();
        places.map(|place| place.weight * place.expected)
    }

    /// Normal force of each place (N) if the barriers reached farther by `beyond` (m), where nothing has moved
    /// yet: it tells on which places of a contact the pressure would begin.
    pub fn wide_forces(&self, beyond: f64) -> impl Iterator<Item = f64> + '_ {
        self.places.iter().map(move |place| {
            let mut law = place.law;
            law.d_hat += beyond;
            -place.weight * law.jet(place.gap[0]).first
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::barrier::BarrierShape;
    use crate::{Candidates, Contacts, HalfPlane, Surface};
    use ipcsim_energy::{Curvature, Energy};
    use ipcsim_math::{Mat2, outer};
    use std::collections::BTreeMap;

    /// Two polylines over a half-plane: a corner over a corner, at positions (m), in contact along edges or at
    /// vertices.
    fn found(is_integrated: bool, beyond: f64) -> (Vec<Vec2>, Contacts) {
        let x = [
            [-0.31, 0.3],
            [0.01, 0.012],
            [0.4, 0.21],
            [-0.5, -0.05],
            [0.03, 0.0],
            [0.6, -0.13],
            [0.0, -0.14],
        ]
        .map(Vec2::from)
        .to_vec();
        let surface = Surface {
            points: (0..6).collect(),
            edges: vec![[0, 1], [1, 2], [3, 4], [4, 5]],
            edge_area: vec![1.0; 4],
            weight: vec![1.0; 7],
            integrated: vec![is_integrated; 3],
            planes: vec![HalfPlane {
                normal: Vec2::y(),
                origin: 6,
                along: None,
            }],
            ..Surface::new(vec![0, 0, 0, 1, 1, 1, 2], 0.05)
        };
        let barrier = Barrier {
            shape: BarrierShape::Inverse,
            kappa: 3.0,
        };
        let candidates = Candidates::find(&surface, &x, |_| 0.1);
        let barriers = crate::Barriers::from(barrier).reaching(beyond);
        let contacts = Contacts::find(&surface, &barriers, &candidates, &x).unwrap();
        (x, contacts)
    }

    /// Changes of gaps and factors of turning where vertices move by `du` (m, `[vertices]`).
    fn along(gaps: &LinearGaps, du: &[Vec2]) -> Vec<[f64; 3]> {
        let change = |slopes: &GapSlopes| {
            let [a, c] = slopes.bend;
            [slopes.opening, a, c].map(|by| {
                let parts = by.iter().zip(slopes.vertices);
                parts.map(|(by, i)| by.dot(&du[i])).sum()
            })
        };
        gaps.slopes().iter().map(change).collect()
    }

    /// Gradient by the `count` vertices (N).
    fn gradient(gaps: &LinearGaps, count: usize) -> Vec<Vec2> {
        let mut sum = vec![Vec2::zeros(); count];
        for (slopes, [force, by_a, by_c]) in gaps.slopes().iter().zip(gaps.gradients()) {
            let [a, c] = slopes.bend;
            for (k, &i) in slopes.vertices.iter().enumerate() {
                sum[i] += slopes.opening[k] * force + a[k] * by_a + c[k] * by_c;
            }
        }
        sum
    }

    /// Blocks of the Hessian, summed by pairs of vertices.
    fn curvature(gaps: &LinearGaps) -> BTreeMap<[usize; 2], Mat2> {
        let mut sum: BTreeMap<[usize; 2], Mat2> = BTreeMap::new();
        for (slopes, [stiffness, turning]) in gaps.slopes().iter().zip(gaps.curvatures()) {
            let n = slopes.opening;
            let [a, c] = slopes.bend;
            for (k, &i) in slopes.vertices.iter().enumerate() {
                for (l, &j) in slopes.vertices.iter().enumerate().filter(|(_, j)| i >= **j) {
                    let turned = outer(a[k], c[l]) + outer(c[k], a[l]);
                    let block = outer(n[k], n[l]) * stiffness + turned * turning;
                    *sum.entry([i, j]).or_insert_with(Mat2::zeros) += block;
                }
            }
        }
        sum
    }

    /// Blocks of the exact Hessian of an energy at `x` (m), summed by pairs of vertices.
    fn hessian(energies: &[&dyn Energy], x: &[Vec2]) -> BTreeMap<[usize; 2], Mat2> {
        let mut sum: BTreeMap<[usize; 2], Mat2> = BTreeMap::new();
        for energy in energies {
            let pairs = energy.blocks();
            let mut blocks = vec![Mat2::zeros(); pairs.len()];
            let all = 0..energy.element_count();
            energy.hessian(all, x, 1.0, Curvature::Exact, &mut blocks);
            for ([a, b], block) in pairs.into_iter().zip(blocks) {
                let (pair, block) = if a >= b {
                    ([a, b], block)
                } else {
                    ([b, a], block.transpose())
                };
                *sum.entry(pair).or_insert_with(Mat2::zeros) += block;
            }
        }
        sum
    }

    #[test]
    fn where_nothing_has_moved_they_have_energy_force_and_stiffness_of_the_contacts() {
        for is_integrated in [true, false] {
            let (x, contacts) = found(is_integrated, 0.0);
            let mut gaps = contacts.linear_gaps(&x, 0.0);
            assert!(gaps.len() > 2);
            gaps.stiffen();
            gaps.turn(true);

            let value: f64 = contacts.energies().iter().map(|e| e.value(&x)).sum();
            assert!((gaps.value_after(0.0) - value).abs() < 1e-12 * value);
            let mut expected = vec![Vec2::zeros(); x.len()];
            for energy in contacts.energies() {
                energy.add_gradient(&x, 1.0, &mut expected);
            }
            let gradient = gradient(&gaps, x.len());
            let size = expected.iter().map(Vec2::norm).fold(0.0, f64::max);
            for (found, expected) in gradient.iter().zip(&expected) {
                assert!((found - expected).norm() < 1e-12 * size);
            }

            // The turning of normals is part of the Hessian.
            let expected = hessian(&contacts.energies(), &x);
            let found = curvature(&gaps);
            let size = expected.values().map(Mat2::norm).fold(0.0, f64::max);
            for (pair, block) in &expected {
                let error = (found.get(pair).copied().unwrap_or_default() - block).norm();
                assert!(
                    error < 1e-11 * size,
                    "{is_integrated} {pair:?}: {error} of {size}"
                );
            }
        }
    }

    #[test]
    fn pairs_beyond_the_reach_have_places_without_energy_and_those_that_nothing_reaches_are_left_out()
     {
        let (x, near) = found(true, 0.0);
        let (_, wide) = found(true, 0.06);
        let near = near.linear_gaps(&x, 0.0);
        let mut gaps = wide.linear_gaps(&x, 0.06);
        assert!(gaps.len() > near.len());
        let [value, expected] = [&gaps, &near].map(|gaps| gaps.value_after(0.0));
        assert!(
            (value - expected).abs() < 1e-3 * expected,
            "{value} {expected}"
        );

        // Without motion only what presses stays; with a long one everything does.
        let all = gaps.len();
        gaps.keep_reachable(&vec![Vec2::new(0.1, 0.1); x.len()]);
        assert_eq!(gaps.len(), all);
        gaps.keep_reachable(&vec![Vec2::zeros(); x.len()]);
        assert!(gaps.forces().all(|force| force != 0.0) && !gaps.is_empty());
    }

    #[test]
    fn a_direction_may_close_no_gap_and_forces_follow_it() {
        let (x, contacts) = found(false, 0.0);
        let mut gaps = contacts.linear_gaps(&x, 0.0);
        gaps.stiffen();
        let du = {
            let mut du = vec![Vec2::zeros(); x.len()];
            du[..3].fill(Vec2::new(0.0, -1.0));
            du
        };
        let changes = along(&gaps, &du);
        gaps.set_out(&changes);
        let share = gaps.open_share();
        assert!(share < 0.02 && gaps.value_after(share).is_finite());
        assert_eq!(gaps.value_after(2.0 * share), f64::INFINITY);

        // Forces of a small step, to first order.
        let before: Vec<f64> = gaps.forces().collect();
        let stiffness = gaps.curvatures().map(|[stiffness, _]| stiffness);
        let changes: Vec<f64> = stiffness
            .zip(&changes)
            .map(|(k, [gap, ..])| -k * gap)
            .collect();
        let small = 1e-5 * share;
        gaps.advance(small);
        for (k, after) in gaps.forces().enumerate() {
            let error = after - before[k] - small * changes[k];
            assert!(
                error.abs() < 1e-3 * (small * changes[k]).abs().max(1e-12),
                "{k}"
            );
        }
    }

    #[test]
    fn a_secant_leads_to_the_gap_with_the_expected_pressure_at_once() {
        let law = GapLaw {
            barrier: Barrier {
                shape: BarrierShape::Inverse,
                kappa: 2.0,
            },
            d_hat: 1e-3,
            shape: GapShape::OneSided,
        };
        for (from, aim) in [(1e-5, 5e-4), (9e-4, 2e-4), (3e-3, 8e-4), (1e-7, 9.9e-4)] {
            let pressure = -law.jet(aim).first;
            assert!(
                (law.gap_with(pressure, from) - aim).abs() < 1e-3 * aim,
                "{from} {aim}"
            );
            let mut place = LinearGap {
                law,
                weight: 1.0,
                gap: [from, 0.0],
                bent: [[0.0; 2]; 2],
                expected: pressure,
                stiffness: 0.0,
                held: 0.0,
                stopping: 0.0,
            };
            place.stiffen();

            // The step of a free side that the pressure pushes.
            let step = (-law.jet(from).first - pressure) / place.stiffness;
            assert!((from + step - aim).abs() < 2e-3 * aim, "{from}: {step}");
        }
        assert_eq!(law.gap_with(0.0, 1e-4), 1e-3);
    }
}

//! Friction contacts whose slip is a linear function of a displacement.
//!
//! A direction is found by an inner solver that has its own unknowns, such as the coordinates of rigid bodies. Of
//! friction it needs few numbers: how far each contact has slid, its load, and the force that Newton's method
//! expects of it (see [`FrictionContact`]). Slip is linear in positions on tangents, so that nothing is lost:
//! [`LinearSlips::slopes`] are its derivatives by vertices, and the solver has them by its unknowns.
//!
//! A solver goes in steps, as with [`LinearGaps`](crate::LinearGaps):
//!
//! 1. [`LinearSlips::gradients`] and [`LinearSlips::curvatures`] are the derivatives of the energy by slip;
//! 2. [`LinearSlips::set_out`] takes the changes along a direction, [`LinearSlips::value_after`] serves a line search,
//!    and [`LinearSlips::advance`] goes a share of the direction;
//! 3. [`Friction::take_slips`] takes loads and expected forces back.

use super::extrapolated_loads::Reference;
use super::law::SlipLaw;
use super::{Friction, FrictionContact, Group};
use ipcsim_math::Vec2;

/// Derivatives of a slip by the displacements of four vertices, which may repeat.
#[derive(Clone, Copy, Debug)]
pub struct SlipSlopes {
    /// The vertices.
    pub vertices: [usize; 4],
    /// Contribution of each vertex to the sliding distance (1; of rolling 1/m).
    pub weights: [Vec2; 4],
}

/// A friction contact as a function of its slip.
#[derive(Clone, Copy, Debug)]
struct LinearSlip {
    /// Force against slip.
    law: SlipLaw,
    /// Coefficient of static friction times normal force (N; of rolling N m).
    load: f64,
    /// Force relative to the load that Newton's method expects (1).
    expected: f64,
    /// Slip (m; of rolling rad) so far, and its change along the present direction.
    slip: [f64; 2],
    /// Load, force and stiffness where directions begin.
    begun: Reference,
}

/// All friction contacts, in the order of [`Friction::contacts`].
#[derive(Clone, Debug, Default)]
pub struct LinearSlips {
    /// The contacts.
    slips: Vec<LinearSlip>,
    /// Derivatives of each one.
    slopes: Vec<SlipSlopes>,
}

impl LinearSlips {
    /// Number of contacts; one that resists rolling counts twice.
    pub fn len(&self) -> usize {
        self.slips.len()
    }

    /// True if there is no friction.
    pub fn is_empty(&self) -> bool {
        self.slips.is_empty()
    }

    /// Derivatives of each slip by the displacements of vertices.
    pub fn slopes(&self) -> &[SlipSlopes] {
        &self.slopes
    }

    /// Gives each contact a load (N; of rolling N m).
    pub fn give_loads(&mut self, loads: &[f64]) {
        for (slip, load) in self.slips.iter_mut().zip(loads) {
            slip.load = *load;
        }
    }

    /// Expects no friction force of any contact, as if nothing had moved yet. Newton's second derivative is then
    /// the ratio of force to slip, which reverses no contact that slides, where the second derivative of one that
    /// is expected to slide on is zero.
    pub fn forget_forces(&mut self) {
        for slip in &mut self.slips {
            slip.expected = 0.0;
        }
    }

    /// Derivative of the energy by the slip of each contact (N; of rolling N m).
    pub fn gradients(&self) -> impl Iterator<Item = f64> + '_ {
        let slips = self.slips.iter();
        slips.map(|slip| slip.load * slip.law.signed_force(slip.slip[0]))
    }

    /// Second derivative of the energy by the slip of each contact (N/m; of rolling N m), as Newton's method on
    /// force and motion has it.
    pub fn curvatures(&self) -> impl Iterator<Item = f64> + '_ {
        let slips = self.slips.iter();
        slips.map(|slip| slip.load * slip.law.stiffness(slip.slip[0], slip.expected))
    }

    /// Notes loads, forces and stiffness as those with which directions are solved for.
    pub fn begin(&mut self) {
        for slip in &mut self.slips {
            slip.begun = Reference::of(slip.load, &slip.law, slip.slip[0], slip.expected);
        }
    }

    /// Derivative of the energy by the slip of each contact (N; of rolling N m) that Newton's method expects after
    /// `changes` of slip (m; of rolling rad) from where directions begin. Present loads replace the loads there,
    /// less the part that the Hessian with these has of it; see [`Friction::add_led_gradient`].
    pub fn led_gradients<'a>(&'a self, changes: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
        let slips = self.slips.iter().zip(changes);
        slips.map(|(slip, change)| slip.begun.led_slope(slip.load, *change))
    }

    /// Notes the direction that the displacement may go on by: the change of each slip along it (m; of rolling
    /// rad).
    pub fn set_out(&mut self, changes: &[f64]) {
        for (slip, change) in self.slips.iter_mut().zip(changes) {
            slip.slip[1] = *change;
        }
    }

    /// Energy (J) after a share of the present direction.
    pub fn value_after(&self, share: f64) -> f64 {
        let value = |slip: &LinearSlip| {
            let [so_far, change] = slip.slip;
            slip.load * slip.law.value((so_far + share * change).abs())
        };
        self.slips.iter().map(value).sum()
    }

    /// Takes a share of the present direction. The force that is expected is the one after the whole of it.
    pub fn advance(&mut self, share: f64) {
        for slip in &mut self.slips {
            let [so_far, change] = slip.slip;
            slip.expected = slip.law.expected(so_far, slip.expected, change);
            slip.slip[0] = so_far + share * change;
        }
    }
}

impl Friction {
    /// All contacts as functions of their slip, at the positions `y` (m, `[vertices]`; see [`FrictionContact`]).
    pub fn linear_slips(&self, y: &[Vec2]) -> LinearSlips {
        let mut slips = LinearSlips::default();
        self.pairs.add_slips(y, &mut slips);
        self.triples.add_slips(y, &mut slips);
        self.quadruples.add_slips(y, &mut slips);
        slips
    }

    /// Takes loads and expected forces of contacts that [`Friction::linear_slips`] has made.
    pub fn take_slips(&mut self, slips: &LinearSlips) {
        let (pairs, rest) = slips.slips.split_at(self.pairs.places.len());
        let (triples, quadruples) = rest.split_at(self.triples.places.len());
        self.pairs.take_slips(pairs);
        self.triples.take_slips(triples);
        self.quadruples.take_slips(quadruples);
    }
}

impl<const N: usize> Group<N> {
    /// Adds all contacts to a list, at the positions `y` (m).
    fn add_slips(&self, y: &[Vec2], out: &mut LinearSlips) {
        for (stencil, contact) in self.sum.iter() {
            let FrictionContact {
                load, law, dual, ..
            } = *contact;
            out.slips.push(LinearSlip {
                law,
                load,
                expected: dual,
                slip: [contact.slide(&stencil.map(|i| y[i])), 0.0],
                begun: Reference::default(),
            });

            // Fewer vertices than four are followed by the last one without weight.
            let weights = std::array::from_fn(|k| contact.weights.get(k).copied());
            out.slopes.push(SlipSlopes {
                vertices: std::array::from_fn(|k| stencil[k.min(N - 1)]),
                weights: weights.map(Option::unwrap_or_default),
            });
        }
    }

    /// Takes loads and expected forces.
    fn take_slips(&mut self, slips: &[LinearSlip]) {
        for (contact, slip) in self.sum.elements.iter_mut().zip(slips) {
            contact.load = slip.load;
            contact.dual = slip.expected;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ipcsim_energy::LocalEnergy;

    /// A contact of two vertices along a tangent, the second one still, and a contact of three.
    fn friction() -> (Friction, Vec<Vec2>) {
        let tangent = Vec2::new(0.8, 0.6);
        let mut friction = Friction::default();
        let contact = |load: f64| FrictionContact {
            load,
            weights: [tangent, -tangent],
            start: [Vec2::zeros(), Vec2::x()],
            slid: 1e-4,
            belts: 0.0,
            law: SlipLaw::steady(1e-3),
            dual: 0.3,
        };
        friction.pairs.sum.push([0, 1], contact(2.0));
        let wide = FrictionContact {
            load: 3.0,
            weights: [tangent, tangent * -0.4, tangent * -0.6],
            start: [Vec2::zeros(), Vec2::x(), Vec2::y()],
            slid: 0.0,
            belts: 0.0,
            law: SlipLaw::steady(2e-3),
            dual: 0.0,
        };
        friction.triples.sum.push([2, 1, 0], wide);
        let y = vec![Vec2::new(3e-4, 1e-4), Vec2::x(), Vec2::new(-7e-4, 2e-4)];
        (friction, y)
    }

    #[test]
    fn energy_force_and_stiffness_are_those_of_the_contacts_also_after_a_step() {
        let (friction, mut y) = friction();
        let mut slips = friction.linear_slips(&y);
        let p = [Vec2::new(5e-4, 0.0), Vec2::zeros(), Vec2::new(0.0, -4e-4)];
        let mut pair = friction.pairs.sum.elements[0];
        let triple = friction.triples.sum.elements[0];

        for share in [1.0, 0.5] {
            let places = [y[0], y[1]];
            let [first, second] = [
                pair.gradient(&places)[0].norm(),
                triple.slope(&[y[2], y[1], y[0]]).abs(),
            ];
            let found: Vec<f64> = slips.gradients().map(f64::abs).collect();
            assert!((found[0] - first).abs() < 1e-14 && (found[1] - second).abs() < 1e-14);
            let stiffness = pair.hessian(&places)[0][0].trace();
            let curvature = slips.curvatures().next().unwrap();
            assert!((curvature - stiffness).abs() < 1e-12 * stiffness);

            // A step, with the force that is expected after it.
            let changes: Vec<f64> = slips
                .slopes()
                .iter()
                .map(|SlipSlopes { vertices, weights }| {
                    vertices
                        .iter()
                        .zip(weights)
                        .map(|(&i, c)| c.dot(&p[i]))
                        .sum()
                })
                .collect();
            slips.set_out(&changes);
            pair.update_dual(&places, &[p[0], p[1]]);
            let after = slips.value_after(share);
            slips.advance(share);
            for (y, p) in y.iter_mut().zip(&p) {
                *y += p * share;
            }
            let values = [pair.value(&[y[0], y[1]]), triple.value(&[y[2], y[1], y[0]])];
            assert!((after - values.iter().sum::<f64>()).abs() < 1e-14);
            assert!((slips.slips[0].expected - pair.dual).abs() < 1e-14);
        }
    }
}

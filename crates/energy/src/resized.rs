//! Energies of bodies whose shape at rest grows or shrinks to the drawn one.
//!
//! Two bodies may be drawn with an overlap that is meant: a shaft that is thicker than its bore. No
//! state may have an overlap, so that a run begins with another size of one of them, and the size
//! becomes the drawn one in time. With the factor `s` the shape at rest is `s X` instead of `X`.
//!
//! An element of the drawn shape has the energy `E(x) = V psi(F)` with `F = dx/dX`. The same element
//! with the shape `s X` has the volume `s^2 V`, since the thickness stays, and the deformation gradient
//! `F / s`, which is the first one at the positions `x / s`. So all elements, of any law, have
//!
//! `E_s(x) = s^2 E(x / s)`, with the gradient `s E'(x / s)` and the Hessian `E''(x / s)`.
//!
//! At `x = s X` there is no stress, in plane strain as in plane stress. From the end of the change on
//! `s` is 1, and the energy has the bits of the drawn shape.
//!
//! The gradient follows by the chain rule, `dE_s/dx = s^2 E'(x / s) / s`, and so does the
//! Hessian, in which the factors cancel. A law needs no change for it, and neither do quadratic
//! elements: their nodes are scaled alike.
//!
//! The size depends on time and not on the state, so that it is a constant of each stage.

use super::forward::{forward_domain, forward_elements, forward_values};
use super::{Conditions, Curvature, Energy, StepBound, Stressed};
use crate::material::Flow;
use ipcsim_math::{Mat2, Vec2};
use std::ops::Range;

/// Size of a body over time: the factor by which its shape at rest is larger than drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    /// Factor at the start (1), positive.
    pub from: f64,
    /// Time at which the shape is the drawn one (s), positive.
    pub until: f64,
}

impl Size {
    /// Factor (1) at the time `t` (s). It begins and ends without a speed: with `u = t / until` the share
    /// `3 u^2 - 2 u^3` of the change is done.
    pub fn at(&self, t: f64) -> f64 {
        let u = (t / self.until).clamp(0.0, 1.0);
        if u >= 1.0 {
            return 1.0;
        }
        self.from + (1.0 - self.from) * (u * u * (3.0 - 2.0 * u))
    }
}

/// Energy of elements whose size changes.
///
/// As an [`Energy`] it is the energy of the elements as drawn: patterns, bounds of steps and columns of
/// tables follow from it. Values count only [`under`](Energy::under) conditions.
pub struct Resized {
    /// Energy of the elements as drawn.
    drawn: Box<dyn Energy>,
    /// Size over time.
    size: Size,
}

impl Resized {
    /// Energy of elements that are `drawn` and have this size.
    ///
    /// Nothing is computed here: the size counts at the time of a stage.
    pub fn new(drawn: Box<dyn Energy>, size: Size) -> Self {
        Self { drawn, size }
    }
}

impl Energy for Resized {
    forward_elements!(drawn);
    forward_values!(drawn);
    forward_domain!(drawn);

    fn under(&self, conditions: Conditions) -> Option<Box<dyn Energy>> {
        let factor = self.size.at(conditions.time);
        let changed = self.drawn.under(conditions);
        let drawn = changed.as_ref().unwrap_or(&self.drawn);
        drawn.resized(factor).or(changed)
    }

    fn flowing(&self) -> usize {
        self.drawn.flowing()
    }

    fn flow(&self, conditions: Conditions, x: &[Vec2]) -> Vec<Flow> {
        if self.flowing() == 0 {
            return Vec::new();
        }
        let factor = self.size.at(conditions.time);
        let x: Vec<Vec2> = x.iter().map(|x| x / factor).collect();
        self.drawn.flow(conditions, &x)
    }

    fn hardened(&self, flowed: &[Flow]) -> Vec<f64> {
        self.drawn.hardened(flowed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::{Lame, NeoHookean};
    use crate::{Summed, Triangle};

    const REST: [Vec2; 3] = [
        Vec2::new(0.1, 0.0),
        Vec2::new(0.4, 0.1),
        Vec2::new(0.2, 0.35),
    ];
    const SIZE: Size = Size {
        from: 0.8,
        until: 2.0,
    };

    /// A triangle whose shape at rest is this factor times [`REST`].
    fn sum(factor: f64) -> Summed<Triangle<NeoHookean>, 3> {
        let law = NeoHookean(Lame {
            mu: 3.0,
            lambda: 5.0,
        });
        let mut sum = Summed::default();
        let rest = REST.map(|x| x * factor);
        sum.push([0, 1, 2], Triangle::new(law, rest, 0.3));
        sum
    }

    #[test]
    fn a_resized_element_is_the_element_with_the_other_shape_at_rest() {
        let resized = Resized::new(Box::new(sum(1.0)), SIZE);
        let x = [REST[0], REST[1] + Vec2::new(0.02, -0.01), REST[2] * 1.1];
        for time in [0.0, 0.5, 1.0, 2.0, 3.0] {
            let now = resized.under(Conditions { time, flowed: &[] });
            let now = now.unwrap();
            let other = sum(SIZE.at(time));
            assert!((now.value(&x) - other.value(&x)).abs() < 1e-14);
            assert!((now.values(&x)[0] - other.value(&x)).abs() < 1e-14);

            let mut forces = [[Vec2::zeros(); 3]; 2];
            now.add_gradient(&x, 2.0, &mut forces[0]);
            other.add_gradient(&x, 2.0, &mut forces[1]);
            let both = forces[0].iter().zip(&forces[1]);
            assert!(both.into_iter().all(|(a, b)| (a - b).norm() < 1e-13));

            let mut blocks = [[Mat2::zeros(); 6]; 2];
            now.hessian(0..1, &x, 2.0, Curvature::Exact, &mut blocks[0]);
            other.hessian(0..1, &x, 2.0, Curvature::Exact, &mut blocks[1]);
            let both = blocks[0].iter().zip(&blocks[1]);
            assert!(both.into_iter().all(|(a, b)| (a - b).norm() < 1e-12));

            let [own, others] = [now.stresses(&x), other.stresses(&x)];
            assert!((own[0].middle + others[0].middle * -1.0).von_mises() < 1e-12);
        }
    }

    #[test]
    fn the_size_is_the_drawn_one_from_its_end_on() {
        assert_eq!([SIZE.at(0.0), SIZE.at(2.0), SIZE.at(9.0)], [0.8, 1.0, 1.0]);
        assert!((SIZE.at(1.0) - 0.9).abs() < 1e-15);
        let [early, late] = [SIZE.at(1e-3), 1.0 - SIZE.at(2.0 - 1e-3)];
        assert!(early - 0.8 < 1e-6 && late < 1e-6);
    }
}

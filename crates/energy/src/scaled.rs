//! Elements that are stiffer or softer than their law says.
//!
//! A field of factors makes each element a number of its own: a field of moduli that is to be
//! found from a deflection, or densities of a body whose shape is to be found.

use super::{Batched, LocalEnergy, Stressed};
use ipcsim_math::{Mat2, Vec2};

/// An element whose energy is multiplied by a factor.
///
/// Forces, stiffness and stress are multiplied, too; the domain stays.
#[derive(Clone, Copy, Debug)]
pub struct Scaled<E> {
    /// The element that the law gives.
    pub element: E,
    /// Factor of its energy (1).
    pub factor: f64,
}

impl<E: LocalEnergy<N>, const N: usize> LocalEnergy<N> for Scaled<E> {
    const NAME: &'static str = E::NAME;

    fn value(&self, x: &[Vec2; N]) -> f64 {
        self.factor * self.element.value(x)
    }

    fn gradient(&self, x: &[Vec2; N]) -> [Vec2; N] {
        self.element.gradient(x).map(|force| force * self.factor)
    }

    fn hessian(&self, x: &[Vec2; N]) -> [[Mat2; N]; N] {
        times(self.element.hessian(x), self.factor)
    }

    fn exact_hessian(&self, x: &[Vec2; N]) -> [[Mat2; N]; N] {
        times(self.element.exact_hessian(x), self.factor)
    }

    fn max_step(&self, x: &[Vec2; N], p: &[Vec2; N]) -> f64 {
        self.element.max_step(x, p)
    }

    fn admits(&self, x: &[Vec2; N]) -> bool {
        self.element.admits(x)
    }

    fn resized(&self, factor: f64) -> Option<Self> {
        let element = self.element.resized(factor)?;
        Some(Self { element, ..*self })
    }

    fn stresses(&self, stencil: &[usize; N], x: &[Vec2; N], out: &mut Vec<Stressed>) {
        let first = out.len();
        self.element.stresses(stencil, x, out);
        for own in &mut out[first..] {
            own.middle = own.middle * self.factor;
            own.corners = own.corners.map(|stress| stress * self.factor);
        }
    }
}

impl<E: LocalEnergy<N>, const N: usize> Batched<N> for Scaled<E> {}

/// Blocks of a Hessian, each multiplied by a factor.
fn times<const N: usize>(blocks: [[Mat2; N]; N], factor: f64) -> [[Mat2; N]; N] {
    blocks.map(|row| row.map(|block| block * factor))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::{Lame, NeoHookean};
    use crate::{Triangle, testing};

    #[test]
    fn a_scaled_triangle_has_the_derivatives_of_its_energy() {
        let rest = [[0.1, 0.0], [0.4, 0.1], [0.2, 0.35]].map(Vec2::from);
        let law = NeoHookean(Lame {
            mu: 3.0,
            lambda: 5.0,
        });
        let scaled = Scaled {
            element: Triangle::new(law, rest, 1.0),
            factor: 0.3,
        };
        let x = [[0.12, 0.03], [0.43, 0.08], [0.18, 0.39]].map(Vec2::from);
        testing::check(&scaled, x, 1e-6, false);

        // Stress is that of a material with as many times the moduli.
        let weaker = NeoHookean(Lame {
            mu: 0.9,
            lambda: 1.5,
        });
        let mut both = Vec::new();
        scaled.stresses(&[0, 1, 2], &x, &mut both);
        Triangle::new(weaker, rest, 1.0).stresses(&[0, 1, 2], &x, &mut both);
        assert!((both[0].middle.xx - both[1].middle.xx).abs() < 1e-14);
    }
}

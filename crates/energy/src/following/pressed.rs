//! Pressure on edges of an outline.

use super::NAME;
use crate::{Batched, LocalEnergy};
use ipcsim_math::{Mat2, Vec2, cross, perp};

/// Pressure that follows an edge from `a` to `b`, with the inside of the body on the left.
///
/// The pressure `p` over the thickness `w` pushes each half of the edge to the left, with `p w/2
/// perp(b - a)`. Its energy (J) is
///
/// `p w / 2 ((a - o) x (b - o))`
///
/// less its value at the start. Summed over a closed outline this is `p w` times the area, for any
/// `o` (Bonet and Wood 2008, "Nonlinear Continuum Mechanics for Finite Element Analysis", section
/// 8.5.2). Elsewhere it lacks forces at the ends, which [`Thrust`](super::Thrust) adds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pressed {
    /// Half of pressure times thickness, `p w / 2` (N/m).
    pub half: f64,
    /// A point near the edges of the load, `o` (m).
    pub origin: Vec2,
    /// Positions of both ends at the start of the stage (m).
    pub start: [Vec2; 2],
    /// Number of the load.
    pub load: usize,
}

/// Second derivative of `a x b` by `a` and `b`.
const MIXED: Mat2 = Mat2::new(0.0, 1.0, -1.0, 0.0);

impl LocalEnergy<2> for Pressed {
    const NAME: &'static str = NAME;

    /// `p w / 2` times the change of `(a - o) x (b - o)` (J), without the difference of two areas.
    fn value(&self, [a, b]: &[Vec2; 2]) -> f64 {
        let [from_a, from_b] = self.start;
        let swept = cross(a - from_a, b - self.origin) + cross(from_a - self.origin, b - from_b);
        self.half * swept
    }

    /// `-p w / 2 perp(b - o)` for `a`, `p w / 2 perp(a - o)` for `b` (N).
    fn gradient(&self, [a, b]: &[Vec2; 2]) -> [Vec2; 2] {
        [
            perp(b - self.origin) * -self.half,
            perp(a - self.origin) * self.half,
        ]
    }

    /// Projected Hessian (N/m). The exact one has the eigenvalues `p w / 2` and its negative, twice
    /// each, so that half of it and half of the absolute value remain.
    fn hessian(&self, _: &[Vec2; 2]) -> [[Mat2; 2]; 2] {
        let diagonal = Mat2::from_diagonal_element(0.5 * self.half.abs());
        let mixed = MIXED * (0.5 * self.half);
        [[diagonal, mixed], [mixed.transpose(), diagonal]]
    }

    /// Hessian (N/m) without projection; the same everywhere.
    fn exact_hessian(&self, _: &[Vec2; 2]) -> [[Mat2; 2]; 2] {
        let mixed = MIXED * self.half;
        [[Mat2::zeros(), mixed], [mixed.transpose(), Mat2::zeros()]]
    }
}

impl Batched<2> for Pressed {}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Matrix4;

    /// An edge under a pressure of either sign, and where its ends are.
    fn example(half: f64) -> (Pressed, [Vec2; 2]) {
        let pressed = Pressed {
            half,
            origin: Vec2::new(0.3, -0.2),
            start: [Vec2::new(0.1, 0.2), Vec2::new(-0.4, 0.5)],
            load: 0,
        };
        (pressed, [Vec2::new(0.7, -0.4), Vec2::new(1.1, 0.9)])
    }

    /// Four blocks as one matrix.
    fn whole(blocks: [[Mat2; 2]; 2]) -> Matrix4<f64> {
        Matrix4::from_fn(|i, j| blocks[i / 2][j / 2][(i % 2, j % 2)])
    }

    #[test]
    fn derivatives_match_differences_which_are_exact_for_a_quadratic_energy() {
        for half in [2.5, -4.0] {
            let (pressed, x) = example(half);
            let exact = whole(pressed.exact_hessian(&x));
            for k in 0..4 {
                let moved = |by: f64| {
                    let mut x = x;
                    x[k / 2][k % 2] += by;
                    x
                };
                let slope = (pressed.value(&moved(0.5)) - pressed.value(&moved(-0.5))) / 1.0;
                assert!((slope - pressed.gradient(&x)[k / 2][k % 2]).abs() < 1e-14);
                let [after, before] = [0.5, -0.5].map(|by| pressed.gradient(&moved(by)));
                for i in 0..4 {
                    let change = after[i / 2][i % 2] - before[i / 2][i % 2];
                    assert!((change - exact[(i, k)]).abs() < 1e-14);
                }
            }
            assert_eq!(pressed.value(&pressed.start), 0.0);

            // Eigenvalues 0 and the positive ones remain, with their vectors.
            let projected = whole(pressed.hessian(&x));
            let size = half.abs();
            assert!((exact * exact - Matrix4::identity() * size * size).norm() < 1e-14);
            assert!((projected * projected - projected * size).norm() < 1e-14);
            assert!((projected - (exact + Matrix4::identity() * size) * 0.5).norm() < 1e-14);
        }
    }
}

//! Stiffness of affine bodies against deformation.
//!
//! An affine body moves by a linear map and a translation. It is not rigid by construction: a stiff
//! energy keeps its map close to a rotation. The map's two columns are the nodes that the energy
//! sees.

use super::{Batched, LocalEnergy};
use crate::tuning::FLATTENING_SHARE;
use ipcsim_math::definite::project;
use ipcsim_math::roots::first_positive_root;
use ipcsim_math::{Mat2, Vec2, cross, log, outer, perp};
use nalgebra::Matrix4;

/// Energy that keeps an affine body nearly rigid; the vertices of its stencil are the nodes of the
/// body.
///
/// The energy (J) is
///
/// `k (|A^T A - I|_F^2 + J - 1 - ln J)` with `J = det A`,
///
/// - `A`: linear part of the affine map, whose columns `a` and `b` are the nodes (1);
/// - `k`: [`stiffness`](Self::stiffness), stiffness times volume (J).
///
/// The first term is from Lan et al. 2022, "Affine Body Dynamics", equation 6. It does not see a
/// reflection, and a strong force may flatten the map. The second term prevents both; it is 0 and
/// at rest where `J = 1`.
#[derive(Clone, Copy, Debug)]
pub struct Orthogonality {
    /// Stiffness times volume, `k` (J).
    pub stiffness: f64,
}

impl LocalEnergy<2> for Orthogonality {
    const NAME: &'static str = "orthogonality";

    /// `k (|A^T A - I|_F^2 + J - 1 - ln J)` (J), infinite for `J <= 0`.
    fn value(&self, &[a, b]: &[Vec2; 2]) -> f64 {
        let aa = a.norm_squared() - 1.0;
        let bb = b.norm_squared() - 1.0;
        let ab = a.dot(&b);
        let area = cross(a, b);
        if area <= 0.0 {
            return f64::INFINITY;
        }
        self.stiffness * (aa * aa + bb * bb + 2.0 * ab * ab + (area - 1.0) - log::ln(area))
    }

    /// Gradient (J): the gradient of the stretch, and `k (1 - 1/J)` times the derivative of `J`,
    /// which is `(-perp b, perp a)`.
    fn gradient(&self, &[a, b]: &[Vec2; 2]) -> [Vec2; 2] {
        let push = 1.0 - 1.0 / cross(a, b);
        [
            (stretch_gradient(a, b) - perp(b) * push) * self.stiffness,
            (stretch_gradient(b, a) + perp(a) * push) * self.stiffness,
        ]
    }

    /// Hessian (J), projected as a whole by its eigenvalues.
    fn hessian(&self, x: &[Vec2; 2]) -> [[Mat2; 2]; 2] {
        in_blocks(&project(self.second_derivative(x)))
    }

    /// Hessian (J) without projection.
    fn exact_hessian(&self, x: &[Vec2; 2]) -> [[Mat2; 2]; 2] {
        in_blocks(&self.second_derivative(x))
    }

    /// Largest fraction of the motion on which the map keeps an area, so that the body cannot turn
    /// over.
    ///
    /// The area is quadratic in the fraction; the bound is a share of its first root.
    fn max_step(&self, &[a, b]: &[Vec2; 2], &[p, r]: &[Vec2; 2]) -> f64 {
        let root = first_positive_root(cross(p, r), cross(a, r) + cross(p, b), cross(a, b), 1.0);
        root.map_or(1.0, |t| FLATTENING_SHARE * t)
    }
}

impl Orthogonality {
    /// Hessian (J) of both columns as one matrix, without projection.
    fn second_derivative(self, &[a, b]: &[Vec2; 2]) -> Matrix4<f64> {
        let area = cross(a, b);
        let push = 1.0 - 1.0 / area;
        let by_a = -perp(b) / area;
        let by_b = perp(a) / area;

        // Blocks of both terms.
        let block_aa = stretch_hessian(a, b) + outer(by_a, by_a);
        let block_bb = stretch_hessian(b, a) + outer(by_b, by_b);
        // J is bilinear in a and b, so that it bends the mixed block only.
        let shear = Mat2::from_diagonal_element(a.dot(&b)) + outer(b, a);
        let block_ab = shear * 4.0 + outer(by_a, by_b) + Mat2::new(0.0, push, -push, 0.0);

        let mut full = Matrix4::zeros();
        full.fixed_view_mut::<2, 2>(0, 0).copy_from(&block_aa);
        full.fixed_view_mut::<2, 2>(2, 2).copy_from(&block_bb);
        full.fixed_view_mut::<2, 2>(0, 2).copy_from(&block_ab);
        full.fixed_view_mut::<2, 2>(2, 0)
            .copy_from(&block_ab.transpose());
        full * self.stiffness
    }
}

/// The four blocks of a matrix of two nodes.
fn in_blocks(full: &Matrix4<f64>) -> [[Mat2; 2]; 2] {
    let block = |i: usize, j: usize| full.fixed_view::<2, 2>(2 * i, 2 * j).into_owned();
    [[block(0, 0), block(0, 1)], [block(1, 0), block(1, 1)]]
}

impl Batched<2> for Orthogonality {}

/// Gradient of `|A^T A - I|_F^2` with respect to column `a`: `4 ((|a|^2 - 1) a + (a . b) b)`.
fn stretch_gradient(a: Vec2, b: Vec2) -> Vec2 {
    (a * (a.norm_squared() - 1.0) + b * a.dot(&b)) * 4.0
}

/// Second derivative of `|A^T A - I|_F^2` with respect to column `a`:
/// `4 ((|a|^2 - 1) I + 2 a a^T + b b^T)`.
fn stretch_hessian(a: Vec2, b: Vec2) -> Mat2 {
    let identity = Mat2::from_diagonal_element(a.norm_squared() - 1.0);
    (identity + outer(a, a) * 2.0 + outer(b, b)) * 4.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Maps that keep an area, from nearly flat to twice as large.
    fn maps() -> impl Strategy<Value = [Vec2; 2]> {
        (0.4_f64..1.5, 0.0_f64..6.3, -1.0_f64..1.0, 0.1_f64..1.5).prop_map(
            |(length, angle, along, across)| {
                let a = Vec2::new(angle.cos(), angle.sin());
                [a * length, a * along + perp(a) * across]
            },
        )
    }

    proptest! {
        #[test]
        fn derivatives_match_finite_differences(x in maps()) {
            let energy = Orthogonality { stiffness: 2.5 };
            let step = 1e-6;
            let mut hessian = Matrix4::zeros();
            for k in 0..4 {
                let moved = |by: f64| {
                    let mut y = x;
                    y[k / 2][k % 2] += by;
                    y
                };
                let slope = (energy.value(&moved(step)) - energy.value(&moved(-step))) / (2.0 * step);
                prop_assert!((slope - energy.gradient(&x)[k / 2][k % 2]).abs() < 1e-5, "{slope}");

                let after = energy.gradient(&moved(step));
                let before = energy.gradient(&moved(-step));
                for i in 0..4 {
                    hessian[(i, k)] = (after[i / 2][i % 2] - before[i / 2][i % 2]) / (2.0 * step);
                }
            }

            let expected = project(0.5 * (hessian + hessian.transpose()));
            for (i, row) in energy.hessian(&x).iter().enumerate() {
                for (j, block) in row.iter().enumerate() {
                    prop_assert!((block - expected.fixed_view::<2, 2>(2 * i, 2 * j)).norm() < 1e-6 * (1.0 + expected.norm()), "{i} {j}");
                }
            }
        }

        #[test]
        fn rotations_cost_nothing_and_are_not_pushed(angle in 0.0_f64..6.3) {
            let energy = Orthogonality { stiffness: 1e8 };
            let x = [Vec2::new(angle.cos(), angle.sin()), Vec2::new(-angle.sin(), angle.cos())];
            prop_assert!(energy.value(&x) < 1e-20);
            prop_assert!(energy.gradient(&x).iter().all(|g| g.norm() < 1e-6));
        }
    }

    #[test]
    fn a_step_does_not_turn_the_body_over() {
        let energy = Orthogonality { stiffness: 1.0 };
        let x = [Vec2::new(1.0, 0.0), Vec2::new(0.0, 1.0)];
        assert!((energy.max_step(&x, &[Vec2::new(-2.0, 0.0), Vec2::zeros()]) - 0.45).abs() < 1e-15);
        assert_eq!(
            energy.max_step(&x, &[Vec2::new(5.0, 0.0), Vec2::new(0.0, 5.0)]),
            1.0
        );
        assert_eq!(energy.value(&[x[1], x[0]]), f64::INFINITY);
    }
}

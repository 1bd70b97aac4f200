//! Derivatives of contacts against finite differences and dense projections.

use super::*;
use crate::barrier::BarrierShape;
use ipcsim_energy::testing;
use proptest::prelude::*;

/// Activation distance of all tests (m).
const D_HAT: f64 = 0.5;

/// A barrier of little stiffness.
fn barrier(shape: BarrierShape) -> Barrier {
    Barrier { shape, kappa: 10.0 }
}

/// Gradient of a contact with one coordinate moved by `by`.
fn gradient_near(contact: &LineContact, x: [Vec2; 3], k: usize, by: f64) -> [Vec2; 3] {
    let mut y = x;
    y[k / 2][k % 2] += by;
    contact.gradient(&y)
}
/// The unprojected Hessian, by differences of the gradient, projected by a dense
/// eigen-decomposition.
fn projected_by_brute_force(contact: &LineContact, x: [Vec2; 3]) -> nalgebra::SMatrix<f64, 6, 6> {
    let step = 1e-6;
    let mut h = nalgebra::SMatrix::<f64, 6, 6>::zeros();
    for k in 0..6 {
        let after = gradient_near(contact, x, k, step);
        let before = gradient_near(contact, x, k, -step);
        for i in 0..6 {
            h[(i, k)] = (after[i / 2][i % 2] - before[i / 2][i % 2]) / (2.0 * step);
        }
    }

    let mut eigen = (0.5 * (h + h.transpose())).symmetric_eigen();
    eigen.eigenvalues.apply(|value| *value = value.max(0.0));
    eigen.recompose()
}

proptest! {
    #[test]
    fn derivatives_match_finite_differences(
        (s, d) in (0.05_f64..0.95, 0.05_f64..0.45),
        (angle, length) in (0.0_f64..6.3, 0.2_f64..3.0),
        left in any::<bool>(),
    ) {
        let tangent = Vec2::new(angle.cos(), angle.sin());
        let normal = perp(tangent) * if left { 1.0 } else { -1.0 };
        let e0 = Vec2::new(0.3, -0.2);
        let x = [e0 + tangent * (s * length) + normal * d, e0, e0 + tangent * length];

        for (shape, separation) in [
            (BarrierShape::Log, 0.0),
            (BarrierShape::ClampedLog, 0.0),
            (BarrierShape::Log, 0.04),
        ] {
            let barrier = barrier(shape);
            let line = LineContact {
                weight: 0.7,
                barrier,
                d_hat: D_HAT,
                separation,
                one_sided: separation > 0.0,
            };
            testing::check(&line, x, 1e-6, true);
            prop_assert!(testing::torque(&line, x).abs() < 1e-10);

            let analytic = line.hessian(&x);
            let expected = projected_by_brute_force(&line, x);
            for (i, row) in analytic.iter().enumerate() {
                for (j, found) in row.iter().enumerate() {
                    let block = expected.fixed_view::<2, 2>(2 * i, 2 * j);
                    prop_assert!((found - block).norm() < 1e-5 * expected.norm(), "{i} {j}");
                }
            }

            for weight in [0.7, -0.7] {
                let point = PointContact { weight, barrier, d_hat: D_HAT, separation, curvature: 0.0, beside: 1 };
                testing::check(&point, [e0 + normal * d, e0], 1e-6, true);
                prop_assert!(testing::torque(&point, [e0 + normal * d, e0]).abs() < 1e-10);
            }
        }
    }
}

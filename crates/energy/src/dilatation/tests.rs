use super::*;
use crate::patch_sum::testing::OnePatch;
use crate::{LocalEnergy, testing};
use ipcsim_math::cross;
use ipcsim_mesh::Point;
use nalgebra::{DMatrix, SMatrix, SymmetricEigen};
use proptest::prelude::*;

/// All forms of the energy of the volume, with a modulus of 50 Pa.
const LAWS: [Volumetric; 3] = [
    Volumetric::Logarithm(50.0),
    Volumetric::Square(50.0),
    Volumetric::Convex(50.0),
];

/// Nodes of a triangle with one curved side, in the order of its outline (m).
const CURVED: [Vec2; 6] = [
    Vec2::new(0.1, 0.0),
    Vec2::new(0.25, 0.05),
    Vec2::new(0.4, 0.1),
    Vec2::new(0.32, 0.25),
    Vec2::new(0.2, 0.35),
    Vec2::new(0.15, 0.175),
];

/// A polygon of seven vertices, not convex (m).
const POLYGON: [Vec2; 7] = [
    Vec2::new(0.0, 0.0),
    Vec2::new(0.3, -0.1),
    Vec2::new(0.5, 0.1),
    Vec2::new(0.35, 0.25),
    Vec2::new(0.4, 0.5),
    Vec2::new(0.15, 0.4),
    Vec2::new(-0.1, 0.3),
];

/// Positions moved by a list of numbers (m).
fn moved<const N: usize>(rest: [Vec2; N], e: &[f64]) -> [Vec2; N] {
    std::array::from_fn(|i| rest[i] + Vec2::new(e[2 * i], e[2 * i + 1]))
}

/// Checks derivatives of a patch: the gradient against differences of the value, the projected Hessian
/// for eigenvalues, the exact one against differences of the gradient.
fn check<const N: usize>(patch: Dilatation, x: [Vec2; N]) {
    let patch = &OnePatch(patch);
    testing::check(patch, x, 1e-6, true);
    assert!(testing::torque(patch, x).abs() < 1e-12);

    let exact = patch.exact_hessian(&x);
    let projected = patch.hessian(&x);
    let scale = exact.iter().flatten().map(Mat2::amax).fold(0.0, f64::max);
    let mut added = DMatrix::zeros(2 * N, 2 * N);
    for column in 0..2 * N {
        let [i, axis] = [column / 2, column % 2];
        let [mut plus, mut minus] = [x, x];
        plus[i][axis] += 1e-6;
        minus[i][axis] -= 1e-6;
        let [after, before] = [plus, minus].map(|x| patch.gradient(&x));
        for j in 0..N {
            let change = (after[j] - before[j]) / 2e-6;
            let error = (change - exact[j][i].column(axis)).amax();
            assert!(error < 1e-6 * scale, "{error} of {scale}");
            for k in 0..2 {
                let block = projected[j][i] - exact[j][i];
                added[(2 * j + k, column)] = block[(k, axis)];
            }
        }
    }

    // Projection only adds.
    let least = SymmetricEigen::new(added).eigenvalues.min();
    assert!(least > -1e-12 * scale, "{least}");
}

proptest! {
    #[test]
    fn derivatives_match_finite_differences(
        e in prop::collection::vec(-0.03..0.03_f64, 14),
        law in prop::sample::select(&LAWS[..]),
    ) {
        let six = Dilatation::new(law, Outline::Parabolas, &CURVED, 0.7, Vec::new());
        check(six, moved(CURVED, &e));
        let seven = Dilatation::new(law, Outline::Straight, &POLYGON, 0.7, Vec::new());
        check(seven, moved(POLYGON, &e));
    }
}

/// Largest difference of `A^2` from `s^T s`, and the least eigenvalue of `A`, where `A` should be the
/// root that has none below 0.
fn root<const N: usize>(outline: Outline) -> [f64; 2] {
    let s = SMatrix::<f64, N, N>::from_fn(|i, j| outline.weight(i, (j + N - i) % N, N));
    let a = SMatrix::<f64, N, N>::from_fn(|i, j| outline.magnitude(i % 2, (j + N - i) % N, N));
    let a = DMatrix::from_column_slice(N, N, a.as_slice());
    let s = DMatrix::from_column_slice(N, N, s.as_slice());
    assert_eq!(s, -s.transpose());
    let error = (&a * &a - s.transpose() * s).amax();
    [error, SymmetricEigen::new(a).eigenvalues.min()]
}

#[test]
fn the_root_of_the_square_is_in_closed_form() {
    for [error, least] in [
        root::<3>(Outline::Straight),
        root::<6>(Outline::Straight),
        root::<7>(Outline::Straight),
        root::<12>(Outline::Straight),
        root::<6>(Outline::Parabolas),
    ] {
        assert!(error < 1e-14 && least > -1e-14, "{error} {least}");
    }
}

#[test]
fn the_volume_is_what_points_of_quadrature_and_the_shoelace_give() {
    let law = Volumetric::Square(1.0);
    let six = Dilatation::new(law, Outline::Parabolas, &CURVED, 0.5, Vec::new());
    let [a, d, b, e, c, f] = CURVED;
    let nodes = [a, b, c, d, e, f];
    let x = nodes.map(|x| Vec2::new(1.3 * x.x + 0.8 * x.y * x.y, 0.9 * x.y + x.x * x.y));
    let parts = Point::of_gauss(&nodes).map(|point| {
        let parts = x.iter().zip(&point.b);
        point.area
            * parts
                .map(|(x, b)| outer(*x, *b))
                .sum::<Mat2>()
                .determinant()
    });
    let [a, b, c, d, e, f] = x;
    let volume = six.enclosed(&[a, d, b, e, c, f]);
    assert!((volume - 0.5 * parts.iter().sum::<f64>()).abs() < 1e-16);

    let seven = Dilatation::new(law, Outline::Straight, &POLYGON, 0.5, Vec::new());
    let next = POLYGON.iter().cycle().skip(1);
    let twice: f64 = POLYGON.iter().zip(next).map(|(a, b)| cross(*a, *b)).sum();
    assert!((seven.volume - 0.25 * twice).abs() < 1e-16);
}

#[test]
fn an_even_growth_has_the_energy_and_the_stress_of_its_closed_form() {
    // J = 1.21 in the plane: U = 25 ln^2 J, p = 50 ln J / J, in every triangle of the patch.
    let law = Volumetric::Logarithm(50.0);
    let own = vec![[0, 1, 2], [0, 2, 3]];
    let patch = Dilatation::new(law, Outline::Straight, &POLYGON, 0.5, own.clone());
    let x = POLYGON.map(|x| x * 1.1);
    let log = 1.21_f64.ln();
    let expected = patch.volume * 25.0 * log * log;
    assert!((patch.value(&x) - expected).abs() < 1e-14);

    let stress = patch.mean_stress(&x);
    assert!((stress - 50.0 * log / 1.21).abs() < 1e-12);
    assert_eq!(patch.triangles(), own);
}

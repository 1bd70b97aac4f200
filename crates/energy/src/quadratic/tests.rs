use super::*;
use crate::material::{Lame, Law, LawVisitor, MassSpring, NeoHookean, SceneLaw, solids};
use crate::testing;
use ipcsim_math::geometry::bernstein::{first_flat, is_upright};
use proptest::prelude::*;

/// Nodes of a triangle with one curved side (m).
const REST: [Vec2; 6] = [
    Vec2::new(0.1, 0.0),
    Vec2::new(0.4, 0.1),
    Vec2::new(0.2, 0.35),
    Vec2::new(0.25, 0.05),
    Vec2::new(0.32, 0.25),
    Vec2::new(0.15, 0.175),
];

const LAME: Lame = Lame {
    mu: 3.0,
    lambda: 5.0,
};

/// Nodes moved by a list of numbers (m).
fn moved(e: [f64; 12]) -> [Vec2; 6] {
    std::array::from_fn(|i| REST[i] + Vec2::new(e[2 * i], e[2 * i + 1]))
}

/// Moves of the nodes (m).
fn moves(size: f64) -> impl Strategy<Value = [f64; 12]> {
    prop::array::uniform12(-size..size)
}

/// True if the law or the guard has an eigenvalue that projection changes.
fn is_clamped<L: Hyperelastic>(triangle: &QuadraticTriangle<L>, x: &[Vec2; 6]) -> bool {
    let mut points = triangle.points(x);
    let guarded = triangle.guard.gradient(x) != [Vec2::zeros(); 6];
    guarded || points.any(|at| at.law.modes(&at.f).iter().any(|mode| mode.0 < 0.0))
}

/// Checks of a triangle with every law, at these positions (m).
struct Check([Vec2; 6]);

impl Check {
    /// Checks derivatives, and torque unless the law `sees_rotation`.
    fn check(&self, law: impl Hyperelastic, sees_rotation: bool) {
        let triangle = QuadraticTriangle::new(law, REST, 0.7);
        testing::check(&triangle, self.0, 1e-6, is_clamped(&triangle, &self.0));
        if !sees_rotation {
            assert!(testing::torque(&triangle, self.0).abs() < 1e-12);
        }
    }
}

impl LawVisitor for Check {
    type Output = ();

    fn solid<L: SceneLaw>(self, _rank: usize, given: &L::LawParameters) {
        self.check(L::plane_strain(given), L::NAME == "linear");
        self.check(L::plane_stress(given), L::NAME == "linear");
    }

    fn springs(self, _rank: usize, _given: &MassSpring) {}
}

/// Largest difference between the exact Hessian and central differences of the gradient, relative to
/// the largest entry.
fn exactness<L: Hyperelastic>(triangle: &QuadraticTriangle<L>, x: [Vec2; 6]) -> f64 {
    let hessian = triangle.exact_hessian(&x);
    let scale = hessian.iter().flatten().map(Mat2::amax).fold(0.0, f64::max);
    let mut worst: f64 = 0.0;
    for column in 0..12 {
        let [i, axis] = [column / 2, column % 2];
        let [mut plus, mut minus] = [x, x];
        plus[i][axis] += 1e-7;
        minus[i][axis] -= 1e-7;
        let [after, before] = [plus, minus].map(|x| triangle.gradient(&x));
        for j in 0..6 {
            let change = (after[j] - before[j]) / 2e-7;
            worst = worst.max((change - hessian[j][i].column(axis)).amax() / scale);
        }
    }
    worst
}

proptest! {
    #[test]
    fn derivatives_match_finite_differences(e in moves(0.03)) {
        let x = moved(e);
        prop_assume!(is_upright(&x) && has_positive_coefficients(&x));
        for law in solids() {
            law.visit(Check(x));
        }
    }

    #[test]
    fn exact_derivatives_match_also_where_the_guard_resists(e in moves(0.02), c in 0.02_f64..0.09) {
        // Compressed to less than a tenth of its area.
        let x = moved(e).map(|node| Vec2::new(node.x, c * node.y));
        let triangle = QuadraticTriangle::new(NeoHookean(LAME), REST, 1.0);
        prop_assume!(triangle.value(&x).is_finite() && triangle.guard.value(&x) > 0.0);
        let least = bernstein_least(&x);
        prop_assume!(least > 1e-4);
        prop_assert!(exactness(&triangle, x) < 1e-4);

        let slope = triangle.gradient(&x);
        for i in 0..6 {
            for axis in 0..2 {
                let [mut plus, mut minus] = [x, x];
                plus[i][axis] += 1e-8;
                minus[i][axis] -= 1e-8;
                let change = (triangle.value(&plus) - triangle.value(&minus)) / 2e-8;
                let scale = slope.iter().map(Vec2::amax).fold(0.0, f64::max);
                prop_assert!((change - slope[i][axis]).abs() < 1e-4 * scale);
            }
        }
    }

    #[test]
    fn the_step_bound_keeps_the_triangle_upright_as_a_proof_says(e in moves(0.02), d in moves(1.0)) {
        let x = moved(e);
        let p: [Vec2; 6] = std::array::from_fn(|i| Vec2::new(d[2 * i], d[2 * i + 1]));
        let triangle = QuadraticTriangle::new(NeoHookean(LAME), REST, 1.0);
        let bound = triangle.max_step(&x, &p);
        let end: [Vec2; 6] = std::array::from_fn(|i| x[i] + p[i] * bound);
        prop_assert!(bound > 0.0 && triangle.admits(&end) && triangle.value(&end).is_finite());
        prop_assert_eq!(first_flat(&x, &end), None);

        // Where it stops, some coefficient has lost nine tenths.
        let left = determinant_ratio(&x, &end);
        prop_assert!(left > 0.0999 && (bound >= 1.0 || left < 0.1001), "{left}");
    }
}

/// Smallest coefficient of `J` (m^2).
fn bernstein_least(x: &[Vec2; 6]) -> f64 {
    let c = ipcsim_math::geometry::bernstein::determinant(x);
    c.into_iter().fold(f64::INFINITY, f64::min)
}

/// Smallest ratio of coefficients of `J` at two places.
fn determinant_ratio(from: &[Vec2; 6], to: &[Vec2; 6]) -> f64 {
    let [from, to] = [from, to].map(ipcsim_math::geometry::bernstein::determinant);
    let ratios = to.iter().zip(from).map(|(to, from)| to / from);
    ratios.fold(f64::INFINITY, f64::min)
}

#[test]
fn a_uniform_stretch_has_the_energy_of_its_closed_form() {
    // psi of diag(s, s) is mu (s^2 - 1) - 2 mu ln s + 2 lambda ln^2 s.
    let s = 1.3_f64;
    let triangle = QuadraticTriangle::new(NeoHookean(LAME), REST, 0.5);
    let psi =
        LAME.mu * (s * s - 1.0) - 2.0 * LAME.mu * s.ln() + 2.0 * LAME.lambda * s.ln() * s.ln();

    // The area of its corners and two thirds of a bulge of the curved side, whose middle is off it.
    let [a, b, c, _, e, _] = REST;
    let bulge = cross(c - b, e - b) * -2.0 / 3.0;
    let area = 0.5 * cross(b - a, c - a) + bulge;
    assert!((triangle.value(&REST.map(|x| x * s)) - 0.5 * area * psi).abs() < 1e-14);
}

/// The energy and the stress of a quadratic field under a linear law of Young's modulus 1 without
/// lateral contraction.
struct QuadraticField;

impl LawVisitor for QuadraticField {
    type Output = ();

    fn solid<L: SceneLaw>(self, _rank: usize, given: &L::LawParameters) {
        // u = (x^2, 0) k on a straight triangle: strain 2 k x, by hand.
        let [a, b, c] = [[0.0, 0.0], [2.0, 0.0], [0.0, 1.0]].map(Vec2::from);
        let rest = [a, b, c, (a + b) / 2.0, (b + c) / 2.0, (c + a) / 2.0];
        let k = 1e-3;
        let x = rest.map(|x| x + Vec2::new(k * x.x * x.x, 0.0));
        let triangle = QuadraticTriangle::new(L::plane_strain(given), rest, 1.0);

        // 1/2 E (2 k x)^2 over the triangle: the integral of x^2 is 2/3.
        assert!((triangle.value(&x) - 2.0 * k * k * 2.0 / 3.0).abs() < 1e-18);
        let mut stresses = Vec::new();
        triangle.stresses(&[7, 8, 9, 10, 11, 12], &x, &mut stresses);
        assert_eq!(stresses.len(), 4);
        assert_eq!(stresses[1].triangle, [10, 8, 11]);

        // At node 1 x is 2, in the middle of the first facet a third.
        assert!((stresses[1].corners[1].xx / (4.0 * k) - 1.0).abs() < 0.01);
        assert!((stresses[0].middle.xx / (2.0 * k / 3.0) - 1.0).abs() < 0.01);
    }

    fn springs(self, _rank: usize, _given: &MassSpring) {
        panic!("a linear law is one of solids");
    }
}

#[test]
fn a_linear_law_has_the_energy_and_the_stress_of_a_quadratic_field() {
    Law::linear(1.0, 0.0).visit(QuadraticField);
}

use super::*;
use crate::PressedRing;
use crate::dilatation::Outline;
use crate::material::{Hyperelastic, Law, LawVisitor, MassSpring, SceneLaw, Volumetric, solids};
use crate::patch_sum::PatchEnergy;
use crate::patch_sum::testing::OnePatch;
use crate::{Summed, testing};
use proptest::prelude::*;

/// Nodes of a triangle with one curved side, off the axis (m).
const REST: [Vec2; 6] = [
    Vec2::new(0.1, 0.0),
    Vec2::new(0.4, 0.1),
    Vec2::new(0.2, 0.35),
    Vec2::new(0.25, 0.05),
    Vec2::new(0.32, 0.25),
    Vec2::new(0.15, 0.175),
];

/// Nodes moved by a list of numbers (m).
fn moved<const N: usize>(e: &[f64; 12]) -> [Vec2; N] {
    std::array::from_fn(|i| REST[i] + Vec2::new(e[2 * i], e[2 * i + 1]))
}

/// The exact Hessian as if it were the projected one, so that differences of the gradient check it.
struct Exact<'a, E>(&'a E);

impl<const N: usize, E: LocalEnergy<N>> LocalEnergy<N> for Exact<'_, E> {
    const NAME: &'static str = "exact";

    fn value(&self, x: &[Vec2; N]) -> f64 {
        self.0.value(x)
    }

    fn gradient(&self, x: &[Vec2; N]) -> [Vec2; N] {
        self.0.gradient(x)
    }

    fn hessian(&self, x: &[Vec2; N]) -> [[Mat2; N]; N] {
        self.0.exact_hessian(x)
    }
}

/// Largest difference of the exact Hessian from differences of the gradient, relative to its size and up to
/// a kink.
fn hessian_error<const N: usize>(energy: &impl LocalEnergy<N>, x: [Vec2; N]) -> f64 {
    let exact = Exact(energy).hessian(&x);
    let scale = exact.iter().flatten().map(Mat2::norm).fold(0.0, f64::max);
    let here = energy.gradient(&x);
    let step = 1e-6;
    let mut worst = 0.0_f64;
    for i in 0..N {
        for axis in 0..2 {
            let [mut plus, mut minus] = [x, x];
            plus[i][axis] += step;
            minus[i][axis] -= step;
            let [after, before] = [plus, minus].map(|x| energy.gradient(&x));
            for j in 0..N {
                let change = (after[j] - before[j]) / (2.0 * step);
                let kink = testing::kink(&before[j], &here[j], &after[j], step);
                let error = (change - exact[j][i].column(axis)).norm() - kink;
                worst = worst.max(error / scale);
            }
        }
    }
    worst
}

/// Checks derivatives of the elements of every law at moved nodes, also of distorted materials.
struct Check([f64; 12]);

impl LawVisitor for Check {
    type Output = ();

    fn solid<L: SceneLaw>(self, _rank: usize, given: &L::LawParameters) {
        let law = L::distortable(given);
        let [a, b, c, ..] = REST;
        let grown = Distortion {
            plane: Mat2::new(1.03, 0.01, 0.0, 0.98),
            across: 1.02,
            hardened: 0.1,
        };
        let linear = RevolvedTriangle::new(law, [a, b, c]);
        let quadratic = RevolvedQuadratic::new(law, REST);
        for linear in [linear, linear.distorted(&[grown])] {
            let x = moved(&self.0);
            testing::check_derivatives(&linear, x, 1e-6, true);
            assert!(hessian_error(&linear, x) < 2e-5, "{}", L::NAME);
        }
        for quadratic in [quadratic, quadratic.distorted(&[grown; 3])] {
            let x = moved(&self.0.map(|e| 0.3 * e));
            testing::check_derivatives(&quadratic, x, 1e-6, true);
            assert!(hessian_error(&quadratic, x) < 2e-5, "{}", L::NAME);
        }
    }

    fn springs(self, _rank: usize, _given: &MassSpring) {}
}

proptest! {
    #[test]
    fn derivatives_of_all_laws_match_finite_differences(e in prop::array::uniform12(-0.04_f64..0.04)) {
        for law in solids() {
            law.visit(Check(e));
        }
    }

    #[test]
    fn derivatives_of_volumes_match_finite_differences(e in prop::array::uniform12(-0.05_f64..0.05)) {
        let [a, b, c, d, f, g] = [0, 1, 2, 3, 4, 5].map(|k| REST[k]);
        let parabolas = [a, d, b, f, c, g];
        let x: [Vec2; 6] = std::array::from_fn(|i| parabolas[i] + Vec2::new(e[2 * i], e[2 * i + 1]));
        for outline in [Outline::Straight, Outline::Parabolas] {
            let patch = RevolvedDilatation::new(Volumetric::Convex(7.0), outline, &parabolas, vec![]);
            let patch = OnePatch(patch);
            testing::check_derivatives(&patch, x, 1e-6, true);
            prop_assert!(hessian_error(&patch, x) < 2e-5);
        }
        for pressure in [3.0, -2.0] {
            let straight = PressedRing { pressure, start: [a, b], load: 0 };
            testing::check_derivatives(&straight, [x[0], x[2]], 1e-6, true);
            prop_assert!(hessian_error(&straight, [x[0], x[2]]) < 2e-5);
            let curved = PressedRing { pressure, start: [a, d, b], load: 0 };
            testing::check_derivatives(&curved, [x[0], x[1], x[2]], 1e-6, true);
            prop_assert!(hessian_error(&curved, [x[0], x[1], x[2]]) < 2e-5);
        }
    }

    #[test]
    fn a_step_leaves_a_tenth_of_each_radius(e in prop::array::uniform12(-3.0_f64..3.0)) {
        let law = Law::neo_hookean(1.0, 0.3);
        let p: [Vec2; 6] = std::array::from_fn(|i| Vec2::new(e[2 * i], e[2 * i + 1]));
        law.visit(Steps(p));
    }
}

/// Checks that bounds of steps leave radii.
struct Steps([Vec2; 6]);

impl LawVisitor for Steps {
    type Output = ();

    fn solid<L: SceneLaw>(self, _rank: usize, given: &L::LawParameters) {
        let law = L::distortable(given);
        let quadratic = RevolvedQuadratic::new(law, REST);
        let bound = quadratic.max_step(&REST, &self.0);
        let end: [Vec2; 6] = std::array::from_fn(|i| REST[i] + self.0[i] * bound);
        assert!(quadratic.admits(&end));
        let nearest = end.iter().zip(&REST).map(|(end, rest)| end.x / rest.x);
        assert!(nearest.fold(f64::INFINITY, f64::min) > 0.0999);
        let [a, b, c, ..] = REST;
        let linear = RevolvedTriangle::new(law, [a, b, c]);
        let motion = [self.0[0], self.0[1], self.0[2]];
        let bound = linear.max_step(&[a, b, c], &motion);
        assert!(linear.admits(&[
            a + motion[0] * bound,
            b + motion[1] * bound,
            c + motion[2] * bound
        ]));
    }

    fn springs(self, _rank: usize, _given: &MassSpring) {}
}

/// Forces on a triangle of a homogeneous state against the exact integrals, and its energy against the
/// density times the volume.
struct Patch;

impl LawVisitor for Patch {
    type Output = ();

    fn solid<L: SceneLaw>(self, _rank: usize, given: &L::LawParameters) {
        let law = L::distortable(given);
        let [a, b, c, ..] = REST;
        let straight = [a, b, c, (a + b) * 0.5, (b + c) * 0.5, (c + a) * 0.5];
        let stretch = |x: Vec2| Vec2::new(1.1 * x.x, 0.9 * x.y);
        let f = Mat2::new(1.1, 0.0, 0.0, 0.9);
        let own = law.stretched_across(0.1);
        let nominal = own.stress(&f);
        let around = own.stress_across(&f);
        assert!((around - nominal.m11).abs() < 1e-9 || L::NAME == "orthotropic");

        // The volume of the turn is 2 pi R A, and the slope of the shape function of vertex 1 is b_1.
        let area = 0.5 * cross(b - a, c - a);
        let radius = (a.x + b.x + c.x) / 3.0;
        let volume = TAU * radius * area;
        let density = own.energy_density(&f);
        let linear = RevolvedTriangle::new(law, [a, b, c]);
        let quadratic = RevolvedQuadratic::new(law, straight);
        let energies = [
            linear.value(&[a, b, c].map(stretch)),
            quadratic.value(&straight.map(stretch)),
        ];
        for energy in energies {
            let error = (energy / (density * volume) - 1.0).abs();
            assert!(error < 1e-12, "{}", L::NAME);
        }
        let slope = Vec2::new(c.y - a.y, a.x - c.x) / (2.0 * area);
        let expected = nominal * slope * volume + Vec2::new(around * TAU * area / 3.0, 0.0);
        let found = linear.gradient(&[a, b, c].map(stretch))[1];
        assert!(
            (found - expected).norm() < 1e-12 * expected.norm(),
            "{}",
            L::NAME
        );

        // Forces of quadratic triangles: by a fine sum over the triangle.
        let found = quadratic.gradient(&straight.map(stretch));
        let mut exact = [Vec2::zeros(); 6];
        let n = 60;
        for i in 0..n {
            for j in 0..n - i {
                for up in 0..2 {
                    if up == 1 && i + j + 1 >= n {
                        continue;
                    }
                    let shift = (1.0 + f64::from(up)) / 3.0;
                    let l = [f64::from(i) + shift, f64::from(j) + shift].map(|k| k / f64::from(n));
                    let l = [1.0 - l[0] - l[1], l[0], l[1]];
                    add_exact(
                        &straight,
                        l,
                        area / f64::from(n * n),
                        (&nominal, around),
                        &mut exact,
                    );
                }
            }
        }
        for (found, exact) in found.iter().zip(exact) {
            assert!(
                (found - exact).norm() < 2e-3 * nominal.norm() * area,
                "{found} {exact}"
            );
        }
    }

    fn springs(self, _rank: usize, _given: &MassSpring) {}
}

/// Adds the integrand of the forces at the shares `l` of the corners, for an `area` (m^2).
fn add_exact(
    rest: &[Vec2; 6],
    l: [f64; 3],
    area: f64,
    (nominal, around): (&Mat2, f64),
    sums: &mut [Vec2; 6],
) {
    let [a, b, c] = [rest[0], rest[1], rest[2]];
    let whole = cross(b - a, c - a);
    let slopes = [c - b, a - c, b - a].map(|side| Vec2::new(-side.y, side.x) / whole);
    let radius = a.x * l[0] + b.x * l[1] + c.x * l[2];
    for k in 0..6 {
        let (shape, slope) = if k < 3 {
            (l[k] * (2.0 * l[k] - 1.0), slopes[k] * (4.0 * l[k] - 1.0))
        } else {
            let [i, j] = [[0, 1], [1, 2], [2, 0]][k - 3];
            (
                4.0 * l[i] * l[j],
                (slopes[i] * l[j] + slopes[j] * l[i]) * 4.0,
            )
        };
        let force = nominal * slope * radius + Vec2::new(around * shape, 0.0);
        sums[k] += force * (TAU * area);
    }
}

#[test]
fn homogeneous_states_have_the_forces_of_exact_integrals() {
    for law in solids() {
        law.visit(Patch);
    }
}

#[test]
fn a_patch_has_the_volume_of_its_triangles() {
    let [a, b, c, ..] = REST;
    let own = RevolvedDilatation::new(
        Volumetric::Square(2.0),
        Outline::Straight,
        &[a, b, c],
        vec![[0, 1, 2]],
    );
    // Energy of the growth v/V - 1 = 1.1^2 * 0.9 - 1, with l/2 (J - 1)^2.
    let volume = TAU * (a.x + b.x + c.x) / 3.0 * 0.5 * cross(b - a, c - a);
    let growth = 1.1 * 1.1 * 0.9 - 1.0;
    let x = [a, b, c].map(|x| Vec2::new(1.1 * x.x, 0.9 * x.y));
    assert!((own.value(&x) / (volume * growth * growth) - 1.0).abs() < 1e-12);
}

#[test]
fn a_pressure_on_a_closed_outline_pushes_as_its_volume() {
    let [a, b, c, ..] = REST;
    let mut sum = Summed::default();
    for (stencil, start) in [([0, 1], [a, b]), ([1, 2], [b, c]), ([2, 0], [c, a])] {
        let ring = PressedRing {
            pressure: 5.0,
            start,
            load: 0,
        };
        sum.push(stencil, ring);
    }
    let mut gradient = vec![Vec2::zeros(); 3];
    crate::Energy::add_gradient(&sum, &[a, b, c], 1.0, &mut gradient);
    let along: f64 = gradient.iter().map(|g| g.y).sum();
    let outward: f64 = gradient.iter().map(|g| g.x).sum();
    // Shifted by dr the triangle grows by 2 pi A dr.
    assert!(along.abs() < 1e-15);
    let area = 0.5 * cross(b - a, c - a);
    assert!((outward / (5.0 * TAU * area) - 1.0).abs() < 1e-13);
}

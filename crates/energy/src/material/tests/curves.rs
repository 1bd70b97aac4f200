//! Curves of every law under uniaxial, biaxial and shear loading, against closed forms in space.
//!
//! The nominal stress along the first of three principal stretches `a`, `b`, `c` is the derivative
//! of the energy density, written here by hand. A sheet in plane stress is one whose third stress
//! vanishes; the stretch where it does is found by bisection, apart from the laws.

use super::*;

/// Nominal stress (Pa) along the first of three principal stretches.
type Stress = fn(f64, f64, f64) -> f64;

/// Parameters of all isotropic laws in `solids` (Pa).
const MU: f64 = 3.0;
const LAMBDA: f64 = 5.0;
const BULK: f64 = 7.0;

/// Slope of the energy of volume `K/4 (J^2 - 1 - 2 ln J)` along `a`.
fn volumetric(a: f64, b: f64, c: f64) -> f64 {
    let j = a * b * c;
    0.5 * BULK * (j - 1.0 / j) * b * c
}

/// `I_1 J^(-2/3) - 3` and its slope along `a`, `J^(-2/3) (2 a - 2 I_1 / (3 a))`.
fn first(a: f64, b: f64, c: f64) -> [f64; 2] {
    let squares = a * a + b * b + c * c;
    let scale = (a * b * c).powf(-2.0 / 3.0);
    let slope = scale * (2.0 * a - 2.0 * squares / (3.0 * a));
    [squares * scale - 3.0, slope]
}

/// Slope of `I_2 J^(-4/3)` along `a`.
fn second(a: f64, b: f64, c: f64) -> f64 {
    let products = a * a * b * b + b * b * c * c + c * c * a * a;
    let scale = (a * b * c).powf(-4.0 / 3.0);
    scale * (2.0 * a * (b * b + c * c) - 4.0 * products / (3.0 * a))
}

/// Isotropic laws of `solids`, by their place there, with their stresses.
const LAWS: [(usize, Stress); 8] = [
    // Neo-Hookean.
    (0, |a, b, c| {
        MU * (a - 1.0 / a) + LAMBDA * (a * b * c).ln() / a
    }),
    // Fixed corotated.
    (1, |a, b, c| {
        2.0 * MU * (a - 1.0) + LAMBDA * (a * b * c - 1.0) * b * c
    }),
    // Saint Venant and Kirchhoff.
    (2, |a, b, c| {
        let [e, f, g] = [a, b, c].map(|s| 0.5 * (s * s - 1.0));
        a * (2.0 * MU * e + LAMBDA * (e + f + g))
    }),
    // Stable neo-Hookean.
    (4, |a, b, c| {
        let m = 4.0 / 3.0 * MU;
        let l = LAMBDA + 5.0 / 6.0 * MU;
        let squares = a * a + b * b + c * c;
        let alpha = 1.0 + 0.75 * m / l;
        m * a * (1.0 - 1.0 / (squares + 1.0)) + l * (a * b * c - alpha) * b * c
    }),
    // Mooney-Rivlin.
    (5, |a, b, c| {
        1.1 * first(a, b, c)[1] + 0.4 * second(a, b, c) + volumetric(a, b, c)
    }),
    // Yeoh.
    (6, |a, b, c| {
        let [x, slope] = first(a, b, c);
        (1.5 - 0.2 * x + 0.06 * x * x) * slope + volumetric(a, b, c)
    }),
    // Orthotropic, with equal moduli.
    (7, |a, b, c| {
        let [e, f, g] = [a, b, c].map(|s| 0.5 * (s * s - 1.0));
        a * (2.0 * MU * e + LAMBDA * (e + f + g))
    }),
    // J2: Hooke's law of logarithms, with the deviator on or inside the yield surface.
    (8, |a, b, c| {
        let [e, f, g] = [a, b, c].map(f64::ln);
        let mean = (e + f + g) / 3.0;
        let squares: f64 = [e, f, g].iter().map(|e| (e - mean) * (e - mean)).sum();
        let trial = (6.0 * MU * MU * squares).sqrt();
        let strain = ((trial - 1.2) / (3.0 * MU + 0.8)).max(0.0);
        let share = if trial > 0.0 {
            1.0 - 3.0 * MU * strain / trial
        } else {
            1.0
        };
        (3.0 * BULK * mean + 2.0 * MU * share * (e - mean)) / a
    }),
];

/// Answer of a law to a deformation.
struct Found {
    energy: f64,
    stress: Mat2,
    thickness: f64,
    across: f64,
}

impl Found {
    /// Values of a law at `f`.
    fn of(law: &impl Hyperelastic, f: &Mat2) -> Self {
        Self {
            energy: law.energy_density(f),
            stress: law.stress(f),
            thickness: law.thickness(f),
            across: law.stress_across(f),
        }
    }
}

/// Asks a law at `f`, in plane strain or, if `thin`, in plane stress.
struct Ask {
    f: Mat2,
    thin: bool,
}

impl LawVisitor for Ask {
    type Output = Option<Found>;

    fn solid<L: SceneLaw>(self, _rank: usize, given: &L::LawParameters) -> Self::Output {
        Some(if self.thin {
            Found::of(&L::plane_stress(given), &self.f)
        } else {
            Found::of(&L::plane_strain(given), &self.f)
        })
    }

    fn springs(self, _rank: usize, _given: &MassSpring) -> Self::Output {
        None
    }
}

/// Values of a law for the stretches `a` and `b` along the axes.
fn response(law: Law, a: f64, b: f64, thin: bool) -> Found {
    let f = Mat2::new(a, 0.0, 0.0, b);
    law.visit(Ask { f, thin }).unwrap()
}

/// Root of a function that grows, between 0.05 and 5.
fn root(f: impl Fn(f64) -> f64) -> f64 {
    let [mut low, mut high] = [0.05, 5.0];
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if f(middle) > 0.0 {
            high = middle;
        } else {
            low = middle;
        }
    }
    0.5 * (low + high)
}

/// Compares a number with its closed form to 1e-11 of its size.
fn same(found: f64, expected: f64, what: &str) {
    let error = (found - expected).abs();
    assert!(
        error < 1e-11 * (1.0 + expected.abs()),
        "{what}: {found} {expected}"
    );
}

#[test]
fn in_plane_strain_stresses_are_those_of_the_closed_forms() {
    for (place, stress) in LAWS {
        let law = solids()[place];
        for [a, b] in [[0.6, 1.0], [1.8, 1.0], [1.3, 1.3], [0.8, 1.4], [2.0, 0.7]] {
            let what = format!("{law:?} {a} {b}");
            let found = response(law, a, b, false);
            same(found.stress.m11, stress(a, b, 1.0), &what);
            same(found.stress.m22, stress(b, a, 1.0), &what);
            same(found.across, stress(1.0, a, b), &what);
            same(found.stress.m12, 0.0, &what);
            assert_eq!(found.thickness, 1.0);
        }
    }
}

#[test]
fn a_sheet_under_uniaxial_tension_is_a_bar() {
    for (place, stress) in LAWS {
        let law = solids()[place];
        for a in [0.7, 0.95, 1.2, 2.0] {
            // Both lateral stretches of a bar are the same, and free of stress.
            let b = root(|b| stress(b, a, b));
            let what = format!("{law:?} {a}");
            let found = response(law, a, b, true);
            same(found.stress.m11, stress(a, b, b), &what);
            same(found.stress.m22, 0.0, &what);
            same(found.thickness, b, &what);
            assert_eq!(found.across, 0.0);
        }
    }
}

#[test]
fn a_sheet_under_biaxial_tension_thins_until_nothing_presses_across() {
    for (place, stress) in LAWS {
        let law = solids()[place];
        for a in [0.8, 1.1, 1.4] {
            let c = root(|c| stress(c, a, a));
            let what = format!("{law:?} {a}");
            let found = response(law, a, a, true);
            same(found.stress.m11, stress(a, a, c), &what);
            same(found.stress.m22, found.stress.m11, &what);
            same(found.thickness, c, &what);
        }
    }
}

#[test]
fn under_simple_shear_stresses_are_those_of_the_closed_forms() {
    for g in [0.1, 0.6, 1.5] {
        let shear = Mat2::new(1.0, g, 0.0, 1.0);
        let [_, _, _, _, stable, mooney, yeoh, _, _] = solids().map(|law| {
            let visitor = Ask {
                f: shear,
                thin: false,
            };
            law.visit(visitor).unwrap().stress.m12
        });

        // J stays 1, and both invariants grow by g^2.
        let m = 4.0 / 3.0 * MU;
        same(stable, m * g * (1.0 - 1.0 / (4.0 + g * g)), "stable");
        same(mooney, 2.0 * (1.1 + 0.4) * g, "Mooney-Rivlin");
        let x = g * g;
        same(yeoh, 2.0 * g * (1.5 - 0.2 * x + 0.06 * x * x), "Yeoh");
    }
}

#[test]
fn a_fixed_corotated_sheet_has_the_energy_of_its_closed_form() {
    // The least energy over the thickness is mu |F - R|^2 + mu lambda (J - 1)^2 / (2 mu + lambda J^2).
    for [a, b] in [[0.5, 0.8], [1.0, 1.0], [1.2, 0.9], [2.5, 2.0]] {
        let j = a * b;
        let distance = (a - 1.0) * (a - 1.0) + (b - 1.0) * (b - 1.0);
        let expected =
            MU * distance + MU * LAMBDA * (j - 1.0) * (j - 1.0) / (2.0 * MU + LAMBDA * j * j);
        let found = response(solids()[1], a, b, true);
        same(found.energy, expected, "energy");
        let thickness = (2.0 * MU + LAMBDA * j) / (2.0 * MU + LAMBDA * j * j);
        same(found.thickness, thickness, "thickness");
    }
}

/// Wood with its fibres along x, in units of 1e9 Pa.
const WOOD: Directional = Directional {
    young: [12.0, 0.6, 0.9],
    poisson: [0.4, 0.35, 0.3],
    shear: 0.7,
    angle_deg: 0.0,
};

#[test]
fn an_orthotropic_sheet_has_the_moduli_of_its_axes() {
    let sheet = Orthotropic::plane_stress(&WOOD);
    let [e1, e2, _] = WOOD.young;
    let [n12, n13, n23] = WOOD.poisson;
    let n21 = n12 * e2 / e1;

    // Uniaxial: E_22 = -nu_12 E_11, E_33 = -nu_13 E_11, S_11 = E_1 E_11.
    let stretch = |e: f64| (1.0 + 2.0 * e).sqrt();
    let e = 0.2;
    let f = Mat2::new(stretch(e), 0.0, 0.0, stretch(-n12 * e));
    let found = sheet.stress(&f);
    same(found.m11, stretch(e) * e1 * e, "along the fibres");
    same(found.m22, 0.0, "beside them");
    same(sheet.thickness(&f), stretch(-n13 * e), "across");
    let f = Mat2::new(stretch(-n21 * e), 0.0, 0.0, stretch(e));
    let found = sheet.stress(&f);
    same(found.m22, stretch(e) * e2 * e, "across the fibres");
    same(found.m11, 0.0, "along them");
    same(sheet.thickness(&f), stretch(-n23 * e), "thickness");

    // Biaxial: the reduced stiffness of a lamina.
    let f = Mat2::identity() * stretch(e);
    let q = 1.0 - n12 * n21;
    let found = sheet.stress(&f);
    same(found.m11, stretch(e) * e * (e1 + n12 * e2) / q, "biaxial");
    same(found.m22, stretch(e) * e * (e2 + n12 * e2) / q, "biaxial");

    // Simple shear g: E_12 = g/2, E_22 = g^2/2.
    let g = 0.3;
    let found = sheet.stress(&Mat2::new(1.0, g, 0.0, 1.0));
    let expected = WOOD.shear * g + g * e2 / q * 0.5 * g * g;
    same(found.m12, expected, "shear");
}

#[test]
fn orthotropic_axes_turn_with_their_angle() {
    let turned = Directional {
        angle_deg: 33.0,
        ..WOOD
    };
    let r = nalgebra::Rotation2::new(33.0_f64.to_radians()).into_inner();
    let f = Mat2::new(1.1, 0.2, -0.1, 0.9);
    for [along, at] in [
        [
            Orthotropic::plane_stress(&WOOD),
            Orthotropic::plane_stress(&turned),
        ],
        [
            Orthotropic::plane_strain(&WOOD),
            Orthotropic::plane_strain(&turned),
        ],
    ] {
        let expected = along.stress(&(f * r)) * r.transpose();
        assert!((at.stress(&f) - expected).norm() < 1e-13);
        check_all(&at, &f).unwrap();
    }
}

#[test]
fn a_sheet_of_hooke_s_law_that_has_no_thickness_left_is_still_consistent() {
    // With nu = 0.45 a stretch of both axes by 1.6 leaves no thickness.
    let given = Elastic {
        young: 1.0,
        poisson: 0.45,
    };
    let sheet = Orthotropic::isotropic(&given, true);
    let f = Mat2::new(1.9, 0.1, 0.0, 1.8);
    assert_eq!(sheet.thickness(&f), 0.0);
    check_all(&sheet, &f).unwrap();
}

#[test]
fn new_laws_refuse_parameters_that_make_them_unstable() {
    let keys = |law: Law| -> Vec<String> {
        law.summary()
            .faults
            .into_iter()
            .map(|fault| fault.path)
            .collect()
    };
    let mooney = |c10, c01, bulk| keys(Law::mooney_rivlin(c10, c01, bulk));
    assert_eq!(mooney(1.0, -0.1, 9.0), ["c01"]);
    assert_eq!(mooney(0.0, 0.0, 9.0), ["c10"]);
    assert_eq!(mooney(f64::NAN, 0.0, -9.0), ["c10", "bulk"]);
    assert!(mooney(0.0, 1.0, 9.0).is_empty());

    let yeoh = |c1, c2, c3, bulk| keys(Law::yeoh([c1, c2, c3], bulk));
    assert_eq!(yeoh(1.0, -0.6, 0.1, 9.0), ["c2"]);
    assert!(yeoh(1.0, -0.5, 0.1, 9.0).is_empty());
    assert_eq!(yeoh(0.0, 0.0, -1.0, 0.0), ["c1", "c3", "bulk"]);

    let wood = |poisson, young| {
        keys(Law::orthotropic(Directional {
            young,
            poisson,
            ..WOOD
        }))
    };
    assert!(wood(WOOD.poisson, WOOD.young).is_empty());
    assert_eq!(wood([4.5, 0.3, 0.3], WOOD.young), ["poisson"]);
    // Every pair is in range, but not all three together.
    assert_eq!(wood([0.6, 0.6, 0.6], [1.0; 3]), ["poisson"]);
    assert_eq!(wood(WOOD.poisson, [0.0, 1.0, 1.0]), ["young"]);

    // A negative Poisson's ratio has no sheet for laws with only a logarithm or a square of J.
    for (law, refused) in [
        (Law::neo_hookean(1.0, -0.1), true),
        (Law::fixed_corotated(1.0, -0.1), true),
        (Law::stable_neo_hookean(1.0, -0.1), false),
        (Law::neo_hookean(1.0, 0.0), false),
    ] {
        assert_eq!(law.summary().no_plane_stress.is_some(), refused, "{law:?}");
    }
}

#[test]
fn every_law_but_the_linear_one_resists_collapse() {
    for law in solids() {
        let flat = response(law, 1.0, 1e-6, false).stress.m22;
        let is_linear = law.summary().name == "linear";
        assert_eq!(!is_linear, flat < -1e3, "{law:?} {flat}");
    }
}

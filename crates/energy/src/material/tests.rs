//! Laws against finite differences, and properties that every law has.

mod curves;

use super::*;
use crate::testing::kink;
use ipcsim_math::Mat2;
use proptest::prelude::*;

/// Parameters of all laws here (Pa).
const LAME: Lame = Lame {
    mu: 3.0,
    lambda: 5.0,
};

/// Compares the derivatives of a law at `F` with finite differences.
struct CheckDerivatives(Mat2);

impl LawVisitor for CheckDerivatives {
    type Output = Result<(), TestCaseError>;

    fn solid<L: SceneLaw>(self, _rank: usize, given: &L::LawParameters) -> Self::Output {
        check_all(&L::plane_strain(given), &self.0)?;
        check_all(&L::plane_stress(given), &self.0)
    }

    fn springs(self, _rank: usize, _given: &MassSpring) -> Self::Output {
        Ok(())
    }
}

/// Checks tangent, slopes and modes of a law at `F`.
fn check_all(law: &impl Hyperelastic, f: &Mat2) -> Result<(), TestCaseError> {
    check_tangent(law, f)?;
    check_slopes(law, f)?;
    check_modes(&law.modes(f))
}

/// A matrix whose only entry is `value`, at `k`.
fn entry(k: usize, value: f64) -> Mat2 {
    let mut matrix = Mat2::zeros();
    matrix[k] = value;
    matrix
}

/// `dP/dF` applied to `d`.
fn apply(modes: &Modes, d: &Mat2) -> Mat2 {
    modes.iter().map(|(l, q)| q * (l * q.dot(d))).sum()
}

/// The closed form is the projection of `dP/dF`; where there is none, an eigenvalue is negative.
fn check_tangent(law: &impl Hyperelastic, f: &Mat2) -> Result<(), TestCaseError> {
    let modes = law.modes(f);
    let Some(tangent) = law.tangent(f) else {
        let least = modes
            .iter()
            .map(|mode| mode.0)
            .fold(f64::INFINITY, f64::min);
        let has_closed_form = law.tangent(&Mat2::identity()).is_some();
        prop_assert!(!has_closed_form || least < 1e-9, "{least}");
        return Ok(());
    };

    let (twist, norm) = twist(&[f.m11, f.m21, f.m12, f.m22]);
    let twist = Mat2::from_column_slice(&twist);
    let c = cofactor(f);

    // Both operators on every unit matrix.
    let projected = modes.map(|(value, mode)| (value.max(0.0), mode));
    for k in 0..4 {
        let d = entry(k, 1.0);
        let found = d * tangent.identity
            + cofactor(&d) * tangent.cofactor
            + c * (tangent.volume * c.dot(&d))
            + twist * (tangent.twist / norm * twist.dot(&d));
        let error = (found - apply(&projected, &d)).norm();
        prop_assert!(error < 1e-11 * (1.0 + found.norm()), "{found}");
    }

    // The twist is lifted where only it is negative.
    let negative = modes.iter().filter(|mode| mode.0 < -1e-9).count();
    let lifted = tangent.twist;
    prop_assert!(
        negative <= 1 && (negative == 0) == (lifted < 1e-9),
        "{negative} {lifted}"
    );
    Ok(())
}

/// Stress is the slope of the energy density, and the modes give the slope of stress.
fn check_slopes(law: &impl Hyperelastic, f: &Mat2) -> Result<(), TestCaseError> {
    let step = 1e-5;
    let stress = law.stress(f);
    let modes = law.modes(f);

    // Central differences, entry by entry.
    for k in 0..4 {
        let d = entry(k, step);
        let rise = law.energy_density(&(f + d)) - law.energy_density(&(f - d));
        let slope = rise / (2.0 * step);
        prop_assert!((slope - stress[k]).abs() < 1e-6 * (1.0 + stress.norm()));

        let [after, before] = [law.stress(&(f + d)), law.stress(&(f - d))];
        let change = (after - before) / (2.0 * step);
        let predicted = apply(&modes, &(d / step));
        let error = (change - predicted).norm() - kink(&before, &stress, &after, step);
        prop_assert!(
            error < 1e-5 * (1.0 + predicted.norm()),
            "{change} {predicted}"
        );
    }
    Ok(())
}

/// Eigenmatrices are orthonormal as vectors of four entries.
fn check_modes(modes: &Modes) -> Result<(), TestCaseError> {
    for (i, (_, a)) in modes.iter().enumerate() {
        for (j, (_, b)) in modes.iter().enumerate() {
            prop_assert!((a.dot(b) - f64::from(u8::from(i == j))).abs() < 1e-12);
        }
    }
    Ok(())
}

/// A rotation before or after the deformation `F` changes no energy.
struct CheckRotation {
    f: Mat2,
    /// Angle of the rotation (rad).
    angle: f64,
}

impl LawVisitor for CheckRotation {
    type Output = Result<(), TestCaseError>;

    fn solid<L: SceneLaw>(self, _rank: usize, given: &L::LawParameters) -> Self::Output {
        if L::NAME == "linear" {
            return Ok(());
        }

        let law = L::plane_strain(given);
        let f = self.f;
        let r = nalgebra::Rotation2::new(self.angle).into_inner();
        let density = law.energy_density(&f);
        let stress = law.stress(&f);
        let bound = 1e-11 * (1.0 + stress.norm());

        prop_assert!((law.energy_density(&(r * f)) - density).abs() < bound);
        prop_assert!((law.stress(&(r * f)) - r * stress).norm() < bound);

        // Isotropy: turning the material before it deforms changes nothing either.
        prop_assert!((law.energy_density(&(f * r)) - density).abs() < bound);
        Ok(())
    }

    fn springs(self, _rank: usize, _given: &MassSpring) -> Self::Output {
        Ok(())
    }
}

/// Stress of a law at `F` in plane strain.
struct Stress(Mat2);

impl LawVisitor for Stress {
    type Output = Mat2;

    fn solid<L: SceneLaw>(self, _rank: usize, given: &L::LawParameters) -> Mat2 {
        L::plane_strain(given).stress(&self.0)
    }

    fn springs(self, _rank: usize, _given: &MassSpring) -> Mat2 {
        Mat2::zeros()
    }
}

/// Deformation gradients with `J > 0.1`.
fn deformation() -> impl Strategy<Value = Mat2> {
    prop::array::uniform4(-1.5_f64..1.5)
        .prop_map(|e| Mat2::from_row_slice(&e))
        .prop_filter("far from collapse", |f| f.determinant() > 0.1)
}

proptest! {
    #[test]
    fn stress_and_modes_are_the_derivatives(f in deformation()) {
        for law in solids() {
            law.visit(CheckDerivatives(f))?;
        }
    }

    #[test]
    fn rotations_cost_nothing(f in deformation(), angle in -4.0_f64..4.0) {
        for law in solids() {
            law.visit(CheckRotation { f, angle })?;
        }
    }

    #[test]
    fn small_strains_follow_hooke(e in prop::array::uniform3(-1.0_f64..1.0)) {
        let strain = Mat2::new(e[0], e[1], e[1], e[2]) * 1e-6;
        let f = Mat2::identity() + strain;

        // In plane strain all laws agree with Hooke's law to first order.
        let hooke = strain * (2.0 * LAME.mu) + Mat2::identity() * (LAME.lambda * strain.trace());
        for law in solids() {
            prop_assert!((law.visit(Stress(f)) - hooke).norm() < 1e-10);
        }
    }
}

#[test]
fn derivatives_hold_where_singular_values_meet() -> Result<(), TestCaseError> {
    for f in [
        Mat2::identity(),
        Mat2::identity() * 0.7,
        Mat2::new(0.0, -1.2, 1.2, 0.0),
    ] {
        for law in solids() {
            law.visit(CheckDerivatives(f))?;
        }
    }
    Ok(())
}

#[test]
fn neo_hookean_energy_is_infinite_where_a_triangle_is_inverted() {
    for f in [Mat2::zeros(), Mat2::new(1.0, 0.0, 0.0, -1.0)] {
        assert!(NeoHookean(LAME).energy_density(&f).is_infinite());
    }
}

#[test]
fn parameters_outside_their_range_are_faults_with_their_key() {
    let elastic = Elastic {
        young: 0.0,
        poisson: 0.5,
    };

    // Keys of all faults of a law.
    let keys = |law: Law| {
        law.summary()
            .faults
            .iter()
            .map(|fault| fault.path.clone())
            .collect::<Vec<_>>()
    };

    assert_eq!(keys(Law::NeoHookean(elastic)), ["young", "poisson"]);
    assert_eq!(
        keys(Law::MassSpring(MassSpring { stiffness: -1.0 })),
        ["stiffness"]
    );
    assert!(solids().iter().all(|law| law.summary().faults.is_empty()));
}

/// Visitor that gives the rank of a law.
struct Rank;

impl LawVisitor for Rank {
    type Output = usize;

    fn solid<L: SceneLaw>(self, rank: usize, _given: &L::LawParameters) -> usize {
        rank
    }

    fn springs(self, rank: usize, _given: &MassSpring) -> usize {
        rank
    }
}

#[test]
fn every_law_has_a_rank_of_its_own() {
    let mut laws = solids().to_vec();
    laws.push(Law::mass_spring(1.0));
    let mut ranks: Vec<usize> = laws.iter().map(|law| law.visit(Rank)).collect();
    ranks.sort_unstable();
    assert_eq!(ranks, (0..laws.len()).collect::<Vec<_>>());
}

/// Difference of the stress across the plane and that along the unstretched axis in the plane, which
/// an isotropic law has at the same stretch along the other axis (Pa).
struct AcrossLessAlong(f64);

impl LawVisitor for AcrossLessAlong {
    type Output = f64;

    fn solid<L: SceneLaw>(self, _rank: usize, given: &L::LawParameters) -> f64 {
        let law = L::plane_strain(given);
        let f = Mat2::new(self.0, 0.0, 0.0, 1.0);
        law.stress_across(&f) - law.stress(&f).m22
    }

    fn springs(self, _rank: usize, _given: &MassSpring) -> f64 {
        0.0
    }
}

#[test]
fn the_stress_across_the_plane_is_that_of_an_isotropic_law() {
    for stretch in [0.5, 0.9, 1.0, 1.4, 2.5] {
        for law in solids() {
            let difference = law.visit(AcrossLessAlong(stretch));
            assert!(difference.abs() < 1e-13, "{law:?} {stretch}: {difference}");
        }
    }
}

/// Compares a law with the same law as [`AnyLaw`], in all of its functions and to the bit.
fn compare<L: Distortable + Into<AnyLaw>>(name: &str, law: L) {
    let any: AnyLaw = law.into();
    assert_eq!(law.flows(), any.flows(), "{name}");
    let distortion = Distortion {
        plane: Mat2::new(1.02, 0.01, -0.02, 0.97),
        across: 1.03,
        hardened: 0.1,
    };

    let f = Mat2::new(1.3, 0.2, -0.1, 0.9);
    let forms = [
        (law, any),
        (law.distorted(&distortion), any.distorted(&distortion)),
        (law.stretched_across(0.2), any.stretched_across(0.2)),
    ];
    for (law, any) in forms {
        assert_eq!(law.energy_density(&f), any.energy_density(&f), "{name}");
        assert_eq!(law.stress(&f), any.stress(&f), "{name}");
        assert_eq!(law.stress_across(&f), any.stress_across(&f), "{name}");
        assert_eq!(law.thickness(&f), any.thickness(&f), "{name}");
        assert_eq!(law.cauchy(&f), any.cauchy(&f), "{name}");
        assert_eq!(law.modes(&f), any.modes(&f), "{name}");
        assert_eq!(law.space_modes(&f), any.space_modes(&f), "{name}");
        assert_eq!(law.flow(&f), any.flow(&f), "{name}");
    }
}

/// Visitor that compares the forms of a law.
struct CompareWithAny;

impl LawVisitor for CompareWithAny {
    type Output = ();

    fn solid<L: SceneLaw>(self, _rank: usize, given: &L::LawParameters) {
        compare(L::NAME, L::distortable(given));
        compare(L::NAME, L::plane_stress(given));
    }

    fn springs(self, _rank: usize, _given: &MassSpring) {}
}

#[test]
fn any_law_is_the_law_that_it_holds() {
    for law in solids() {
        law.visit(CompareWithAny);
    }
}

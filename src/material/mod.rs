//! Constitutive laws: energy density, stress and its derivative as functions of the deformation gradient `F`.

#![allow(
    clippy::inline_always,
    reason = "only what is inlined is compiled for the processor's vectors"
)]

mod eigen;
mod fixed_corotated;
mod lame;
mod linear;
mod neo_hookean;
mod st_venant_kirchhoff;

pub use fixed_corotated::FixedCorotated;
pub use lame::Lame;
pub use linear::LinearElastic;
pub use neo_hookean::NeoHookean;
pub use st_venant_kirchhoff::StVenantKirchhoff;

use crate::math::Mat2;
use crate::math::lanes::Real;

/// The derivative `dP/dF`, a symmetric operator on 2x2 matrices, as four eigenvalues (Pa) with orthonormal
/// eigenmatrices. Clamping the eigenvalues at zero projects it, and with it any Hessian made of it.
pub type Modes = [(f64, Mat2); 4];

/// The projected derivative `dP/dF` as `dP = identity dF + cofactor cof(dF) + volume C (C : dF) + twist T (T : dF)`, with
/// `C = cof F` and the twist `T`, the mode that turns a body as it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tangent<T> {
    /// Of `dF` itself (Pa).
    pub identity: T,
    /// Of its cofactor matrix (Pa).
    pub cofactor: T,
    /// Of the change of volume (Pa).
    pub volume: T,
    /// Of the twist (Pa): what lifts its eigenvalue `identity + cofactor` to 0 where it is negative.
    pub twist: T,
}

/// All that a law tells of one deformation gradient, or of several side by side, where `J > 0`.
#[derive(Clone, Copy, Debug)]
pub struct Response<T> {
    /// `det F`.
    pub j: T,
    /// Energy density (Pa).
    pub density: T,
    /// Stress (Pa), column by column.
    pub stress: [T; 4],
    /// The projected derivative of stress, unless the slack is negative.
    pub tangent: Tangent<T>,
    /// Negative where another eigenvalue than that of the twist may be.
    pub slack: T,
}

/// A hyperelastic law: stress is the derivative of an energy density.
pub trait Hyperelastic: Copy + Send + Sync {
    /// Energy per rest area and thickness `psi(F)` (Pa); infinite outside of the law's domain.
    fn energy_density(&self, f: &Mat2) -> f64;

    /// First Piola-Kirchhoff stress `P = dpsi/dF` (Pa).
    fn stress(&self, f: &Mat2) -> Mat2;

    /// Eigenvalues and eigenmatrices of `dP/dF`.
    fn modes(&self, f: &Mat2) -> Modes;

    /// The same in closed form with negative eigenvalues left out, where none is negative but perhaps that of the twist.
    /// `None` elsewhere, and if the law has no such form.
    #[inline]
    fn tangent(&self, f: &Mat2) -> Option<Tangent<f64>> {
        self.respond(f)
            .filter(|response| response.slack >= 0.0)
            .map(|response| response.tangent)
    }

    /// [`Hyperelastic::response`] to one deformation gradient, where it is defined.
    #[inline]
    fn respond(&self, f: &Mat2) -> Option<Response<f64>> {
        let Lame { mu, lambda } = self.lame();
        Self::response([mu, lambda], &[f.m11, f.m21, f.m12, f.m22])
            .filter(|response| response.j >= f64::MIN_POSITIVE)
    }

    /// The law's parameters.
    fn lame(&self) -> Lame;

    /// All at once, for `F` column by column, in a form that needs no decisions; `None` if the law has none.
    #[inline(always)]
    fn response<T: Real>(_lame: [T; 2], _f: &[T; 4]) -> Option<Response<T>> {
        None
    }
}

/// `F^-T det F`, the derivative of `det F`.
#[inline]
pub(crate) fn cofactor(f: &Mat2) -> Mat2 {
    Mat2::new(f.m22, -f.m21, -f.m12, f.m11)
}

/// A multiple of the twist `T = U [[0,-1],[1,0]] V^T / sqrt 2` of `F = U diag(s) V^T`, and its squared norm
/// `2 (s_0 + s_1)^2`.
///
/// `F` is the sum of a turned multiple `[[a,-b],[b,a]]` of the identity and a part that is orthogonal to all such; `T` is the
/// former turned by a quarter.
#[inline(always)]
pub(crate) fn twist<T: Real>(f: &[T; 4]) -> ([T; 4], T) {
    let (a, b) = (f[0] + f[3], f[1] - f[2]);
    ([b * -1.0, a, a * -1.0, b * -1.0], (a * a + b * b) * 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const LAME: Lame = Lame {
        mu: 3.0,
        lambda: 5.0,
    };

    fn check_derivatives(law: &impl Hyperelastic, f: &Mat2) -> Result<(), TestCaseError> {
        let step = 1e-5;
        let apply = |modes: &Modes, d: &Mat2| -> Mat2 {
            modes.iter().map(|(l, q)| q * (l * q.dot(d))).sum()
        };
        let modes = law.modes(f);
        let least = modes
            .iter()
            .map(|mode| mode.0)
            .fold(f64::INFINITY, f64::min);
        if let Some(Tangent {
            identity,
            cofactor: of_cofactor,
            volume,
            twist: of_twist,
        }) = law.tangent(f)
        {
            let (t, norm) = twist(&[f.m11, f.m21, f.m12, f.m22]);
            let (c, t) = (cofactor(f), Mat2::from_column_slice(&t));
            let mut projected = modes;
            for (value, _) in &mut projected {
                *value = value.max(0.0);
            }
            for k in 0..4 {
                let mut d = Mat2::zeros();
                d[k] = 1.0;
                let found = d * identity
                    + cofactor(&d) * of_cofactor
                    + c * (volume * c.dot(&d))
                    + t * (of_twist / norm * t.dot(&d));
                prop_assert!(
                    (found - apply(&projected, &d)).norm() < 1e-11 * (1.0 + found.norm()),
                    "{found}"
                );
            }
            let negative = modes.iter().filter(|mode| mode.0 < -1e-9).count();
            prop_assert!(
                negative <= 1 && (negative == 0) == (of_twist < 1e-9),
                "{negative} {of_twist}"
            );
        } else if law.tangent(&Mat2::identity()).is_some() {
            prop_assert!(least < 1e-9, "{least}");
        }
        for k in 0..4 {
            let mut d = Mat2::zeros();
            d[k] = step;
            let slope =
                (law.energy_density(&(f + d)) - law.energy_density(&(f - d))) / (2.0 * step);
            prop_assert!((slope - law.stress(f)[k]).abs() < 1e-6 * (1.0 + law.stress(f).norm()));
            let change = (law.stress(&(f + d)) - law.stress(&(f - d))) / (2.0 * step);
            let predicted = apply(&modes, &(d / step));
            prop_assert!(
                (change - predicted).norm() < 1e-5 * (1.0 + predicted.norm()),
                "{change} {predicted}"
            );
        }
        for (i, (_, a)) in modes.iter().enumerate() {
            for (j, (_, b)) in modes.iter().enumerate() {
                prop_assert!((a.dot(b) - f64::from(u8::from(i == j))).abs() < 1e-12);
            }
        }
        Ok(())
    }

    fn check_rotation(law: &impl Hyperelastic, f: &Mat2, angle: f64) -> Result<(), TestCaseError> {
        let r = nalgebra::Rotation2::new(angle).into_inner();
        let scale = 1.0 + law.stress(f).norm();
        prop_assert!((law.energy_density(&(r * f)) - law.energy_density(f)).abs() < 1e-11 * scale);
        prop_assert!((law.stress(&(r * f)) - r * law.stress(f)).norm() < 1e-11 * scale);
        // Isotropy: turning the material before it deforms changes nothing either.
        prop_assert!((law.energy_density(&(f * r)) - law.energy_density(f)).abs() < 1e-11 * scale);
        Ok(())
    }

    fn deformation() -> impl Strategy<Value = Mat2> {
        prop::array::uniform4(-1.5_f64..1.5)
            .prop_map(|e| Mat2::from_row_slice(&e))
            .prop_filter("far from collapse", |f| f.determinant() > 0.1)
    }

    proptest! {
        #[test]
        fn stress_and_modes_are_the_derivatives(f in deformation()) {
            check_derivatives(&NeoHookean(LAME), &f)?;
            check_derivatives(&FixedCorotated(LAME), &f)?;
            check_derivatives(&StVenantKirchhoff(LAME), &f)?;
            check_derivatives(&LinearElastic(LAME), &f)?;
        }

        #[test]
        fn rotations_cost_nothing(f in deformation(), angle in -4.0_f64..4.0) {
            check_rotation(&NeoHookean(LAME), &f, angle)?;
            check_rotation(&FixedCorotated(LAME), &f, angle)?;
            check_rotation(&StVenantKirchhoff(LAME), &f, angle)?;
        }

        #[test]
        fn small_strains_follow_hooke(e in prop::array::uniform3(-1.0_f64..1.0)) {
            let strain = Mat2::new(e[0], e[1], e[1], e[2]) * 1e-6;
            let f = Mat2::identity() + strain;
            let hooke = strain * (2.0 * LAME.mu) + Mat2::identity() * (LAME.lambda * strain.trace());
            let stresses =
                [NeoHookean(LAME).stress(&f), FixedCorotated(LAME).stress(&f), StVenantKirchhoff(LAME).stress(&f), LinearElastic(LAME).stress(&f)];
            for stress in stresses {
                prop_assert!((stress - hooke).norm() < 1e-10);
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
            check_derivatives(&NeoHookean(LAME), &f)?;
            check_derivatives(&FixedCorotated(LAME), &f)?;
            check_derivatives(&StVenantKirchhoff(LAME), &f)?;
        }
        Ok(())
    }

    #[test]
    fn neo_hookean_energy_is_infinite_where_a_triangle_is_inverted() {
        for f in [Mat2::zeros(), Mat2::new(1.0, 0.0, 0.0, -1.0)] {
            assert!(NeoHookean(LAME).energy_density(&f).is_infinite());
        }
    }
}

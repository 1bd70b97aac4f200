//! Resistance to collapse, for laws whose own energy is finite where a triangle loses its area.
//!
//! A finite load presses a triangle of such a law flat: the potential then has no minimum with
//! `J = det F > 0`, and a solve that keeps `J` positive cannot end. The law of Saint Venant and
//! Kirchhoff yields at a stretch of `1/sqrt 3`, the fixed-corotated one at a pressure of about its
//! moduli. A barrier in `J` with compact support gives every load an equilibrium, and leaves the
//! law as it is above its support (Schueller, Kavan, Panozzo, Sorkine-Hornung 2013, "Locally
//! Injective Mappings").

use super::{Distortable, Distortion, Elastic, Hyperelastic, Lame, Modes, cofactor, eigen};
use crate::tuning::COLLAPSE_BEGINS;
use ipcsim_math::Mat2;
use ipcsim_math::elementary::ln;
use nalgebra::Matrix4;

/// A law and a barrier: `psi(F) + c b(J / J_0)` with `b(u) = -(u - 1)^2 ln u` below `u = 1`, and 0
/// above (Pa).
///
/// This is the barrier of Li et al. 2020 with `J` in the place of the gap: its second derivative
/// is continuous. `c = J_0 M` with the modulus `M = lambda + 2 mu` of uniaxial strain, so that the
/// pressure is `-M b'`. In plane stress `J` is the ratio of areas as well.
#[derive(Clone, Copy, Debug)]
pub struct CompressionBarrier<L> {
    /// Law without the barrier.
    law: L,
    /// Modulus `M` of uniaxial strain (Pa).
    modulus: f64,
}

impl<L> CompressionBarrier<L> {
    /// A law that resists collapse by a modulus of uniaxial strain (Pa).
    pub(super) fn new(law: L, modulus: f64) -> Self {
        Self { law, modulus }
    }

    /// A law that resists collapse by the modulus `lambda + 2 mu` of an isotropic material.
    pub(super) fn of(given: &Elastic, law: L) -> Self {
        let Lame { mu, lambda } = Lame::plane_strain(given.young, given.poisson);
        Self::new(law, lambda + 2.0 * mu)
    }

    /// Energy density of the barrier (Pa) at the ratio of areas `j`; infinite where that is not
    /// positive.
    #[inline]
    fn barrier(&self, j: f64) -> f64 {
        let u = j / COLLAPSE_BEGINS;
        if u >= 1.0 {
            return 0.0;
        }
        if u <= 0.0 {
            return f64::INFINITY;
        }
        -COLLAPSE_BEGINS * self.modulus * (u - 1.0) * (u - 1.0) * ln(u)
    }

    /// First and second derivative of the barrier in `J` (Pa).
    #[inline]
    fn slopes(&self, j: f64) -> [f64; 2] {
        let u = (j / COLLAPSE_BEGINS).max(f64::MIN_POSITIVE);
        if u >= 1.0 {
            return [0.0; 2];
        }
        let (v, log) = (u - 1.0, ln(u));
        let first = -v * (2.0 * log + v / u);
        let second = -(2.0 * log + 4.0 * v / u - v * v / (u * u));
        [
            self.modulus * first,
            self.modulus / COLLAPSE_BEGINS * second,
        ]
    }
}

impl<L: Distortable> Distortable for CompressionBarrier<L> {
    fn distorted(self, distortion: &Distortion) -> Self {
        Self {
            law: self.law.distorted(distortion),
            ..self
        }
    }
}

impl<L: Hyperelastic> Hyperelastic for CompressionBarrier<L> {
    type Parameters = [f64; 0];

    fn parameters(&self) -> [f64; 0] {
        []
    }

    /// Energy density of the law and of the barrier (Pa), infinite where `J` is not positive.
    #[inline]
    fn energy_density(&self, f: &Mat2) -> f64 {
        self.law.energy_density(f) + self.barrier(f.determinant())
    }

    /// Stress of the law and `dpsi/dJ cof F` (Pa).
    #[inline]
    fn stress(&self, f: &Mat2) -> Mat2 {
        let [slope, _] = self.slopes(f.determinant());
        self.law.stress(f) + cofactor(f) * slope
    }

    /// Stress of the law (Pa): the barrier acts on areas in the plane.
    fn stress_across(&self, f: &Mat2) -> f64 {
        self.law.stress_across(f)
    }

    fn thickness(&self, f: &Mat2) -> f64 {
        self.law.thickness(f)
    }

    /// Eigenpairs of `dP = dP_law + psi'' C (C : dF) + psi' cof(dF)` with `C = cof F`, from the
    /// matrix of that operator; above the support the eigenpairs of the law.
    #[inline]
    fn modes(&self, f: &Mat2) -> Modes {
        let modes = self.law.modes(f);
        let j = f.determinant();
        if j >= COLLAPSE_BEGINS {
            return modes;
        }
        self.braced_modes(f, &modes)
    }
}

impl<L: Hyperelastic> CompressionBarrier<L> {
    /// Eigenpairs of the law and the barrier together, from the eigenpairs of the law.
    #[cold]
    fn braced_modes(&self, f: &Mat2, modes: &Modes) -> Modes {
        let [slope, curvature] = self.slopes(f.determinant());
        let c = cofactor(f);

        // The operator column by column, applied to unit changes of `F`.
        let mut matrix = Matrix4::zeros();
        for k in 0..4 {
            let mut change = Mat2::zeros();
            change[k] = 1.0;
            let mut stress = c * (curvature * c[k]) + cofactor(&change) * slope;
            for (value, mode) in modes {
                stress += mode * (value * mode[k]);
            }
            matrix.column_mut(k).copy_from_slice(stress.as_slice());
        }

        eigen::modes_of(&matrix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::{LawVisitor, MassSpring, SceneLaw, solids};

    /// Only the barrier, on a law without stiffness.
    fn barrier() -> CompressionBarrier<()> {
        CompressionBarrier::new((), 11.0)
    }

    #[test]
    fn slope_and_curvature_are_those_of_the_energy_and_begin_at_zero() {
        let barrier = barrier();
        for j in [1e-3, 0.01, 0.05, 0.1, 0.19] {
            let step = 1e-5 * j;
            let [slope, curvature] = barrier.slopes(j);
            let rise = barrier.barrier(j + step) - barrier.barrier(j - step);
            let bend = barrier.slopes(j + step)[0] - barrier.slopes(j - step)[0];
            assert!((rise / (2.0 * step) / slope - 1.0).abs() < 1e-6, "{j}");
            assert!((bend / (2.0 * step) / curvature - 1.0).abs() < 1e-6, "{j}");
            assert!(slope < 0.0 && curvature > 0.0);
        }
        let [slope, curvature] = barrier.slopes(COLLAPSE_BEGINS * (1.0 - 1e-9));
        assert!(slope.abs() < 1e-15 && curvature < 1e-6, "{slope}");
        assert!(barrier.barrier(0.0).is_infinite() && barrier.barrier(-1.0).is_infinite());
        assert!(barrier.barrier(COLLAPSE_BEGINS) == 0.0 && barrier.slopes(1.0) == [0.0; 2]);
    }

    /// Nominal pressures (Pa) of a uniform compression to the ratio of areas `j`, thick and thin,
    /// under a law that has no barrier.
    struct Pressed(f64);

    impl LawVisitor for Pressed {
        type Output = Option<[f64; 2]>;

        fn solid<L: SceneLaw>(self, _rank: usize, given: &L::LawParameters) -> Option<[f64; 2]> {
            let f = Mat2::identity() * self.0.sqrt();
            let has_none = !L::BARRIER && L::NAME != "linear";
            has_none.then(|| {
                [
                    -L::plane_strain(given).stress(&f).m11,
                    -L::plane_stress(given).stress(&f).m11,
                ]
            })
        }

        fn springs(self, _rank: usize, _given: &MassSpring) -> Option<[f64; 2]> {
            None
        }
    }

    #[test]
    fn laws_without_a_barrier_of_their_own_bear_any_load() {
        let mut braced = 0;
        for law in solids() {
            for (j, load) in [(1e-3, 2.0), (1e-7, 150.0), (1e-11, 1e4)] {
                for pressure in law.visit(Pressed(j)).into_iter().flatten() {
                    assert!(pressure > load, "{law:?}, {j}: {pressure}");
                    braced += 1;
                }
            }
        }
        assert_eq!(braced, 4 * 3 * 2);
    }
}

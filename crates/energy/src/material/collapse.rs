//! Resistance to collapse, for laws whose own energy is finite where a triangle loses its area.
//!
//! A finite load presses a triangle of such a law flat: the potential then has no minimum with
//! `J = det F > 0`, and a solve that keeps `J` positive cannot end. The law of Saint Venant and
//! Kirchhoff yields at a stretch of `1/sqrt 3`, the fixed-corotated one at a pressure of about its
//! moduli. A barrier in `J` with compact support gives every load an equilibrium, and leaves the
//! law as it is above its support (Schueller, Kavan, Panozzo, Sorkine-Hornung 2013, "Locally
//! Injective Mappings").

use super::{
    Distortable, Distortion, Elastic, Hyperelastic, Lame, Modes, SpaceModes, cofactor, eigen,
};
use crate::tuning::COLLAPSE_BEGINS;
use ipcsim_math::Mat2;
use ipcsim_math::elementary::ln;
use nalgebra::{Matrix4, Matrix5};

/// A law and a barrier: `psi(F) + c b(J / J_0)` with `b(u) = -(u - 1)^2 ln u` below `u = 1`, and 0
/// above (Pa).
///
/// This is the barrier of Li et al. 2020 with `J` in the place of the gap: its second derivative
/// is continuous. `c = J_0 M` with the modulus `M = lambda + 2 mu` of uniaxial strain, so that the
/// pressure is `-M b'`. In plane stress `J` is the ratio of areas as well, in a body of revolution the
/// ratio of volumes.
#[derive(Clone, Copy, Debug)]
pub struct CompressionBarrier<L> {
    /// Law without the barrier.
    law: L,
    /// Modulus `M` of uniaxial strain (Pa).
    modulus: f64,
    /// Stretch around the axis (1) in a body of revolution; `None` in the plane.
    around: Option<f64>,
}

impl<L> CompressionBarrier<L> {
    /// A law that resists collapse by a modulus of uniaxial strain (Pa).
    pub(super) fn new(law: L, modulus: f64) -> Self {
        Self {
            law,
            modulus,
            around: None,
        }
    }

    /// A law that resists collapse by the modulus `lambda + 2 mu` of an isotropic material.
    pub(super) fn of(given: &Elastic, law: L) -> Self {
        let Lame { mu, lambda } = Lame::plane_strain(given.young, given.poisson);
        Self::new(law, lambda + 2.0 * mu)
    }

    /// Stretch around the axis (1): 1 in the plane.
    fn hoop(&self) -> f64 {
        self.around.unwrap_or(1.0)
    }

    /// Ratio `J` of volumes in a body of revolution, and of areas in the plane.
    fn volume(&self, f: &Mat2) -> f64 {
        f.determinant() * self.hoop()
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

    fn stretched_across(self, growth: f64) -> Self {
        Self {
            law: self.law.stretched_across(growth),
            around: Some(1.0 + growth),
            ..self
        }
    }

    /// Eigenpairs of the law and, below the end of the support, those of the sum with the barrier of
    /// `J = t det F`, whose derivatives are `t C` by `F` and `det F` by the stretch `t`.
    fn space_modes(&self, f: &Mat2) -> SpaceModes {
        let modes = self.law.space_modes(f);
        let volume = self.volume(f);
        if volume >= COLLAPSE_BEGINS {
            return modes;
        }
        let [slope, curvature] = self.slopes(volume);
        let area = f.determinant();
        let c = cofactor(f);
        let steep = c * self.hoop();

        let mut matrix = Matrix5::zeros();
        for k in 0..5 {
            let mut change = Mat2::zeros();
            let mut across = 1.0;
            if k < 4 {
                change[k] = 1.0;
                across = 0.0;
            }
            let along = steep.dot(&change) + area * across;
            let bent = cofactor(&change) * self.hoop() + c * across;
            let mut plane = steep * (curvature * along) + bent * slope;
            let mut hoop = curvature * along * area + slope * c.dot(&change);
            for (value, mode, part) in &modes {
                let share = value * (mode.dot(&change) + part * across);
                plane += mode * share;
                hoop += part * share;
            }
            for (row, entry) in plane.iter().chain([&hoop]).enumerate() {
                matrix[(row, k)] = *entry;
            }
        }
        eigen::space_modes_of(&matrix)
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
        self.law.energy_density(f) + self.barrier(self.volume(f))
    }

    /// Stress of the law and `dpsi/dJ cof F` (Pa).
    #[inline]
    fn stress(&self, f: &Mat2) -> Mat2 {
        let [slope, _] = self.slopes(self.volume(f));
        self.law.stress(f) + cofactor(f) * (slope * self.hoop())
    }

    /// Stress of the law (Pa). In the plane the barrier acts on areas there, and in a body of revolution
    /// on volumes, which adds `dpsi/dJ det F`.
    fn stress_across(&self, f: &Mat2) -> f64 {
        let own = self.law.stress_across(f);
        if self.around.is_none() {
            return own;
        }
        let [slope, _] = self.slopes(self.volume(f));
        own + slope * f.determinant()
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

//! Linear elasticity: Hooke's law for small displacements.
//!
//! Its Hessian is constant, so Newton's method needs one iteration where nothing collides. A
//! rotation by the angle `a` looks like a compression by `1 - cos a`, which limits the law to small
//! rotations.

use super::{Distortable, Distortion, Elastic, Hyperelastic, Lame, Modes, SceneLaw, SpaceModes};
use ipcsim_math::Mat2;
use std::f64::consts::FRAC_1_SQRT_2;

/// Energy density (Pa) `psi = mu |e|^2 + lambda/2 (tr e)^2` with the small strain
/// `e = (F + F^T)/2 - I`.
///
/// It is not invariant under rotation: for small displacements only. In plane stress `lambda` is
/// replaced by `2 lambda mu / (lambda + 2 mu)`, which is exact for this law.
///
/// In plane strain a material whose thickness without stress has changed has the strain `e_33` across
/// ([`Distortable`]): `psi = mu (|e|^2 + e_33^2) + lambda/2 (tr e + e_33)^2`.
#[derive(Clone, Copy, Debug)]
pub struct LinearElastic {
    /// Lame parameters in the plane (Pa).
    lame: Lame,
    /// Strain `e_33` across the plane (1), a part of all that is not in `lame`.
    across: f64,
    /// True in plane stress, where the parameters contain the strain across.
    is_thin: bool,
}

impl LinearElastic {
    /// Law with these parameters (Pa), for plane stress or plane strain.
    pub fn new(lame: Lame, is_thin: bool) -> Self {
        Self {
            lame,
            across: 0.0,
            is_thin,
        }
    }
}

/// Small strain `e = (F + F^T)/2 - I` (1).
fn small_strain(f: &Mat2) -> Mat2 {
    (f + f.transpose()) * 0.5 - Mat2::identity()
}

impl SceneLaw for LinearElastic {
    const NAME: &'static str = "linear";
    const BARRIER: bool = false;

    type LawParameters = Elastic;
    type PlaneStrain = Self;
    type Distorted = Self;
    type PlaneStress = Self;
    type Compiled = Self;

    fn plane_strain(given: &Elastic) -> Self {
        Self::new(Lame::plane_strain(given.young, given.poisson), false)
    }

    fn distortable(given: &Elastic) -> Self {
        Self::plane_strain(given)
    }

    fn plane_stress(given: &Elastic) -> Self {
        Self::new(Lame::plane_stress(given.young, given.poisson), true)
    }
}

impl Distortable for LinearElastic {
    fn distorted(self, distortion: &Distortion) -> Self {
        let across = if self.is_thin {
            0.0
        } else {
            distortion.across.recip() - 1.0
        };
        Self { across, ..self }
    }

    fn stretched_across(self, growth: f64) -> Self {
        Self {
            across: growth,
            ..self
        }
    }

    /// Eigenpairs, the same everywhere: `2 mu + 3 lambda` for a change of size in space, `2 mu` for a
    /// change across against the plane and for two shears, and 0 for a rotation.
    fn space_modes(&self, _f: &Mat2) -> SpaceModes {
        let Lame { mu, lambda } = self.lame;
        let even = Mat2::identity();
        let third = 3.0_f64.sqrt().recip();
        let sixth = 6.0_f64.sqrt().recip();
        let half = FRAC_1_SQRT_2;
        [
            (2.0 * mu + 3.0 * lambda, even * third, third),
            (2.0 * mu, even * sixth, -2.0 * sixth),
            (2.0 * mu, Mat2::new(half, 0.0, 0.0, -half), 0.0),
            (2.0 * mu, Mat2::new(0.0, half, half, 0.0), 0.0),
            (0.0, Mat2::new(0.0, -half, half, 0.0), 0.0),
        ]
    }
}

impl Hyperelastic for LinearElastic {
    type Parameters = [f64; 0];

    fn parameters(&self) -> [f64; 0] {
        []
    }

    /// `psi = mu (|e|^2 + e_33^2) + lambda/2 (tr e + e_33)^2` (Pa), finite for every `F`.
    #[inline]
    fn energy_density(&self, f: &Mat2) -> f64 {
        let Lame { mu, lambda } = self.lame;
        let strain = small_strain(f);
        let volume = strain.trace() + self.across;
        let squares = strain.norm_squared() + self.across * self.across;
        mu * squares + 0.5 * lambda * volume * volume
    }

    /// `P = 2 mu e + lambda (tr e + e_33) I` (Pa).
    #[inline]
    fn stress(&self, f: &Mat2) -> Mat2 {
        let Lame { mu, lambda } = self.lame;
        let strain = small_strain(f);
        strain * (2.0 * mu) + Mat2::identity() * (lambda * (strain.trace() + self.across))
    }

    /// `P_33 = lambda tr(e) + (lambda + 2 mu) e_33` (Pa).
    fn stress_across(&self, f: &Mat2) -> f64 {
        let Lame { mu, lambda } = self.lame;
        lambda * (small_strain(f).trace() + self.across) + 2.0 * mu * self.across
    }

    fn thickness(&self, _f: &Mat2) -> f64 {
        1.0 + self.across
    }

    /// Eigenpairs of `dP = mu (dF + dF^T) + lambda tr(dF) I`, the same for every `F`.
    ///
    /// The eigenvalues are `2 (mu + lambda)` for a change of size, `2 mu` for two shears, and 0 for
    /// a rotation.
    #[inline]
    fn modes(&self, _f: &Mat2) -> Modes {
        let Lame { mu, lambda } = self.lame;

        // Unit matrices of size, two shears and rotation.
        let r = FRAC_1_SQRT_2;
        [
            (2.0 * (mu + lambda), Mat2::new(r, 0.0, 0.0, r)),
            (2.0 * mu, Mat2::new(r, 0.0, 0.0, -r)),
            (2.0 * mu, Mat2::new(0.0, r, r, 0.0)),
            (0.0, Mat2::new(0.0, r, -r, 0.0)),
        ]
    }
}

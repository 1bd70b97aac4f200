//! Linear elasticity: Hooke's law for small displacements.
//!
//! Its Hessian is constant, so Newton's method needs one iteration where nothing collides. A
//! rotation by the angle `a` looks like a compression by `1 - cos a`, which limits the law to small
//! rotations.

use super::{Elastic, Hyperelastic, Lame, Modes, SceneLaw};
use crate::math::Mat2;
use std::f64::consts::FRAC_1_SQRT_2;

/// Energy density (Pa) `psi = mu |e|^2 + lambda/2 (tr e)^2` with the small strain
/// `e = (F + F^T)/2 - I`.
///
/// It is not invariant under rotation: for small displacements only. In plane stress `lambda` is
/// replaced by `2 lambda mu / (lambda + 2 mu)`, which is exact for this law.
#[derive(Clone, Copy, Debug)]
pub struct LinearElastic(pub Lame);

/// Small strain `e = (F + F^T)/2 - I` (1).
fn small_strain(f: &Mat2) -> Mat2 {
    (f + f.transpose()) * 0.5 - Mat2::identity()
}

impl SceneLaw for LinearElastic {
    const NAME: &'static str = "linear";
    const BARRIER: bool = false;

    type Given = Elastic;
    type Thick = Self;
    type Thin = Self;

    fn thick(given: &Elastic) -> Self {
        Self(Lame::plane_strain(given.young, given.poisson))
    }

    fn thin(given: &Elastic) -> Self {
        Self(Lame::plane_stress(given.young, given.poisson))
    }
}

impl Hyperelastic for LinearElastic {
    type Parameters = [f64; 0];

    fn parameters(&self) -> [f64; 0] {
        []
    }

    /// `psi = mu |e|^2 + lambda/2 (tr e)^2` (Pa), finite for every `F`.
    #[inline]
    fn energy_density(&self, f: &Mat2) -> f64 {
        let Lame { mu, lambda } = self.0;
        let strain = small_strain(f);
        mu * strain.norm_squared() + 0.5 * lambda * strain.trace() * strain.trace()
    }

    /// `P = 2 mu e + lambda tr(e) I` (Pa).
    #[inline]
    fn stress(&self, f: &Mat2) -> Mat2 {
        let Lame { mu, lambda } = self.0;
        let strain = small_strain(f);
        strain * (2.0 * mu) + Mat2::identity() * (lambda * strain.trace())
    }

    /// `P_33 = lambda tr(e)` (Pa).
    fn stress_across(&self, f: &Mat2) -> f64 {
        self.0.lambda * small_strain(f).trace()
    }

    /// Eigenpairs of `dP = mu (dF + dF^T) + lambda tr(dF) I`, the same for every `F`.
    ///
    /// The eigenvalues are `2 (mu + lambda)` for a change of size, `2 mu` for two shears, and 0 for
    /// a rotation.
    #[inline]
    fn modes(&self, _f: &Mat2) -> Modes {
        let Lame { mu, lambda } = self.0;

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

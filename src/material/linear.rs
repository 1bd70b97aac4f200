//! Linear elasticity.

use super::{Hyperelastic, Lame, Modes};
use crate::math::Mat2;
use std::f64::consts::FRAC_1_SQRT_2;

/// `psi = mu |e|^2 + lambda/2 (tr e)^2` with the small strain `e = (F + F^T)/2 - I`. Not invariant under rotation: for
/// small displacements only.
#[derive(Clone, Copy, Debug)]
pub struct LinearElastic(pub Lame);

fn small_strain(f: &Mat2) -> Mat2 {
    (f + f.transpose()) * 0.5 - Mat2::identity()
}

impl Hyperelastic for LinearElastic {
    fn lame(&self) -> Lame {
        self.0
    }

    #[inline]
    fn energy_density(&self, f: &Mat2) -> f64 {
        let Lame { mu, lambda } = self.0;
        let strain = small_strain(f);
        mu * strain.norm_squared() + 0.5 * lambda * strain.trace() * strain.trace()
    }

    #[inline]
    fn stress(&self, f: &Mat2) -> Mat2 {
        let Lame { mu, lambda } = self.0;
        let strain = small_strain(f);
        strain * (2.0 * mu) + Mat2::identity() * (lambda * strain.trace())
    }

    #[inline]
    fn modes(&self, _f: &Mat2) -> Modes {
        let Lame { mu, lambda } = self.0;
        let r = FRAC_1_SQRT_2;
        [
            (2.0 * (mu + lambda), Mat2::new(r, 0.0, 0.0, r)),
            (2.0 * mu, Mat2::new(r, 0.0, 0.0, -r)),
            (2.0 * mu, Mat2::new(0.0, r, r, 0.0)),
            (0.0, Mat2::new(0.0, r, -r, 0.0)),
        ]
    }
}

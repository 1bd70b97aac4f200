//! St. Venant-Kirchhoff elasticity.

use super::eigen::{self, Principal};
use super::{Hyperelastic, Lame, Modes};
use crate::math::Mat2;
use crate::math::polar::Polar;

/// `psi = mu |E|^2 + lambda/2 (tr E)^2` with the Green strain `E = (F^T F - I) / 2`. It softens under compression;
/// choose another law where strong compression is expected.
#[derive(Clone, Copy, Debug)]
pub struct StVenantKirchhoff(pub Lame);

fn green(f: &Mat2) -> Mat2 {
    (f.transpose() * f - Mat2::identity()) * 0.5
}

impl Hyperelastic for StVenantKirchhoff {
    fn lame(&self) -> Lame {
        self.0
    }

    #[inline]
    fn energy_density(&self, f: &Mat2) -> f64 {
        let Lame { mu, lambda } = self.0;
        let strain = green(f);
        mu * strain.norm_squared() + 0.5 * lambda * strain.trace() * strain.trace()
    }

    #[inline]
    fn stress(&self, f: &Mat2) -> Mat2 {
        let Lame { mu, lambda } = self.0;
        let strain = green(f);
        f * (strain * (2.0 * mu) + Mat2::identity() * (lambda * strain.trace()))
    }

    #[inline]
    fn modes(&self, f: &Mat2) -> Modes {
        let Lame { mu, lambda } = self.0;
        let polar = Polar::of(f);
        let (s, t) = (polar.sigma.x, polar.sigma.y);
        let squares = s * s + t * t - 1.0;
        let trace = 0.5 * (s * s + t * t) - 1.0;
        let diagonal = |s: f64| mu * (3.0 * s * s - 1.0) + lambda * (s * s + trace);
        let principal = Principal {
            hessian: [diagonal(s), lambda * s * t, diagonal(t)],
            twist: mu * (squares - s * t) + lambda * trace,
            flip: mu * (squares + s * t) + lambda * trace,
        };
        eigen::modes(&polar, &principal)
    }
}

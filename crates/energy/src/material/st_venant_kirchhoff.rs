//! St. Venant-Kirchhoff elasticity: Hooke's law for the Green strain.
//!
//! The law follows large rotations exactly. Under compression it softens, and its own stress
//! even vanishes where a triangle has lost all of its size, so that it is [`CompressionBarrier`] below a fifth of
//! the area.

use super::collapse::CompressionBarrier;
use super::eigen::{self, Principal};
use super::{Elastic, Hyperelastic, Lame, Modes, Orthotropic, SceneLaw};
use ipcsim_math::Mat2;
use ipcsim_math::polar::Polar;

/// Energy density (Pa) `psi = mu |E|^2 + lambda/2 (tr E)^2` with the Green strain
/// `E = (F^T F - I) / 2`.
///
/// It softens under compression and yields at a stretch of `1/sqrt 3`: choose another law where
/// strong compression is expected. In plane stress it is [`Orthotropic`] with equal moduli, whose
/// thickness follows in closed form.
#[derive(Clone, Copy, Debug)]
pub struct StVenantKirchhoff(pub Lame);

/// Green strain `E = (F^T F - I) / 2` (1).
fn green_strain(f: &Mat2) -> Mat2 {
    (f.transpose() * f - Mat2::identity()) * 0.5
}

impl SceneLaw for StVenantKirchhoff {
    const NAME: &'static str = "st_venant_kirchhoff";
    const BARRIER: bool = false;

    type LawParameters = Elastic;
    type PlaneStrain = CompressionBarrier<Self>;
    type Distorted = CompressionBarrier<Orthotropic>;
    type PlaneStress = CompressionBarrier<Orthotropic>;
    type Compiled = Self::PlaneStrain;

    fn plane_strain(given: &Elastic) -> CompressionBarrier<Self> {
        CompressionBarrier::of(given, Self(Lame::plane_strain(given.young, given.poisson)))
    }

    fn distortable(given: &Elastic) -> CompressionBarrier<Orthotropic> {
        CompressionBarrier::of(given, Orthotropic::isotropic(given, false))
    }

    fn plane_stress(given: &Elastic) -> CompressionBarrier<Orthotropic> {
        CompressionBarrier::of(given, Orthotropic::isotropic(given, true))
    }
}

impl Hyperelastic for StVenantKirchhoff {
    type Parameters = [f64; 0];

    fn parameters(&self) -> [f64; 0] {
        []
    }

    /// `psi = mu |E|^2 + lambda/2 (tr E)^2` (Pa), finite for every `F`.
    #[inline]
    fn energy_density(&self, f: &Mat2) -> f64 {
        let Lame { mu, lambda } = self.0;
        let strain = green_strain(f);
        mu * strain.norm_squared() + 0.5 * lambda * strain.trace() * strain.trace()
    }

    /// `P = F S` (Pa) with the second Piola-Kirchhoff stress `S = 2 mu E + lambda tr(E) I`.
    #[inline]
    fn stress(&self, f: &Mat2) -> Mat2 {
        let Lame { mu, lambda } = self.0;
        let strain = green_strain(f);
        f * (strain * (2.0 * mu) + Mat2::identity() * (lambda * strain.trace()))
    }

    /// `P_33 = lambda tr(E)` (Pa).
    fn stress_across(&self, f: &Mat2) -> f64 {
        self.0.lambda * green_strain(f).trace()
    }

    /// Eigenpairs of `dP = dF S + F dS` with `dS = 2 mu dE + lambda tr(dE) I` and
    /// `dE = (dF^T F + F^T dF)/2`.
    ///
    /// With stretches `s` and `t` twist and flip have the eigenvalues
    /// `mu (s^2 + t^2 - 1 -+ s t) + lambda tr E`.
    #[inline]
    fn modes(&self, f: &Mat2) -> Modes {
        let Lame { mu, lambda } = self.0;
        let polar = Polar::of(f);
        let s = polar.sigma.x;
        let t = polar.sigma.y;

        // Terms of twist and flip, and the trace of E.
        let squares = s * s + t * t - 1.0;
        let trace = 0.5 * (s * s + t * t) - 1.0;

        // The Hessian in the stretches has one form for both diagonal entries.
        let diagonal = |s: f64| mu * (3.0 * s * s - 1.0) + lambda * (s * s + trace);
        let principal = Principal {
            hessian: [diagonal(s), lambda * s * t, diagonal(t)],
            twist: mu * (squares - s * t) + lambda * trace,
            flip: mu * (squares + s * t) + lambda * trace,
        };
        eigen::modes(&polar, &principal)
    }
}

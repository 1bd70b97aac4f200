//! Fixed corotated elasticity: the strain is measured against the nearest rotation.
//!
//! The law follows large rotations exactly. Its energy stays finite where a triangle collapses or
//! is inverted, so it does not keep triangles from that by itself; the simulator bounds its steps.

use super::eigen::{self, Principal};
use super::{Elastic, Hyperelastic, Lame, Modes, Plane, SceneLaw, cofactor};
use crate::math::Mat2;
use crate::math::polar::Polar;

/// Energy density (Pa) `psi = mu |F - R|^2 + lambda/2 (J - 1)^2`, with `R` the rotation of the
/// polar decomposition `F = R S` (Stomakhin et al. 2012, "Energetically Consistent Invertible
/// Elasticity").
///
/// In plane stress `lambda` is replaced by `2 lambda mu / (lambda + 2 mu)`, which linearises the
/// condition of no stress across the plane.
#[derive(Clone, Copy, Debug)]
pub struct FixedCorotated(pub Lame);

impl SceneLaw for FixedCorotated {
    const NAME: &'static str = "fixed_corotated";

    type Given = Elastic;

    fn new(given: &Elastic, plane: Plane) -> Self {
        Self(Lame::new(given, plane))
    }
}

impl Hyperelastic for FixedCorotated {
    type Parameters = [f64; 0];

    fn parameters(&self) -> [f64; 0] {
        []
    }

    /// `psi = mu ((s - 1)^2 + (t - 1)^2) + lambda/2 (J - 1)^2` with the stretches `s` and `t` (Pa).
    /// Finite for every `F`.
    #[inline]
    fn energy_density(&self, f: &Mat2) -> f64 {
        let Lame { mu, lambda } = self.0;
        let sigma = Polar::of(f).sigma;
        let volume = f.determinant() - 1.0;

        // |F - R|^2 is the sum over both stretches.
        mu * ((sigma.x - 1.0) * (sigma.x - 1.0) + (sigma.y - 1.0) * (sigma.y - 1.0))
            + 0.5 * lambda * volume * volume
    }

    /// `P = 2 mu (F - R) + lambda (J - 1) C` with `C = cof F = J F^-T` (Pa).
    #[inline]
    fn stress(&self, f: &Mat2) -> Mat2 {
        let Lame { mu, lambda } = self.0;
        let polar = Polar::of(f);
        (f - polar.rotation()) * (2.0 * mu) + cofactor(f) * (lambda * (f.determinant() - 1.0))
    }

    /// `P_33 = lambda (J - 1) J` (Pa): the nearest rotation in space keeps the direction across.
    fn stress_across(&self, f: &Mat2) -> f64 {
        let j = f.determinant();
        self.0.lambda * (j - 1.0) * j
    }

    /// Eigenpairs of `dP = 2 mu (dF - dR) + lambda (C (C : dF) + (J - 1) cof(dF))`.
    ///
    /// With stretches `s` and `t` the twist has the eigenvalue
    /// `2 mu (1 - 2/(s + t)) + lambda (J - 1)` and the flip `2 mu - lambda (J - 1)`.
    #[inline]
    fn modes(&self, f: &Mat2) -> Modes {
        let Lame { mu, lambda } = self.0;
        let polar = Polar::of(f);
        let s = polar.sigma.x;
        let t = polar.sigma.y;
        let volume = s * t - 1.0;

        // Twist. At s + t = 0 the rotation is undefined and this eigenvalue is -infinity: any
        // negative number clamps.
        let sum = (s + t).max(f64::MIN_POSITIVE);
        let twist = (2.0 * mu * (1.0 - 2.0 / sum)).max(f64::MIN) + lambda * volume;

        let principal = Principal {
            hessian: [
                2.0 * mu + lambda * t * t,
                lambda * (s * t + volume),
                2.0 * mu + lambda * s * s,
            ],
            twist,
            flip: 2.0 * mu - lambda * volume,
        };
        eigen::modes(&polar, &principal)
    }
}

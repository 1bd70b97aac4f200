//! Fixed corotated elasticity: the strain is measured against the nearest rotation.
//!
//! The law follows large rotations exactly. Its own energy stays finite where a triangle collapses,
//! so that a resistance is added to it below a fifth of the area; see [`Resistance`].

use super::collapse::Resistance;
use super::eigen::{self, Principal};
use super::{Elastic, Hyperelastic, Lame, Modes, Plane, SceneLaw, cofactor};
use crate::math::Mat2;
use crate::math::polar::Polar;

/// Energy density (Pa) `psi = mu |F - R|^2 + lambda/2 (J - 1)^2`, with `R` the rotation of the
/// polar decomposition `F = R S` (Stomakhin et al. 2012, "Energetically Consistent Invertible
/// Elasticity"). Below `J = 0.2` a resistance to collapse is added.
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

    /// `psi = mu ((s - 1)^2 + (t - 1)^2) + lambda/2 (J - 1)^2` with the stretches `s` and `t`, and the
    /// resistance to collapse (Pa). Infinite where `J` is not positive.
    #[inline]
    fn energy_density(&self, f: &Mat2) -> f64 {
        let Lame { mu, lambda } = self.0;
        let sigma = Polar::of(f).sigma;
        let volume = f.determinant() - 1.0;

        // |F - R|^2 is the sum over both stretches.
        mu * ((sigma.x - 1.0) * (sigma.x - 1.0) + (sigma.y - 1.0) * (sigma.y - 1.0))
            + 0.5 * lambda * volume * volume
            + Resistance::of(self.0).energy(volume + 1.0)
    }

    /// `P = 2 mu (F - R) + lambda (J - 1) C` with `C = cof F = J F^-T` (Pa).
    #[inline]
    fn stress(&self, f: &Mat2) -> Mat2 {
        let Lame { mu, lambda } = self.0;
        let polar = Polar::of(f);
        (f - polar.rotation()) * (2.0 * mu)
            + cofactor(f) * (lambda * (f.determinant() - 1.0))
            + Resistance::of(self.0).stress(f)
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

        let mut principal = Principal {
            hessian: [
                2.0 * mu + lambda * t * t,
                lambda * (s * t + volume),
                2.0 * mu + lambda * s * s,
            ],
            twist,
            flip: 2.0 * mu - lambda * volume,
        };
        Resistance::of(self.0).add_to(&mut principal, [s, t]);
        eigen::modes(&polar, &principal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAME: Lame = Lame {
        mu: 3.0,
        lambda: 5.0,
    };

    #[test]
    fn the_law_is_its_own_down_to_a_fifth_of_the_area() {
        let Lame { mu, lambda } = LAME;
        for (s, t) in [(1.0, 0.200_000_1), (0.5, 0.41), (2.0, 0.100_1), (1.0, 1.0)] {
            let f = Mat2::new(s, 0.3, 0.0, t);
            let (shape, volume) = (f - Polar::of(&f).rotation(), f.determinant() - 1.0);
            let energy = mu * shape.norm_squared() + 0.5 * lambda * volume * volume;
            let stress = shape * (2.0 * mu) + cofactor(&f) * (lambda * volume);

            let law = FixedCorotated(LAME);
            assert!((law.energy_density(&f) - energy).abs() < 1e-13 * (1.0 + energy));
            assert!((law.stress(&f) - stress).norm() < 1e-13);
        }
    }

    #[test]
    fn a_triangle_bears_any_load_before_it_collapses() {
        // The nominal pressure of a uniform compression to J.
        let pressure = |j: f64| {
            -FixedCorotated(LAME)
                .stress(&(Mat2::identity() * j.sqrt()))
                .m11
        };
        assert!(pressure(1.0).abs() < 1e-12);
        for (j, load) in [(1e-3, 50.0), (1e-7, 5e3), (1e-11, 5e5)] {
            assert!(pressure(j) > load, "{j}");
        }
    }
}

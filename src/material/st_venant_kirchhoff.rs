//! St. Venant-Kirchhoff elasticity: Hooke's law for the Green strain.
//!
//! The law follows large rotations exactly. Under compression it softens, and its own stress even
//! vanishes where a triangle has lost all of its size, so that a resistance is added to it below a
//! fifth of the area; see [`Resistance`].

use super::collapse::Resistance;
use super::eigen::{self, Principal};
use super::{Elastic, Hyperelastic, Lame, Modes, Plane, SceneLaw};
use crate::math::Mat2;
use crate::math::polar::Polar;

/// Energy density (Pa) `psi = mu |E|^2 + lambda/2 (tr E)^2` with the Green strain
/// `E = (F^T F - I) / 2`.
///
/// It softens under compression, most at a stretch of `1/sqrt 3`, where it gives way: choose another
/// law where strong compression is expected. Below `J = det F = 0.2` a resistance to collapse is
/// added. In plane stress `lambda` is replaced by `2 lambda mu / (lambda + 2 mu)`, which linearises the condition
/// of no stress across the plane.
#[derive(Clone, Copy, Debug)]
pub struct StVenantKirchhoff(pub Lame);

/// Green strain `E = (F^T F - I) / 2` (1).
fn green_strain(f: &Mat2) -> Mat2 {
    (f.transpose() * f - Mat2::identity()) * 0.5
}

impl SceneLaw for StVenantKirchhoff {
    const NAME: &'static str = "st_venant_kirchhoff";

    type Given = Elastic;

    fn new(given: &Elastic, plane: Plane) -> Self {
        Self(Lame::new(given, plane))
    }
}

impl Hyperelastic for StVenantKirchhoff {
    type Parameters = [f64; 0];

    fn parameters(&self) -> [f64; 0] {
        []
    }

    /// `psi = mu |E|^2 + lambda/2 (tr E)^2`, and the resistance to collapse (Pa). Infinite where `J` is
    /// not positive.
    #[inline]
    fn energy_density(&self, f: &Mat2) -> f64 {
        let Lame { mu, lambda } = self.0;
        let strain = green_strain(f);
        mu * strain.norm_squared()
            + 0.5 * lambda * strain.trace() * strain.trace()
            + Resistance::of(self.0).energy(f.determinant())
    }

    /// `P = F S` (Pa) with the second Piola-Kirchhoff stress `S = 2 mu E + lambda tr(E) I`.
    #[inline]
    fn stress(&self, f: &Mat2) -> Mat2 {
        let Lame { mu, lambda } = self.0;
        let strain = green_strain(f);
        f * (strain * (2.0 * mu) + Mat2::identity() * (lambda * strain.trace()))
            + Resistance::of(self.0).stress(f)
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
        let mut principal = Principal {
            hessian: [diagonal(s), lambda * s * t, diagonal(t)],
            twist: mu * (squares - s * t) + lambda * trace,
            flip: mu * (squares + s * t) + lambda * trace,
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
            let green = (f.transpose() * f - Mat2::identity()) * 0.5;
            let trace = green.trace();
            let energy = mu * green.norm_squared() + 0.5 * lambda * trace * trace;
            let stress = f * (green * (2.0 * mu) + Mat2::identity() * (lambda * trace));

            let law = StVenantKirchhoff(LAME);
            assert!((law.energy_density(&f) - energy).abs() < 1e-13 * (1.0 + energy));
            assert!((law.stress(&f) - stress).norm() < 1e-13);
        }
    }

    #[test]
    fn a_triangle_bears_any_load_before_it_collapses() {
        // The nominal pressure of a uniform compression to J.
        let pressure = |j: f64| {
            -StVenantKirchhoff(LAME)
                .stress(&(Mat2::identity() * j.sqrt()))
                .m11
        };
        assert!(pressure(1.0).abs() < 1e-12);
        for (j, load) in [(1e-3, 50.0), (1e-7, 5e3), (1e-11, 5e5)] {
            assert!(pressure(j) > load, "{j}");
        }
    }
}

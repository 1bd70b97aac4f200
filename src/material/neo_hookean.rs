//! Neo-Hookean elasticity.

use super::eigen::{self, Principal};
use super::{Hyperelastic, Lame, Modes, Tangent, cofactor};
use crate::math::Mat2;
use crate::math::log;
use crate::math::polar::Polar;

/// `psi = mu/2 (tr F^T F - 2) - mu ln J + lambda/2 ln^2 J`, infinite for `J <= 0` (the free physics-based simulation
/// book, chapter on inversion-free elasticity).
#[derive(Clone, Copy, Debug)]
pub struct NeoHookean(pub Lame);

impl Hyperelastic for NeoHookean {
    #[inline]
    fn energy_density(&self, f: &Mat2) -> f64 {
        let Lame { mu, lambda } = self.0;
        let j = f.determinant();
        if j <= 0.0 {
            return f64::INFINITY;
        }
        // With F^T F = I + C both terms are functions of C, which near rest do not cancel to rounding of `mu`.
        let [a, b] = [f.column(0), f.column(1)];
        let (aa, bb, ab) = (a.norm_squared() - 1.0, b.norm_squared() - 1.0, a.dot(&b));
        let trace = aa + bb;
        let grown = trace + (aa * bb - ab * ab);
        let ln_j = if grown.abs() < 0.25 { 0.5 * log::ln_1p(grown) } else { log::ln(j) };
        mu * (0.5 * trace - ln_j) + 0.5 * lambda * ln_j * ln_j
    }

    #[inline]
    fn stress(&self, f: &Mat2) -> Mat2 {
        let Lame { mu, lambda } = self.0;
        let j = f.determinant();
        f * mu + cofactor(f) * ((lambda * log::ln(j) - mu) / j)
    }

    #[inline]
    fn modes(&self, f: &Mat2) -> Modes {
        let Lame { mu, lambda } = self.0;
        let polar = Polar::of(f);
        let (s, t) = (polar.sigma.x, polar.sigma.y);
        let j = s * t;
        let pressure = lambda * log::ln(j) - mu;
        let diagonal = |s: f64| mu + (lambda - pressure) / (s * s);
        let principal = Principal {
            hessian: [diagonal(s), lambda / j, diagonal(t)],
            twist: mu + pressure / j,
            flip: mu - pressure / j,
        };
        eigen::modes(&polar, &principal)
    }

    /// From `P = mu F + p C / J` with `p = lambda ln J - mu`. Its eigenvalues are `mu +- p/J` and those of
    /// `[[mu + c/s^2, lambda/J], [lambda/J, mu + c/t^2]]` with `c = lambda - p` and the singular values `s` and `t` of `F`,
    /// whose trace and determinant follow from `s^2 + t^2 = |F|^2` and `s t = J`.
    #[inline]
    fn tangent(&self, f: &Mat2) -> Option<Tangent> {
        let Lame { mu, lambda } = self.0;
        let j = f.determinant();
        let inverse = 1.0 / j;
        let pressure = lambda * log::ln(j) - mu;
        let (cofactor, volume) = (pressure * inverse, (lambda - pressure) * inverse * inverse);
        let twist = (-mu - cofactor).max(0.0);
        let spread = volume * f.norm_squared();
        let trace = 2.0 * mu + spread;
        let determinant = mu * (mu + spread) + (lambda - pressure) * volume - (lambda * inverse) * (lambda * inverse);
        (cofactor <= mu && trace >= 0.0 && determinant >= 0.0).then_some(Tangent {
            identity: mu,
            cofactor,
            volume,
            twist,
        })
    }
}

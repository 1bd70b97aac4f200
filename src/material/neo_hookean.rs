//! Neo-Hookean elasticity.
#![allow(
    clippy::inline_always,
    reason = "only what is inlined is compiled for the processor's vectors"
)]

use super::eigen::{self, Principal};
use super::{Hyperelastic, Lame, Modes, Response, Tangent};
use crate::math::Mat2;
use crate::math::lanes::Real;
use crate::math::log;
use crate::math::polar::Polar;

/// `psi = mu/2 (tr F^T F - 2) - mu ln J + lambda/2 ln^2 J`, infinite for `J <= 0` (the free physics-based simulation
/// book, chapter on inversion-free elasticity).
#[derive(Clone, Copy, Debug)]
pub struct NeoHookean(pub Lame);

impl Hyperelastic for NeoHookean {
    fn lame(&self) -> Lame {
        self.0
    }

    #[inline]
    fn energy_density(&self, f: &Mat2) -> f64 {
        self.respond(f)
            .map_or(f64::INFINITY, |response| response.density)
    }

    #[inline]
    fn stress(&self, f: &Mat2) -> Mat2 {
        self.respond(f).map_or(Mat2::repeat(f64::NAN), |response| {
            Mat2::from_column_slice(&response.stress)
        })
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

    /// `P = mu F + p C / J` with `p = lambda ln J - mu`. The eigenvalues of its derivative are `mu +- p/J` and those of
    /// `[[mu + c/s^2, lambda/J], [lambda/J, mu + c/t^2]]` with `c = lambda - p` and the singular values `s` and `t` of `F`,
    /// whose trace and determinant follow from `s^2 + t^2 = |F|^2` and `s t = J`.
    #[inline(always)]
    fn response<T: Real>([mu, lambda]: [T; 2], &[a, b, c, d]: &[T; 4]) -> Option<Response<T>> {
        let j = a * d - b * c;
        // With F^T F = I + C all terms of the density are functions of C, which near rest do not cancel to rounding of `mu`.
        let (aa, bb, ab) = (a * a + b * b - 1.0, c * c + d * d - 1.0, a * c + b * d);
        let trace = aa + bb;
        let ln_j = log::ln_of_root(j, trace + (aa * bb - ab * ab));
        let inverse = j.inverse();
        let pressure = lambda * ln_j - mu;
        let (cofactor, rest) = (pressure * inverse, lambda - pressure);
        let volume = rest * inverse * inverse;
        let spread = volume * (trace + 2.0);
        let of_change = lambda * inverse;
        let determinant = mu * (mu + spread) + rest * volume - of_change * of_change;
        let flip = mu - cofactor;
        let nothing = mu.constant(0.0);
        // Where the eigenvalue of the flip is negative another one may be: all slack is gone.
        let slack = flip.if_below(0.0, flip, determinant);
        let twist = nothing - mu - cofactor;
        Some(Response {
            j,
            density: mu * (trace * 0.5 - ln_j) + lambda * ln_j * ln_j * 0.5,
            stress: [
                mu * a + cofactor * d,
                mu * b - cofactor * c,
                mu * c - cofactor * b,
                mu * d + cofactor * a,
            ],
            tangent: Tangent {
                identity: mu,
                cofactor,
                volume,
                twist: twist.if_below(0.0, nothing, twist),
            },
            slack: (mu * 2.0 + spread).if_below(0.0, mu * -1.0, slack),
        })
    }
}

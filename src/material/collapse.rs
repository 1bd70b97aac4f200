//! Resistance to collapse, for laws whose own energy is finite where a triangle loses its area.
//!
//! A finite load presses a triangle of such a law flat: the potential then has no minimum with
//! `J = det F > 0`, and a solve that keeps `J` positive cannot end. St. Venant-Kirchhoff gives way
//! at a stretch of `1/sqrt 3`, fixed corotated at a pressure of about its moduli. A barrier in `J`
//! with compact support gives every load an equilibrium, and leaves the law as it is above its
//! support (Schueller, Kavan, Panozzo, Sorkine-Hornung 2013, "Locally Injective Mappings").

use super::eigen::Principal;
use super::{Lame, cofactor};
use crate::math::Mat2;

/// Ratio of areas `J` (1) below which a triangle resists its collapse.
///
/// Higher: the law itself is changed where some still use it. Lower: what has given way falls
/// farther, and elements become thinner before something holds them.
const BEGINS: f64 = 0.2;

/// Barrier `c b(J / J_0)` with `b(u) = -(u - 1)^2 ln u` below `u = 1`, and 0 above (Pa).
///
/// This is the barrier of Li et al. 2020 with `J` in the place of the gap: its second derivative
/// is continuous. `c = J_0 (lambda + 2 mu)`, so that the pressure is the modulus of compression
/// times `-b'`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Resistance {
    /// Slope of the barrier in `J / J_0` for each unit of `b'` (Pa): `c`.
    stiffness: f64,
}

impl Resistance {
    /// Resistance of a law with these parameters.
    pub(super) fn of(lame: Lame) -> Self {
        Self {
            stiffness: BEGINS * (lame.lambda + 2.0 * lame.mu),
        }
    }

    /// Energy density (Pa) at the ratio of areas `j`; infinite where that is not positive.
    #[inline]
    pub(super) fn energy(self, j: f64) -> f64 {
        let u = j / BEGINS;
        if u >= 1.0 {
            return 0.0;
        }
        if u <= 0.0 {
            return f64::INFINITY;
        }
        -self.stiffness * (u - 1.0) * (u - 1.0) * u.ln()
    }

    /// First and second derivative of the energy density in `J` (Pa).
    #[inline]
    fn derivatives(self, j: f64) -> [f64; 2] {
        let u = (j / BEGINS).max(f64::MIN_POSITIVE);
        if u >= 1.0 {
            return [0.0; 2];
        }
        let (v, log) = (u - 1.0, u.ln());
        let first = -v * (2.0 * log + v / u);
        let second = -(2.0 * log + 4.0 * v / u - v * v / (u * u));
        let scale = self.stiffness / BEGINS;
        [scale * first, scale / BEGINS * second]
    }

    /// Stress `dpsi/dJ cof F` (Pa).
    #[inline]
    pub(super) fn stress(self, f: &Mat2) -> Mat2 {
        let [slope, _] = self.derivatives(f.determinant());
        cofactor(f) * slope
    }

    /// Adds the second derivatives at the stretches `s` and `t` to those of the law.
    ///
    /// A function of `J = s t` has the twist `psi'` and the flip `-psi'`.
    #[inline]
    pub(super) fn add_to(self, principal: &mut Principal, [s, t]: [f64; 2]) {
        let [slope, curvature] = self.derivatives(s * t);
        principal.hessian[0] += curvature * t * t;
        principal.hessian[1] += curvature * s * t + slope;
        principal.hessian[2] += curvature * s * s;
        principal.twist += slope;
        principal.flip -= slope;
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
    fn slope_and_curvature_are_those_of_the_energy_and_begin_at_zero() {
        let resistance = Resistance::of(LAME);
        for j in [1e-3, 0.01, 0.05, 0.1, 0.19] {
            let step = 1e-5 * j;
            let [slope, curvature] = resistance.derivatives(j);
            let rise = resistance.energy(j + step) - resistance.energy(j - step);
            let bend = resistance.derivatives(j + step)[0] - resistance.derivatives(j - step)[0];
            assert!((rise / (2.0 * step) / slope - 1.0).abs() < 1e-6, "{j}");
            assert!((bend / (2.0 * step) / curvature - 1.0).abs() < 1e-6, "{j}");
            assert!(slope < 0.0 && curvature > 0.0);
        }
        let [slope, curvature] = resistance.derivatives(BEGINS * (1.0 - 1e-9));
        assert!(
            slope.abs() < 1e-15 && curvature < 1e-6,
            "{slope} {curvature}"
        );
        assert!(resistance.energy(0.0).is_infinite() && resistance.energy(-1.0).is_infinite());
    }
}

//! Barriers: energies that grow without bound as a distance goes to zero, and vanish from `d_hat` on.

use crate::math::log;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The barrier's shape, as a function of the distance `d` (m).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BarrierShape {
    /// The book's `(s - 1) ln s`, continuously differentiable once at `d_hat`: `d_hat/2 (s - 1) ln s` with
    /// `s = d / d_hat` for half-planes, `d_hat/16 (s - 1) ln s` with `s = d^2 / d_hat^2` for point-edge pairs (the free
    /// physics-based simulation book, chapters on contact and self-contact).
    #[default]
    Log,
    /// `-d_hat (s - 1)^2 ln s` with `s = d / d_hat`, continuously differentiable twice (Li et al. 2020, equation 6, in units
    /// of length); half of it for point-edge pairs, which are found from both sides.
    ClampedLog,
}

/// A function of the distance and its first two derivatives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jet {
    /// Value.
    pub value: f64,
    /// First derivative.
    pub first: f64,
    /// Second derivative.
    pub second: f64,
}

/// A barrier: shape, stiffness `kappa` (Pa) and activation distance `d_hat` (m). Multiplied by a contact length (m) and a
/// thickness it is an energy per metre of thickness.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Barrier {
    /// Shape.
    pub shape: BarrierShape,
    /// Stiffness (Pa).
    pub kappa: f64,
    /// Distance from which on the barrier is zero (m).
    pub d_hat: f64,
}

impl Barrier {
    /// Between a point and a half-plane at distance `d` below `d_hat`.
    #[inline]
    pub fn plane(&self, d: f64) -> Jet {
        let inverse = 1.0 / self.d_hat;
        let s = d * inverse;
        let (unit, scale) = match self.shape {
            BarrierShape::Log => (log_jet(s), 0.5 * self.kappa * self.d_hat),
            BarrierShape::ClampedLog => (clamped_log_jet(s), self.kappa * self.d_hat),
        };
        unit.scaled(scale, inverse)
    }

    /// Between a point and an edge, or two points, at distance `d` below `d_hat`. Each pair of surfaces is seen from both
    /// sides, hence a half.
    #[inline]
    pub fn pair(&self, d: f64) -> Jet {
        let inverse = 1.0 / self.d_hat;
        let s = d * inverse;
        match self.shape {
            BarrierShape::Log => {
                let jet = log_jet(s * s);
                let of_s = Jet {
                    value: jet.value,
                    first: 2.0 * s * jet.first,
                    second: 2.0 * jet.first + 4.0 * s * s * jet.second,
                };
                of_s.scaled(self.kappa * self.d_hat / 16.0, inverse)
            }
            BarrierShape::ClampedLog => clamped_log_jet(s).scaled(0.5 * self.kappa * self.d_hat, inverse),
        }
    }
}

impl Jet {
    /// `scale f(c s)` as a function of `s`, from the jet of `f` at `c s`.
    #[inline]
    fn scaled(self, scale: f64, c: f64) -> Self {
        Self { value: scale * self.value, first: scale * c * self.first, second: scale * c * c * self.second }
    }
}

/// `(s - 1) ln s`.
#[inline]
fn log_jet(s: f64) -> Jet {
    let ln = log::ln(s);
    Jet { value: (s - 1.0) * ln, first: ln + 1.0 - 1.0 / s, second: (1.0 + 1.0 / s) / s }
}

/// `-(s - 1)^2 ln s`.
#[inline]
fn clamped_log_jet(s: f64) -> Jet {
    let (ln, a) = (log::ln(s), s - 1.0);
    let first = -2.0 * a * ln - a * a / s;
    let second = -2.0 * ln - 4.0 * a / s + a * a / (s * s);
    Jet { value: -a * a * ln, first, second }
}

#[cfg(test)]
mod tests {
    use super::*;

    const D_HAT: f64 = 0.01;

    type Curve = Box<dyn Fn(f64) -> Jet>;

    fn jets() -> Vec<(String, Curve)> {
        [BarrierShape::Log, BarrierShape::ClampedLog]
            .into_iter()
            .flat_map(|shape| {
                let barrier = Barrier { shape, kappa: 1e5, d_hat: D_HAT };
                let plane: Curve = Box::new(move |d| barrier.plane(d));
                let pair: Curve = Box::new(move |d| barrier.pair(d));
                [(format!("{shape:?} plane"), plane), (format!("{shape:?} pair"), pair)]
            })
            .collect()
    }

    #[test]
    fn derivatives_match_finite_differences() {
        for (name, jet) in jets() {
            for d in [1e-6, 1e-4, 1e-3, 5e-3, 9.9e-3] {
                let step = 1e-5 * d;
                let slope = (jet(d + step).value - jet(d - step).value) / (2.0 * step);
                let curve = (jet(d + step).first - jet(d - step).first) / (2.0 * step);
                assert!((slope / jet(d).first - 1.0).abs() < 1e-5, "{name} {d}");
                assert!((curve / jet(d).second - 1.0).abs() < 1e-5, "{name} {d}");
            }
        }
    }

    #[test]
    fn every_barrier_repels_is_convex_and_ends_smoothly() {
        for (name, jet) in jets() {
            for k in 1..1000 {
                let at = jet(D_HAT * f64::from(k) / 1000.0);
                assert!(at.value > 0.0 && at.first < 0.0 && at.second > 0.0, "{name} {k}");
            }
            let end = jet(D_HAT * (1.0 - 1e-9));
            assert!(end.value < 1e-12 && end.first.abs() < 1e-2, "{name}");
            assert!(jet(1e-300).value > 500.0 * jet(0.5 * D_HAT).value, "{name}");
        }
    }

    #[test]
    fn the_book_s_scales_are_reproduced() {
        let barrier = Barrier { shape: BarrierShape::Log, kappa: 1e5, d_hat: D_HAT };
        let (w, d) = (0.25, 0.004_f64);
        let (s, q) = (d / D_HAT, d * d / D_HAT / D_HAT);
        let plane = w * D_HAT * 1e5 / 2.0 * (s - 1.0) * s.ln();
        let pair = 0.5 * w * D_HAT * 1e5 / 8.0 * (q - 1.0) * q.ln();
        assert!((w * barrier.plane(d).value / plane - 1.0).abs() < 1e-14);
        assert!((w * barrier.pair(d).value / pair - 1.0).abs() < 1e-14);
    }
}

//! Barriers: energies that grow without bound as a gap closes, and vanish from the activation
//! distance on.
//!
//! A barrier keeps sides apart without inequality constraints: a minimiser that starts with open
//! gaps keeps them open, as the energy of a closed gap is infinite. The price is a stiff energy
//! near contact, which only a method with second derivatives minimises well.
//!
//! All formulas are functions of `s = g / d_hat`. They are generic over `Real`, so that one text
//! serves single contacts and several contacts in the lanes of a vector.

use super::tuning::CLOSED_GAP;
use ipcsim_keys::Keys;
use ipcsim_math::lanes::Real;
use ipcsim_math::log;
use serde::{Deserialize, Serialize};
use std::f64::consts::SQRT_2;

/// Shape of a barrier as a function of the distance `d` (m).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Keys)]
#[serde(rename_all = "snake_case")]
pub enum BarrierShape {
    /// The book's `(s - 1) ln s`, continuously differentiable once at `d_hat`:
    /// `d_hat/2 (s - 1) ln s` with `s = d / d_hat` for half-planes, `d_hat/16 (s - 1) ln s` with
    /// `s = d^2 / d_hat^2` for point-edge pairs (the free physics-based simulation book, chapters
    /// on contact and self-contact).
    Log,
    /// `-d_hat (s - 1)^2 ln s` with `s = d / d_hat`, continuously differentiable twice (Li et al.
    /// 2020, equation 6, in units of length); half of it for point-edge pairs, which are found from
    /// both sides.
    ClampedLog,
    /// `d_hat (1 - s)^3 / s` with `s = d / d_hat`, continuously differentiable twice; half of it for
    /// point-edge pairs. Its integral along an edge is infinite where a vertex touches the edge.
    #[default]
    Inverse,
}

impl BarrierShape {
    /// Factor (1) by which a small gap grows where a doubled stiffness bears the same pressure, which
    /// is nearly `kappa d_hat / (2 g)` at small gaps `g` for barriers with a logarithm, and
    /// `kappa (d_hat / g)^2` for the inverse one.
    pub fn widening(self) -> f64 {
        match self {
            Self::Log | Self::ClampedLog => 2.0,
            Self::Inverse => SQRT_2,
        }
    }
}

/// Value and first two derivatives of a function of the gap, for one contact or for several in
/// lanes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jet<T = f64> {
    /// Value of the function, here of a barrier (Pa m).
    pub value: T,
    /// First derivative with respect to the gap.
    pub first: T,
    /// Second derivative with respect to the gap.
    pub second: T,
}

/// Barrier `b(g)` of the gap `g`.
///
/// Source: Li et al. 2020, "Incremental Potential Contact", section 4.1; the free physics-based
/// simulation book, chapters on contact and self-contact.
///
/// - `g`: gap between two sides (m);
/// - `d_hat`: activation distance (m), from which on `b = 0`; an argument, since a body may have
///   its own;
/// - `kappa`: [`kappa`](Self::kappa), stiffness (Pa);
/// - `b`: barrier (Pa m); times contact length and thickness it is an energy (J), and minus its
///   derivative a pressure.
///
/// [`BarrierShape`] lists the formulas.
///
/// ```
/// use ipcsim_contact::barrier::{Barrier, BarrierShape};
///
/// let barrier = Barrier { shape: BarrierShape::Log, kappa: 1e5 };
/// let d_hat = 0.01;
/// let pressure = |gap: f64| -barrier.plane(gap, d_hat).first;
/// assert!(pressure(0.001) > pressure(0.005) && pressure(0.005) > 0.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Barrier {
    /// Formula of the barrier.
    pub shape: BarrierShape,
    /// Stiffness `kappa` (Pa).
    pub kappa: f64,
}

impl Barrier {
    /// Barrier between a point and a half-plane at a gap `g < d_hat` (m).
    #[inline]
    pub fn plane(&self, g: f64, d_hat: f64) -> Jet {
        open_or_closed(g, d_hat, plane(self.shape, [self.kappa, d_hat], g))
    }

    /// Barrier between a point and an edge, or two points, at a gap `g < d_hat` (m).
    #[inline]
    pub fn pair(&self, g: f64, d_hat: f64) -> Jet {
        open_or_closed(g, d_hat, pair(self.shape, [self.kappa, d_hat], g))
    }
}

/// The jet of an open gap. A gap below [`CLOSED_GAP`] of `d_hat` gets an infinite barrier, and a
/// gap that is not a number gives a jet of NaN.
#[inline]
fn open_or_closed(g: f64, d_hat: f64, jet: Jet) -> Jet {
    if g >= CLOSED_GAP * d_hat {
        return jet;
    }

    let [value, slope] = if g.is_nan() {
        [g; 2]
    } else {
        [f64::INFINITY, f64::NEG_INFINITY]
    };

    Jet {
        value,
        first: slope,
        second: value,
    }
}

/// Barrier between a point and a half-plane at an open gap `g`, as in [`Barrier::plane`].
#[inline(always)]
pub fn plane<T: Real>(shape: BarrierShape, [kappa, d_hat]: [T; 2], g: T) -> Jet<T> {
    let inverse = d_hat.inverse();
    let s = g * inverse;
    match shape {
        BarrierShape::Log => log_jet(s).scaled(kappa * d_hat * 0.5, inverse),
        BarrierShape::ClampedLog => clamped_log_jet(s).scaled(kappa * d_hat, inverse),
        BarrierShape::Inverse => inverse_jet(s).scaled(kappa * d_hat, inverse),
    }
}

/// Barrier between a point and an edge, or two points, at an open gap `g`, as in [`Barrier::pair`].
/// Each pair of surfaces is found from both sides, hence a factor of one half.
#[inline(always)]
pub fn pair<T: Real>(shape: BarrierShape, [kappa, d_hat]: [T; 2], g: T) -> Jet<T> {
    let inverse = d_hat.inverse();
    let s = g * inverse;
    match shape {
        BarrierShape::Log => {
            // The chain rule for the function of s^2.
            let squared = s * s;
            let jet = log_jet(squared);
            let of_s = Jet {
                value: jet.value,
                first: s * jet.first * 2.0,
                second: jet.first * 2.0 + squared * jet.second * 4.0,
            };
            of_s.scaled(kappa * d_hat * 0.0625, inverse)
        }
        BarrierShape::ClampedLog => clamped_log_jet(s).scaled(kappa * d_hat * 0.5, inverse),
        BarrierShape::Inverse => inverse_jet(s).scaled(kappa * d_hat * 0.5, inverse),
    }
}

impl<T: Real> Jet<T> {
    /// The jet of `scale f(c g)` as a function of `g`, from the jet of `f` at `c g`: derivatives
    /// gain a factor `c` each.
    #[inline(always)]
    fn scaled(self, scale: T, c: T) -> Self {
        Self {
            value: scale * self.value,
            first: scale * c * self.first,
            second: scale * c * c * self.second,
        }
    }
}

/// The jet of `(s - 1) ln s`: derivatives `ln s + 1 - 1/s` and `(1/s + 1) / s`.
#[inline(always)]
fn log_jet<T: Real>(s: T) -> Jet<T> {
    let ln = log::ln_of_normal(s);
    let inverse = s.inverse();

    Jet {
        value: (s - 1.0) * ln,
        first: ln + 1.0 - inverse,
        second: (inverse + 1.0) * inverse,
    }
}

/// The jet of `-(s - 1)^2 ln s`: with `a = s - 1`, derivatives `-2 a ln s - a^2/s` and
/// `-2 ln s - 4 a/s + (a/s)^2`.
#[inline(always)]
fn clamped_log_jet<T: Real>(s: T) -> Jet<T> {
    let ln = log::ln_of_normal(s);
    let inverse = s.inverse();
    let a = s - 1.0;
    let over = a * inverse;

    Jet {
        value: a * a * ln * -1.0,
        first: a * ln * -2.0 - a * over,
        second: ln * -2.0 - over * 4.0 + over * over,
    }
}

/// The jet of `(1 - s)^3 / s`: with `a = 1 - s`, derivatives `-a^2 (1 + 2 s) / s^2` and
/// `2 a (1 + s + s^2) / s^3`.
#[inline(always)]
fn inverse_jet<T: Real>(s: T) -> Jet<T> {
    let inverse = s.inverse();
    let a = s * -1.0 + 1.0;
    let over = a * inverse;

    Jet {
        value: a * a * over,
        first: over * over * (s * 2.0 + 1.0) * -1.0,
        second: over * inverse * inverse * (s * s + s + 1.0) * 2.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Activation distance of all tests (m).
    const D_HAT: f64 = 0.01;

    /// A barrier as a function of the gap (m).
    type Curve = Box<dyn Fn(f64) -> Jet>;

    /// All barriers with their names.
    fn jets() -> Vec<(String, Curve)> {
        let [log, clamped] = [BarrierShape::Log, BarrierShape::ClampedLog];
        [log, clamped, BarrierShape::Inverse]
            .into_iter()
            .flat_map(|shape| {
                let barrier = Barrier { shape, kappa: 1e5 };
                let plane: Curve = Box::new(move |d| barrier.plane(d, D_HAT));
                let pair: Curve = Box::new(move |d| barrier.pair(d, D_HAT));
                [
                    (format!("{shape:?} plane"), plane),
                    (format!("{shape:?} pair"), pair),
                ]
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
    fn every_barrier_repels_and_is_convex_and_ends_smoothly() {
        for (name, jet) in jets() {
            for k in 1..1000 {
                let at = jet(D_HAT * f64::from(k) / 1000.0);
                assert!(
                    at.value > 0.0 && at.first < 0.0 && at.second > 0.0,
                    "{name} {k}"
                );
            }

            let end = jet(D_HAT * (1.0 - 1e-9));
            assert!(end.value < 1e-12 && end.first.abs() < 1e-2, "{name}");
            assert!(jet(1e-300).value > 500.0 * jet(0.5 * D_HAT).value, "{name}");
        }
    }

    #[test]
    fn the_book_s_scales_are_reproduced() {
        let barrier = Barrier {
            shape: BarrierShape::Log,
            kappa: 1e5,
        };

        let w = 0.25;
        let d = 0.004_f64;
        let s = d / D_HAT;
        let q = d * d / D_HAT / D_HAT;

        let plane = w * D_HAT * 1e5 / 2.0 * (s - 1.0) * s.ln();
        let pair = 0.5 * w * D_HAT * 1e5 / 8.0 * (q - 1.0) * q.ln();

        assert!((w * barrier.plane(d, D_HAT).value / plane - 1.0).abs() < 1e-14);
        assert!((w * barrier.pair(d, D_HAT).value / pair - 1.0).abs() < 1e-14);
    }
}

//! Natural logarithm with the same bits on every machine, for one number and in SIMD lanes.
//!
//! Barriers and elasticity spend most of their time in it. The method is that of `e_log.c` in
//! fdlibm (Sun Microsystems 1993): the same split of the argument, the same series in
//! `s = f / (2 + f)`, and the same two parts of `ln 2`. Coefficients here are those of the Taylor
//! series instead of a fitted polynomial, and there are no branches.

use super::lanes::Real;
use crate::tuning::LOG_NEAR_ONE;

/// Leading 32 bits of `ln 2`, whose products with exponents are exact.
const LN_2_HIGH: f64 = 0.693_147_180_369_123_8;
/// Difference of `ln 2` and its leading bits.
const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;

/// Natural logarithm of any number, with an error below one ulp.
///
/// As usual, zero has the logarithm minus infinity and negative numbers have NaN.
#[inline]
pub fn ln(x: f64) -> f64 {
    if (f64::MIN_POSITIVE..f64::INFINITY).contains(&x) {
        ln_of_normal(x)
    } else {
        special(x)
    }
}

/// Logarithm of any other number: subnormal, zero, negative, infinite or NaN.
#[cold]
fn special(x: f64) -> f64 {
    libm::log(x)
}

/// Natural logarithm of a normal positive number; the result is arbitrary for all others.
#[inline(always)]
pub fn ln_of_normal<T: Real>(x: T) -> T {
    let [k, m] = x.split();
    sum(k, m - 1.0)
}

/// Natural logarithm of a normal positive number `j` whose `j^2 - 1 = grown` is known: more exact
/// near `j = 1`.
#[inline(always)]
pub fn ln_of_root<T: Real>(j: T, grown: T) -> T {
    let [k, m] = j.split();
    let size = grown * grown;
    let limit = LOG_NEAR_ONE * LOG_NEAR_ONE;

    // Near 1, ln j = ln (1 + grown) / 2. Both results are sums of one form with other arguments.
    let ln = sum(
        size.if_below(limit, k.constant(0.0), k),
        size.if_below(limit, grown, m - 1.0),
    );
    size.if_below(limit, ln * 0.5, ln)
}

/// Sum `k ln 2 + ln (1 + f)` with `1 + f` from `1/sqrt 2` to `sqrt 2`.
///
/// With `s = f / (2 + f)` the logarithm is `2 atanh s = 2 s + s r`, `r = 2 (s^2/3 + s^4/5 + ...)`.
/// Since `2 s = f - f^2/2 + s f^2/2`, only small terms are rounded. Ten terms suffice: `s^2` is
/// below 0.0295.
#[inline(always)]
fn sum<T: Real>(k: T, f: T) -> T {
    // Argument of the series, its square, and half the square of f.
    let s = f / (f + 2.0);
    let z = s * s;
    let half = f * f * 0.5;

    // Terms in groups, so that products do not wait for each other.
    let z2 = z * z;
    let z4 = z2 * z2;
    let first = pair(3.0, z) + z2 * pair(7.0, z);
    let second = pair(11.0, z) + z2 * pair(15.0, z);
    let r = z * (first + z4 * (second + z4 * pair(19.0, z)));

    // The largest terms are added last.
    k * LN_2_HIGH - ((half - s * (half + r) - k * LN_2_LOW) - f)
}

/// Two terms of the series as a linear function of `z = s^2`: `2/n + 2/(n + 2) z`.
#[inline(always)]
fn pair<T: Real>(n: f64, z: T) -> T {
    z * (2.0 / (n + 2.0)) + 2.0 / n
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Distance of two numbers in units of the last place of `expected`.
    fn ulps(found: f64, expected: f64) -> f64 {
        (found - expected).abs() / (expected.abs() * f64::EPSILON).max(f64::MIN_POSITIVE)
    }

    proptest! {
        #[test]
        fn it_is_the_system_s_to_an_ulp(x in prop::num::f64::POSITIVE | prop::num::f64::NORMAL, y in 0.3_f64..3.0) {
            for x in [x.abs(), y] {
                prop_assert!(ulps(ln(x), x.ln()) <= 1.0, "{x}: {} {}", ln(x), x.ln());
            }
        }

        #[test]
        fn near_one_it_follows_what_is_known_of_the_square(f in -0.25_f64..0.25, e in -300..0, far in 2.0_f64..1e9) {
            for grown in [f, f * 10_f64.powi(e)] {
                let found = ln_of_root((1.0 + grown).sqrt(), grown);
                let expected = 0.5 * grown.ln_1p();
                prop_assert!(ulps(found, expected) <= 1.0, "{grown}: {found} {expected}");
            }
            for j in [far, 1.0 / far] {
                prop_assert_eq!(ln_of_root(j, j * j - 1.0), ln(j));
            }
        }
    }

    #[test]
    fn what_has_no_logarithm_has_none_here() {
        assert!(ln(-1.0).is_nan() && ln(f64::NAN).is_nan());
        assert_eq!(
            [ln(0.0), ln(f64::INFINITY), ln(1.0)],
            [f64::NEG_INFINITY, f64::INFINITY, 0.0]
        );
        assert!(ulps(ln(5e-324), 5e-324_f64.ln()) <= 1.0);
        assert!((LN_2_HIGH + LN_2_LOW - std::f64::consts::LN_2).abs() < 1e-20);
        assert!(LN_2_HIGH.to_bits().trailing_zeros() >= 20);
    }
}

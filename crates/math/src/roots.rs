//! Roots of quadratic polynomials, without cancellation.
//!
//! The area of a triangle and the distance of a point from a line are quadratic along a linear
//! motion. Their first root bounds a step, and it must never come out too late. The textbook
//! formula subtracts numbers that may be nearly equal; the form used here never does (Press et al.
//! 2007, "Numerical Recipes", section 5.6).

/// Smallest root of `a t^2 + b t + c` in `(0, limit]`, for `c > 0`, or `None`.
///
/// With `c > 0` the polynomial starts positive, so this is the first `t` at which it vanishes: the
/// time at which a gap closes or a triangle inverts. Nothing cancels in
/// `2c / (-b + sqrt(b^2 - 4ac))` for `b < 0`. For `b >= 0` a positive root needs `a < 0`, and
/// `(-b - sqrt(b^2 - 4ac)) / 2a` adds two numbers of one sign. Coefficients are scaled by a power
/// of two, so that `b^2` neither overflows nor vanishes.
///
/// The root is 0, the safe answer, if a coefficient is not finite or if `c` is not positive or
/// vanishes next to the others.
///
/// ```
/// use ipcsim_math::roots::first_positive_root;
/// let t = first_positive_root(1e-6, -1e6, 0.9, 1.0).unwrap();
/// assert!((t - 9e-7).abs() < 1e-19);
/// ```
pub fn first_positive_root(a: f64, b: f64, c: f64, limit: f64) -> Option<f64> {
    let largest = a.abs().max(b.abs()).max(c.abs());
    let all_finite = a.is_finite() && b.is_finite() && c.is_finite();
    if !all_finite || c <= 0.0 {
        return Some(0.0);
    }

    // Coefficients near one.
    let scale = power_of_two_near(largest);
    let a = a / scale;
    let b = b / scale;
    let c = c / scale;
    if c == 0.0 {
        return Some(0.0);
    }

    let discriminant = b * b - 4.0 * a * c;
    if discriminant < 0.0 {
        return None;
    }

    // The form of the root in which two numbers of one sign are added.
    let root = discriminant.sqrt();
    let t = if b < 0.0 {
        2.0 * c / (root - b)
    } else if a < 0.0 {
        (b + root) / (-2.0 * a)
    } else {
        return None;
    };
    (t > 0.0 && t <= limit).then_some(t)
}

/// Power of two at or below a positive, finite `value`, within the normal numbers. Divisions by it
/// are exact unless they underflow.
fn power_of_two_near(value: f64) -> f64 {
    const EXPONENT_BITS: u64 = 0x7ff0_0000_0000_0000;
    f64::from_bits(value.max(f64::MIN_POSITIVE).to_bits() & EXPONENT_BITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_root_that_naive_formulas_lose_is_found() {
        let t = first_positive_root(1e-6, -1e6, 0.9, 1.0).unwrap();
        assert!((t / 9e-7 - 1.0).abs() < 1e-12);
    }

    #[test]
    fn products_of_linear_factors_give_their_smallest_positive_root() {
        let roots = [-1e8, -3.0, -1e-9, 1e-12, 1e-3, 0.5, 0.999, 7.0, 1e9];
        for &r in &roots {
            for &s in &roots {
                let sign = if r * s > 0.0 { 1.0 } else { -1.0 };
                let b = -sign * (r + s);
                let c = sign * r * s;
                let expected = [r, s]
                    .into_iter()
                    .filter(|&t| t > 0.0 && t <= 1.0)
                    .reduce(f64::min);

                let found = first_positive_root(sign, b, c, 1.0);
                match expected {
                    // r + s and r s are rounded, so a double root may split or disappear.
                    Some(t) if (r - s).abs() > 1e-6 * t => {
                        assert!((found.unwrap() / t - 1.0).abs() < 1e-9, "{r} {s} {found:?}");
                    }
                    None => assert_eq!(found, None, "{r} {s}"),
                    Some(_) => {}
                }
            }
        }
    }

    #[test]
    fn extremes_neither_overflow_nor_vanish() {
        assert!((first_positive_root(0.0, -1e300, 1e299, 1.0).unwrap() - 0.1).abs() < 1e-15);
        assert!((first_positive_root(1e200, -2e200, 0.75e200, 1.0).unwrap() - 0.5).abs() < 1e-12);
        assert!((first_positive_root(0.0, -4e-300, 1e-300, 1.0).unwrap() - 0.25).abs() < 1e-15);
        assert_eq!(first_positive_root(f64::NAN, 0.0, 1.0, 1.0), Some(0.0));
        assert_eq!(first_positive_root(0.0, 0.0, 1.0, 1.0), None);
        assert_eq!(first_positive_root(0.0, -1e300, 1e-300, 1.0), Some(0.0));
    }
}

//! Numbers with an exponent that does not overflow, for quotients of large integers.

use ipcsim_math::integer::Integer;

/// Number `f 2^exponent >= 0` with `f` between `2^63` and `2^66`, or zero.
#[derive(Clone, Copy)]
pub(super) struct Float {
    /// Factor `f`, rounded.
    f: f64,
    /// Power of two that the factor is multiplied by.
    exponent: i64,
}

impl Float {
    /// Magnitude of `x`.
    pub(super) fn from<const W: usize>(x: &Integer<W>) -> Self {
        let (f, exponent) = x.as_float();
        Self { f, exponent }
    }

    /// Square root. The exponent is made even first, and the factor brought back to its range.
    pub(super) fn sqrt(self) -> Self {
        let odd = self.exponent.rem_euclid(2);
        let f = if odd == 1 { 2.0 * self.f } else { self.f };
        Self {
            f: f.sqrt() * power_of_two(32),
            exponent: (self.exponent - odd) / 2 - 32,
        }
    }

    /// Sum, with the exponent of the larger number.
    pub(super) fn plus(self, other: Self) -> Self {
        let (large, small) = if self.exponent >= other.exponent {
            (self, other)
        } else {
            (other, self)
        };
        if large.f <= 0.0 {
            return small;
        }

        Self {
            f: large.f + small.f * power_of_two(small.exponent - large.exponent),
            ..large
        }
    }
}

/// Quotient `n / (n + m)` for `n > 0`; 0 below the normal numbers.
pub(super) fn share(n: Float, m: Float) -> f64 {
    1.0 / (1.0 + 16.0 * (m.f / n.f) * power_of_two(m.exponent - n.exponent - 4))
}

/// Power `2^k`; 0 or infinity outside of the normal numbers.
fn power_of_two(k: i64) -> f64 {
    match u64::try_from(k + 1023) {
        Err(_) | Ok(0) => 0.0,
        Ok(biased) if biased > 2046 => f64::INFINITY,
        Ok(biased) => f64::from_bits(biased << 52),
    }
}

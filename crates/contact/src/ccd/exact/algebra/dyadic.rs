//! Doubles taken apart into an odd integer and a power of two.

use ipcsim_math::integer::Integer;

/// A double as `mantissa 2^exponent` with an odd mantissa, or zero.
#[derive(Clone, Copy)]
pub(super) struct Dyadic {
    /// True if the number is below zero.
    negative: bool,
    /// Odd integer below `2^53`; 0 for zero.
    pub(super) mantissa: u64,
    /// Power of two of the mantissa's lowest bit.
    pub(super) exponent: i32,
}

impl Dyadic {
    /// A finite double, without rounding.
    pub(super) fn new(value: f64) -> Self {
        let bits = value.to_bits();
        let biased = bits >> 52 & 0x7ff;
        let fraction = bits & ((1 << 52) - 1);

        // Numbers below the normal ones have no hidden bit.
        let mantissa = if biased == 0 {
            fraction
        } else {
            fraction | 1 << 52
        };
        let zeros = if mantissa == 0 {
            0
        } else {
            mantissa.trailing_zeros()
        };

        let exponent = i32::try_from(biased.max(1) + u64::from(zeros)).unwrap_or(0) - 1075;
        Self {
            negative: value < 0.0,
            mantissa: mantissa >> zeros,
            exponent,
        }
    }

    /// Number of bits of the mantissa.
    pub(super) fn bits(self) -> i32 {
        i32::try_from(64 - self.mantissa.leading_zeros()).unwrap_or(64)
    }

    /// The number as a multiple of `2^lowest`, which is at most the exponent.
    pub(super) fn integer<const W: usize>(self, lowest: i32) -> Integer<W> {
        let shift = usize::try_from(self.exponent - lowest).unwrap_or(0);
        Integer::shifted(self.negative, self.mantissa, shift)
    }
}

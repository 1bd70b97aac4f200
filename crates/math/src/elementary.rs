//! Sines, exponentials, logarithms and the rest, with the same bits on every machine.
//!
//! The functions of `std` call the system's library, which chooses its formulas by processor and
//! changes from version to version, and those that `std` makes itself change with the compiler. So
//! what a step or a scene computes uses the functions here: of the crate `libm` (a translation of
//! musl to Rust) at one pinned version, whose sums and products are rounded one by one. Square roots,
//! remainders and roundings to integers are exact in `std` by IEEE 754, and are taken from there.
//!
//! A lint refuses the functions of `std` in all crates that a step runs (`clippy.toml`).

use nalgebra::Rotation2;

pub use crate::log::ln;
pub use libm::{acos, asin, asinh, atan, atan2, cos, cosh, exp, exp2, hypot, log2, log10};
pub use libm::{expm1 as exp_m1, log1p as ln_1p, pow as powf, sincos as sin_cos};
pub use libm::{sin, sinh, tan, tanh};

/// Power `x^n` by repeated squares (Knuth, "The Art of Computer Programming", section 4.6.3), of the
/// reciprocal at the end where `n` is negative.
#[inline]
pub fn powi(x: f64, n: i32) -> f64 {
    let mut left = n.unsigned_abs();
    let mut square = x;
    let mut power = 1.0;
    while left > 0 {
        if left & 1 == 1 {
            power *= square;
        }
        square *= square;
        left >>= 1;
    }
    if n < 0 { 1.0 / power } else { power }
}

/// Rotation by an angle (rad), counter-clockwise.
#[inline]
pub fn rotation(angle: f64) -> Rotation2<f64> {
    let (sine, cosine) = sin_cos(angle);
    Rotation2::from_matrix_unchecked(crate::Mat2::new(cosine, -sine, sine, cosine))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Vec2;

    #[test]
    fn bits_are_those_of_the_pinned_version() {
        // By the crate libm 0.2.16; another version, compiler or processor may not change them.
        let found = [
            sin(0.7),
            cos(100.3),
            tan(1.2),
            asin(0.3),
            acos(-0.2),
            atan(2.5),
            atan2(-1.0, 3.0),
            sinh(1.1),
            cosh(0.4),
            tanh(0.6),
            asinh(2.0),
            exp(-3.3),
            exp_m1(1e-3),
            exp2(0.4),
            ln(7.7),
            ln_1p(-0.02),
            log10(42.0),
            log2(42.0),
            powf(1.7, 2.3),
            powi(1.7, -5),
            hypot(0.3, 0.4),
        ];
        let bits = found.iter().fold(0_u64, |sum, value| {
            (sum ^ value.to_bits()).wrapping_mul(0x0100_0000_01b3)
        });
        assert_eq!(bits, 17_860_254_420_474_302_724, "{found:?}");
    }

    #[test]
    fn powers_and_rotations_are_what_they_say() {
        assert_eq!(powi(3.0, 4), 81.0);
        assert_eq!(powi(2.0, -3), 0.125);
        assert_eq!(powi(0.3, 0), 1.0);
        let turned = rotation(std::f64::consts::FRAC_PI_2) * Vec2::x();
        assert!((turned - Vec2::y()).norm() < 1e-16);
    }
}

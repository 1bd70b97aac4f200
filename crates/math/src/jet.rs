//! Numbers that know their first and second derivatives in three variables.
//!
//! An energy that is written once, as a formula of [`Jet`]s, comes with its exact gradient and
//! Hessian: every operation carries them along by the product and the chain rule (Griewank, Walther
//! 2008, "Evaluating Derivatives", chapter 3). Laws of materials use them, whose derivatives by hand
//! are long and easily wrong.

use crate::elementary::{exp_m1, ln_1p};
use std::ops::{Add, Mul, Neg, Sub};

/// Places of the second derivatives in [`Jet::curves`]: the pairs of variables, row by row of the
/// upper triangle.
const PAIRS: [(usize, usize); 6] = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)];

/// Value of a function of three variables, with its derivatives there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jet {
    /// Value of the function.
    pub value: f64,
    /// First derivatives, `[3]`.
    pub slopes: [f64; 3],
    /// Second derivatives, the upper triangle row by row: `[00, 01, 02, 11, 12, 22]`.
    pub curves: [f64; 6],
}

impl Jet {
    /// A constant: all derivatives are 0.
    pub fn constant(value: f64) -> Self {
        Self {
            value,
            slopes: [0.0; 3],
            curves: [0.0; 6],
        }
    }

    /// Variable `k` itself, of 0 to 2, at this value: a slope of 1 along its own axis.
    pub fn variable(k: usize, value: f64) -> Self {
        let mut slopes = [0.0; 3];
        if let Some(slope) = slopes.get_mut(k) {
            *slope = 1.0;
        }
        Self {
            value,
            slopes,
            curves: [0.0; 6],
        }
    }

    /// Function `f` of this number, whose value and first two derivatives here are given.
    #[must_use]
    fn through(self, [value, slope, curve]: [f64; 3]) -> Self {
        // The chain rule: f(g) has the second derivatives f' g_ij + f'' g_i g_j.
        let mut curves = self.curves.map(|c| c * slope);
        for (c, (i, j)) in curves.iter_mut().zip(PAIRS) {
            *c += curve * self.slopes[i] * self.slopes[j];
        }
        Self {
            value,
            slopes: self.slopes.map(|s| s * slope),
            curves,
        }
    }

    /// Square of the number.
    #[must_use]
    pub fn squared(self) -> Self {
        self * self
    }

    /// `ln(1 + x)`, exact to rounding where `x` is small; NaN for `x < -1`.
    #[must_use]
    pub fn ln_1p(self) -> Self {
        let inverse = (1.0 + self.value).recip();
        self.through([ln_1p(self.value), inverse, -inverse * inverse])
    }

    /// `e^x - 1`, exact to rounding where `x` is small.
    #[must_use]
    pub fn exp_m1(self) -> Self {
        let grown = exp_m1(self.value);
        self.through([grown, grown + 1.0, grown + 1.0])
    }
}

impl Add for Jet {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            value: self.value + other.value,
            slopes: std::array::from_fn(|k| self.slopes[k] + other.slopes[k]),
            curves: std::array::from_fn(|k| self.curves[k] + other.curves[k]),
        }
    }
}

impl Add<f64> for Jet {
    type Output = Self;

    fn add(self, other: f64) -> Self {
        Self {
            value: self.value + other,
            ..self
        }
    }
}

impl Neg for Jet {
    type Output = Self;

    fn neg(self) -> Self {
        self * -1.0
    }
}

impl Sub for Jet {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul<f64> for Jet {
    type Output = Self;

    fn mul(self, factor: f64) -> Self {
        Self {
            value: self.value * factor,
            slopes: self.slopes.map(|s| s * factor),
            curves: self.curves.map(|c| c * factor),
        }
    }
}

impl Mul for Jet {
    type Output = Self;

    /// Product rule: `(f g)_ij = f_ij g + f g_ij + f_i g_j + f_j g_i`.
    fn mul(self, other: Self) -> Self {
        let mut curves = [0.0; 6];
        for (k, (i, j)) in PAIRS.into_iter().enumerate() {
            curves[k] = self.curves[k] * other.value
                + self.value * other.curves[k]
                + self.slopes[i] * other.slopes[j]
                + self.slopes[j] * other.slopes[i];
        }
        Self {
            value: self.value * other.value,
            slopes: std::array::from_fn(|k| {
                self.slopes[k] * other.value + self.value * other.slopes[k]
            }),
            curves,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares two lists of numbers to 1e-14 of their size.
    fn same(found: &[f64], expected: &[f64]) {
        for (found, expected) in found.iter().zip(expected) {
            let bound = 1e-14 * (1.0 + expected.abs());
            assert!((found - expected).abs() < bound, "{found} {expected}");
        }
    }

    #[test]
    fn a_polynomial_has_the_derivatives_of_its_closed_form() {
        // f = x^2 y - 3 z + x z at (2, 3, 5).
        let [x, y, z] = [2.0, 3.0, 5.0];
        let [a, b, c] = [
            Jet::variable(0, x),
            Jet::variable(1, y),
            Jet::variable(2, z),
        ];
        let f = a.squared() * b - c * 3.0 + a * c;
        assert_eq!(f.value, x * x * y - 3.0 * z + x * z);
        assert_eq!(f.slopes, [2.0 * x * y + z, x * x, x - 3.0]);
        assert_eq!(f.curves, [2.0 * y, 2.0 * x, 1.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn functions_have_the_derivatives_of_their_closed_forms() {
        // g = x y has slopes (y, x) and one mixed curve.
        let [x, y] = [0.7, 0.4];
        let g = Jet::variable(0, x) * Jet::variable(1, y);
        let p = x * y;
        for (f, [value, slope, curve]) in [
            (g.ln_1p(), [p.ln_1p(), 1.0 / (1.0 + p), -(1.0 + p).powi(-2)]),
            (g.exp_m1(), [p.exp_m1(), p.exp(), p.exp()]),
        ] {
            same(&[f.value], &[value]);
            same(&f.slopes, &[slope * y, slope * x, 0.0]);
            let mixed = slope + curve * x * y;
            same(
                &f.curves,
                &[curve * y * y, mixed, 0.0, curve * x * x, 0.0, 0.0],
            );
        }
    }

    #[test]
    fn a_constant_has_no_derivatives_and_no_fourth_variable_exists() {
        assert_eq!(Jet::variable(3, 2.0), Jet::constant(2.0));
    }
}

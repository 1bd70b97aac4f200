//! Numbers of a quantity as text, the same in tables and on the page.
//!
//! Errors are `got / expected - 1` for relative tolerances and for what is only reported, and
//! `got - expected` for absolute ones, so that a positive error is a value that is too large. For an inequality the error is what lies
//! beyond the limit.

use crate::quantity::{Bound, Quantity};

/// Digits of expected and measured values.
const DIGITS: usize = 6;

/// A value with six significant digits and without zeros at the end: `0.27694`, `1.2e-9`.
pub fn number(value: f64) -> String {
    let exact = format!("{value:.*e}", DIGITS - 1);
    let rounded: f64 = exact.parse().unwrap_or(value);
    if rounded == 0.0 || (1e-4..1e6).contains(&rounded.abs()) {
        format!("{rounded}")
    } else {
        format!("{rounded:e}")
    }
}

/// Error of a quantity with two digits and its sign; a dash for an inequality that holds.
pub fn error(quantity: &Quantity) -> String {
    let error = quantity.error();
    match quantity.bound {
        Bound::AtMost | Bound::AtLeast if error == 0.0 => "-".to_owned(),
        Bound::Relative(_) | Bound::Absolute(_) if error == 0.0 => "0".to_owned(),
        _ => format!("{error:+.1e}"),
    }
}

/// Tolerance of a quantity: `1e-5 rel`, `1e-9 abs`, `at most`, `at least`, `reported`.
pub fn bound(quantity: &Quantity) -> String {
    match quantity.bound {
        Bound::Relative(tolerance) => format!("{tolerance:e} rel"),
        Bound::Absolute(tolerance) => format!("{tolerance:e} abs"),
        Bound::AtMost => "at most".to_owned(),
        Bound::AtLeast => "at least".to_owned(),
        Bound::Reported => "reported".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_six_digits_and_lose_zeros() {
        let texts = [0.276_939_42, 1.0, 0.0, -1234.5, 1.2e-9, 2e7, 123_456.78].map(number);
        assert_eq!(
            texts,
            ["0.276939", "1", "0", "-1234.5", "1.2e-9", "2e7", "123457"]
        );
    }

    #[test]
    fn errors_have_a_sign_and_tolerances_their_kind() {
        let texts = |quantity: Quantity| [error(&quantity), bound(&quantity)];
        let near = Quantity::relative("", "1", 2.0, 2.02, 0.05);
        assert_eq!(texts(near), ["+1.0e-2", "5e-2 rel"]);
        let exact = Quantity::absolute("", "1", 2.0, 2.0, 1e-9);
        assert_eq!(texts(exact), ["0", "1e-9 abs"]);
        let below = Quantity::at_most("", "1", 2.0, 1.0);
        assert_eq!(texts(below), ["-", "at most"]);
    }
}

//! Numbers with units, read from text: `20 mm`, `210 GPa`, `7.8 g/cm^3`, `30 deg`.
//!
//! ```text
//! quantity = number unit
//! unit     = factor (("*" | "/" | " ") factor)*      "/" is for the next factor only
//! factor   = name ("^"? whole number)?
//! ```
//!
//! Most units are powers of ten of SI units. Their numbers become SI numbers by a shift of the decimal
//! point in the text, so that `20 mm` is the number that `0.02` is, to the last bit. Other units with
//! decimal factors, as the inch, are multiplied exactly and rounded once; the rest, as km/h, is one product.
//!
//! | text | number in SI |
//! |---|---|
//! | `20 mm` | 0.02 m |
//! | `1 N/mm^2` | 1e6 Pa |
//! | `7.85e-9 t/mm3` | 7850 kg/m^3 |
//! | `1 in` | 0.0254 m |
//! | `10 rpm` | 60 degrees/s |
//!
//! ```
//! use ipcsim_math::units::{Unit, split_number};
//!
//! let (number, unit) = split_number("20 mm").unwrap();
//! let unit = Unit::read(unit)?;
//! assert_eq!(unit.convert(number, &Unit::read("m")?), 0.02);
//! # Ok::<(), ipcsim_math::units::UnitError>(())
//! ```
//!
//! Angles are in degrees where a dimension has degrees, and in radians elsewhere: `5 N m/deg` is a torque
//! for each radian.

use std::f64::consts::PI;
use thiserror::Error;

/// Powers of metre, kilogram, second, kelvin and degree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dimension(pub [i32; 5]);

/// A unit: its dimension, and its size in units of SI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Powers of metre, kilogram, second and kelvin; the power of the degree is 0.
    dimension: Dimension,
    /// Power of the degree.
    degrees: i32,
    /// Power of the radian.
    radians: i32,
    /// Size: this over `denominator`, times a power of ten.
    numerator: u64,
    /// Denominator of the size.
    denominator: u64,
    /// Power of ten of the size.
    decimals: i32,
}

/// A text without a unit.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{0}")]
pub struct UnitError(String);

/// Largest power of a factor.
const MOST_POWER: i32 = 9;

/// Largest power of ten of a size.
const MOST_DECIMALS: i32 = 300;

/// Number of digits that are multiplied exactly.
const DIGITS: usize = 18;

/// Prefixes and their powers of ten.
const PREFIXES: [(&str, i32); 11] = [
    ("n", -9),
    ("u", -6),
    ("\u{b5}", -6),
    ("\u{3bc}", -6),
    ("m", -3),
    ("c", -2),
    ("d", -1),
    ("h", 2),
    ("k", 3),
    ("M", 6),
    ("G", 9),
];

/// A name of a unit.
struct Named {
    /// Names.
    names: &'static [&'static str],
    /// Powers of metre, kilogram, second, kelvin, degree and radian.
    powers: [i32; 6],
    /// Size: a whole number times a power of ten.
    size: (u64, i32),
    /// True if it takes prefixes.
    has_prefixes: bool,
}

/// A unit with prefixes.
const fn si(names: &'static [&'static str], powers: [i32; 6], decimals: i32) -> Named {
    Named {
        names,
        powers,
        size: (1, decimals),
        has_prefixes: true,
    }
}

/// A unit without prefixes.
const fn plain(names: &'static [&'static str], powers: [i32; 6], size: (u64, i32)) -> Named {
    Named {
        names,
        powers,
        size,
        has_prefixes: false,
    }
}

/// All units.
const UNITS: [Named; 26] = [
    si(&["m"], [1, 0, 0, 0, 0, 0], 0),
    si(&["g"], [0, 1, 0, 0, 0, 0], -3),
    si(&["s"], [0, 0, 1, 0, 0, 0], 0),
    si(&["K"], [0, 0, 0, 1, 0, 0], 0),
    si(&["N"], [1, 1, -2, 0, 0, 0], 0),
    si(&["Pa"], [-1, 1, -2, 0, 0, 0], 0),
    si(&["J"], [2, 1, -2, 0, 0, 0], 0),
    si(&["W"], [2, 1, -3, 0, 0, 0], 0),
    si(&["Hz"], [0, 0, -1, 0, 0, 0], 0),
    si(&["bar"], [-1, 1, -2, 0, 0, 0], 5),
    si(&["rad"], [0, 0, 0, 0, 0, 1], 0),
    plain(&["t", "tonne"], [0, 1, 0, 0, 0, 0], (1, 3)),
    plain(&["l", "L"], [3, 0, 0, 0, 0, 0], (1, -3)),
    plain(
        &["deg", "degree", "degrees", "\u{b0}"],
        [0, 0, 0, 0, 1, 0],
        (1, 0),
    ),
    plain(&["turn", "turns", "rev"], [0, 0, 0, 0, 1, 0], (36, 1)),
    plain(&["rpm"], [0, 0, -1, 0, 1, 0], (6, 0)),
    plain(&["%", "percent"], [0; 6], (1, -2)),
    plain(&["min"], [0, 0, 1, 0, 0, 0], (6, 1)),
    plain(&["h"], [0, 0, 1, 0, 0, 0], (36, 2)),
    plain(&["in", "inch"], [1, 0, 0, 0, 0, 0], (254, -4)),
    plain(&["ft", "foot", "feet"], [1, 0, 0, 0, 0, 0], (3048, -4)),
    plain(&["lb"], [0, 1, 0, 0, 0, 0], (45_359_237, -8)),
    plain(&["kgf"], [1, 1, -2, 0, 0, 0], (980_665, -5)),
    plain(&["lbf"], [1, 1, -2, 0, 0, 0], (44_482_216_152_605, -13)),
    plain(&["psi"], [-1, 1, -2, 0, 0, 0], (6_894_757_293_168, -9)),
    plain(&["pixel", "pixels"], [0; 6], (1, 0)),
];

impl Unit {
    /// The number 1 as a unit.
    pub const ONE: Self = Self {
        dimension: Dimension([0; 5]),
        degrees: 0,
        radians: 0,
        numerator: 1,
        denominator: 1,
        decimals: 0,
    };

    /// Reads a unit; "1" is the unit of plain numbers.
    ///
    /// # Errors
    /// [`UnitError`] with the first unknown name.
    pub fn read(text: &str) -> Result<Self, UnitError> {
        let text = text.trim();
        if text == "1" {
            return Ok(Self::ONE);
        }
        let mut unit = Self::ONE;
        let mut rest = text;
        let mut sign = 1;
        if let Some(below) = text.strip_prefix("1/") {
            rest = below.trim_start();
            sign = -1;
        }
        loop {
            let (factor, after) = Self::factor(rest)?;
            unit = unit.times(&factor.power(sign)?)?;
            rest = after.trim_start();
            let Some(operation) = rest.chars().next() else {
                return Ok(unit);
            };
            sign = if operation == '/' { -1 } else { 1 };
            if ['/', '*', '\u{b7}'].contains(&operation) {
                rest = rest[operation.len_utf8()..].trim_start();
            }
        }
    }

    /// Reads a factor at the beginning of a text; returns the text after it.
    ///
    /// # Errors
    /// [`UnitError`] if there is none.
    fn factor(text: &str) -> Result<(Self, &str), UnitError> {
        let is_part = |c: char| c.is_alphabetic() || ['%', '\u{b0}', '\u{b5}'].contains(&c);
        let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
        let (name, rest) = text.split_at(end);
        let named = Self::named(name).ok_or_else(|| unknown(name, text))?;

        // A power, as in m^2, m2 or m².
        let (power, rest) = match rest.chars().next() {
            Some('\u{b2}') => (2, &rest['\u{b2}'.len_utf8()..]),
            Some('\u{b3}') => (3, &rest['\u{b3}'.len_utf8()..]),
            _ => {
                let digits = rest.strip_prefix('^').unwrap_or(rest);
                let sign = usize::from(digits.starts_with('-'));
                let count = digits[sign..]
                    .chars()
                    .take_while(char::is_ascii_digit)
                    .count();
                let (digits, after) = digits.split_at(sign + count);
                match (count, rest.starts_with('^')) {
                    (0, true) => {
                        let message = format!("a whole number is missing after \"{name}^\"");
                        return Err(UnitError(message));
                    }
                    (0, false) => (1, rest),
                    _ => (digits.parse().unwrap_or(i32::MAX), after),
                }
            }
        };
        Ok((named.power(power)?, rest))
    }

    /// Unit of this name, with a prefix or without.
    fn named(name: &str) -> Option<Self> {
        let own = |name: &str| UNITS.iter().find(|unit| unit.names.contains(&name));
        if let Some(unit) = own(name) {
            return Some(Self::of(unit, 0));
        }
        let mut prefixes = PREFIXES.iter();
        prefixes.find_map(|(prefix, decimals)| {
            let unit = own(name.strip_prefix(prefix)?)?;
            unit.has_prefixes.then(|| Self::of(unit, *decimals))
        })
    }

    /// True if a word is the name of a unit.
    pub fn is_name(name: &str) -> bool {
        Self::named(name).is_some()
    }

    /// A unit of the table with a prefix.
    fn of(named: &Named, decimals: i32) -> Self {
        let [m, kg, s, kelvin, degrees, radians] = named.powers;
        Self {
            dimension: Dimension([m, kg, s, kelvin, 0]),
            degrees,
            radians,
            numerator: named.size.0,
            denominator: 1,
            decimals: named.size.1 + decimals,
        }
    }

    /// Product of two units.
    ///
    /// # Errors
    /// [`UnitError`] if the size is too large for its numbers.
    pub fn times(&self, other: &Self) -> Result<Self, UnitError> {
        let too_large = || UnitError("the unit has too large a factor".to_owned());
        let sum = std::array::from_fn(|k| self.dimension.0[k] + other.dimension.0[k]);
        let product = |a: u64, b: u64| a.checked_mul(b).ok_or_else(too_large);
        let decimals = self.decimals + other.decimals;
        if decimals.abs() > MOST_DECIMALS {
            return Err(too_large());
        }
        Ok(Self {
            dimension: Dimension(sum),
            degrees: self.degrees + other.degrees,
            radians: self.radians + other.radians,
            numerator: product(self.numerator, other.numerator)?,
            denominator: product(self.denominator, other.denominator)?,
            decimals,
        })
    }

    /// Power of a unit.
    ///
    /// # Errors
    /// [`UnitError`] if the power is larger than 9, or the size too large for its numbers.
    pub fn power(&self, power: i32) -> Result<Self, UnitError> {
        if power.abs() > MOST_POWER {
            let message = format!("a unit has a power of at most {MOST_POWER}");
            return Err(UnitError(message));
        }
        let inverse = Self {
            dimension: Dimension(self.dimension.0.map(|power| -power)),
            degrees: -self.degrees,
            radians: -self.radians,
            numerator: self.denominator,
            denominator: self.numerator,
            decimals: -self.decimals,
        };
        let factor = if power < 0 { &inverse } else { self };
        let mut product = Self::ONE;
        for _ in 0..power.abs() {
            product = product.times(factor)?;
        }
        Ok(product)
    }

    /// Dimension, with degrees and radians as angles.
    pub fn dimension(&self) -> Dimension {
        let mut powers = self.dimension.0;
        powers[4] = self.degrees + self.radians;
        Dimension(powers)
    }

    /// The unit of SI of the same dimension.
    #[must_use]
    pub fn in_si(&self) -> Self {
        Self {
            numerator: 1,
            denominator: 1,
            decimals: 0,
            ..*self
        }
    }

    /// True if numbers in this unit are numbers in `other`, up to a factor. Where `other` has no angle,
    /// angles are in radians.
    pub fn measures(&self, other: &Self) -> bool {
        let angle = other.degrees + other.radians;
        self.dimension == other.dimension && (angle == 0 || angle == self.degrees + self.radians)
    }

    /// A number in this unit, as the number in `other`, a unit of SI or of degrees that it
    /// [measures](Self::measures). `text` is the number's text.
    pub fn convert(&self, text: &str, other: &Self) -> f64 {
        // Angles to degrees or to radians.
        let turns = if other.degrees + other.radians == 0 {
            -self.degrees
        } else {
            self.radians
        };
        let decimals = self.decimals - other.decimals;
        if turns == 0
            && self.denominator == 1
            && let Some(exact) = product(text, self.numerator, decimals)
        {
            return exact;
        }
        let number: f64 = text.parse().unwrap_or(f64::NAN);
        let decimal: f64 = format!("{}e{decimals}", self.numerator)
            .parse()
            .unwrap_or(f64::NAN);
        let mut factor = decimal / self.denominator as f64;
        for _ in 0..turns.abs() {
            factor = if turns > 0 {
                factor * (180.0 / PI)
            } else {
                factor * (PI / 180.0)
            };
        }
        number * factor
    }
}

/// Error of an unknown name.
fn unknown(name: &str, text: &str) -> UnitError {
    let message = if name.is_empty() {
        let found: String = text.chars().take(1).collect();
        if found.is_empty() {
            "the unit ends after an operation".to_owned()
        } else {
            format!("found \"{found}\" where a unit should be")
        }
    } else {
        let small = UNITS.iter().flat_map(|unit| unit.names);
        let near = small
            .copied()
            .find(|known| known.eq_ignore_ascii_case(name));
        let near = near.map_or_else(String::new, |near| format!("; did you mean \"{near}\"?"));
        format!(
            "\"{name}\" is not a unit{near}{}",
            if near.is_empty() {
                "; units are m, g, s, N, Pa, J, W, K, Hz, bar, t, deg, rad, rpm, in, ft, lb, lbf, psi, \
                 min, h and %, with prefixes as in mm, kN and GPa"
            } else {
                ""
            }
        )
    };
    UnitError(message)
}

/// A number times a whole number and a power of ten, rounded once; `None` if it has too many digits to be
/// exact.
fn product(text: &str, factor: u64, decimals: i32) -> Option<f64> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let exponent = exponent.checked_add(decimals)?;
    if factor == 1 {
        // Only the decimal point moves.
        return format!("{mantissa}e{exponent}").parse().ok();
    }

    let (sign, digits) = match mantissa.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", mantissa.strip_prefix('+').unwrap_or(mantissa)),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.len() + part.len() > DIGITS {
        return None;
    }
    let digits: u128 = format!("0{whole}{part}").parse().ok()?;
    let exponent = exponent.checked_sub(i32::try_from(part.len()).ok()?)?;
    let product = digits.checked_mul(u128::from(factor))?;
    format!("{sign}{product}e{exponent}").parse().ok()
}

/// The text of a number at the beginning of a text, and what follows it; `None` if there is none.
pub fn split_number(text: &str) -> Option<(&str, &str)> {
    let bytes = text.as_bytes();
    let digits = |from: usize| {
        bytes[from..]
            .iter()
            .take_while(|c| c.is_ascii_digit())
            .count()
    };
    let mut end = usize::from(text.starts_with(['-', '+']));
    let whole = digits(end);
    end += whole;
    let mut part = 0;
    if bytes.get(end) == Some(&b'.') {
        part = digits(end + 1);
        end += 1 + part;
    }
    if whole + part == 0 {
        return None;
    }

    // An exponent has digits: the e of "5 eV" is none.
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'-' | b'+')));
        let count = digits((end + 1 + sign).min(bytes.len()));
        if count > 0 {
            end += 1 + sign + count;
        }
    }
    Some(text.split_at(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Number of a text in a unit of SI.
    fn value(text: &str, key: &str) -> Result<f64, String> {
        let (number, unit) = split_number(text).unwrap();
        let unit = Unit::read(unit).map_err(|error| error.to_string())?;
        let key = Unit::read(key).unwrap();
        if !unit.measures(&key) {
            return Err("dimension".to_owned());
        }
        Ok(unit.convert(number, &key))
    }

    #[test]
    fn decimal_units_move_the_point_to_the_last_bit() {
        for (text, key, expected) in [
            ("20 mm", "m", 0.02),
            ("20mm", "m", 0.02),
            ("-.3e2 cm", "m", -0.3),
            ("210 GPa", "Pa", 210e9),
            ("7.8 g/cm^3", "kg/m^3", 7800.0),
            ("7.85e-9 t/mm3", "kg/m^3", 7850.0),
            ("1 N/mm\u{b2}", "Pa", 1e6),
            ("5 \u{b5}m", "m", 5e-6),
            ("0.1 kN m", "N m", 100.0),
            ("3 N*s/m", "N s/m", 3.0),
            ("12 %", "1", 0.12),
            ("2 kHz", "1/s", 2000.0),
            ("12e-6 1/K", "1/K", 12e-6),
            ("30 deg", "degrees", 30.0),
            ("10 rpm", "degrees/s", 60.0),
            ("1.5 turns", "degrees", 540.0),
            ("2 N m/rad", "N m", 2.0),
            ("1 in", "m", 0.0254),
            ("0.1 in", "m", 0.00254),
            ("3 lb", "kg", 1.360_777_11),
            ("2 min", "s", 120.0),
        ] {
            assert_eq!(value(text, key), Ok(expected), "{text}");
        }
        // All numbers of three digits are those of their SI twins.
        for k in 0..1000 {
            let expected: f64 = format!("0.{k:03}").parse().unwrap();
            assert_eq!(value(&format!("{k} mm"), "m"), Ok(expected));
        }
    }

    #[test]
    fn other_units_are_one_product() {
        assert_eq!(value("90 km/h", "m/s"), Ok(25.0));
        assert_eq!(value("3.141592653589793 rad", "degrees"), Ok(180.0));
        let found = value("1 N m/deg", "N m").unwrap();
        assert!((found - 180.0 / PI).abs() < 1e-13);
    }

    #[test]
    fn wrong_dimensions_and_names_are_refused() {
        assert_eq!(value("20 mm", "Pa"), Err("dimension".to_owned()));
        assert_eq!(value("20 deg", "m"), Err("dimension".to_owned()));
        assert_eq!(value("20 rad/s", "degrees"), Err("dimension".to_owned()));
        let message = value("20 MM", "m").unwrap_err();
        assert!(message.contains("\"MM\" is not a unit"), "{message}");
        let message = value("20 pa", "Pa").unwrap_err();
        assert!(message.contains("did you mean \"Pa\"?"), "{message}");
        assert!(value("20 m^", "m").unwrap_err().contains("missing"));
        assert!(value("20 m/", "m").unwrap_err().contains("ends"));
        assert!(value("20 m^99", "m").unwrap_err().contains("at most"));
        assert_eq!(split_number("fast"), None);
        assert_eq!(split_number("5em"), Some(("5", "em")));
    }
}

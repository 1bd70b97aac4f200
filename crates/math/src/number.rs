//! Numbers for people: round steps, unit prefixes, few digits.
//!
//! Scale bars and axes need numbers like 0.2 or 50 ([`round_down`], [`round_up`], [`Ticks`]).
//! Legends need three digits and a unit with a prefix ([`with_unit`]), and messages of the terminal
//! four digits ([`short`]). Pictures use the real minus sign; text that programs may read uses the
//! plain one.
//!
//! Powers of ten are read from text, since a product with a rounded power may miss the nearest
//! double.

/// Factor and sign of the prefixes of units, largest first.
use crate::elementary::log10;

const PREFIXES: [(f64, &str); 7] = [
    (1e9, "G"),
    (1e6, "M"),
    (1e3, "k"),
    (1.0, ""),
    (1e-3, "m"),
    (1e-6, "µ"),
    (1e-9, "n"),
];
/// Metres and name of the units of length, largest first.
const LENGTHS: [(f64, &str); 6] = [
    (1e3, "km"),
    (1.0, "m"),
    (1e-2, "cm"),
    (1e-3, "mm"),
    (1e-6, "µm"),
    (1e-9, "nm"),
];

/// Largest of 1, 2, 5 times a power of ten that is not above `limit`; 1 if `limit` is not positive
/// and finite.
#[inline]
pub fn round_down(limit: f64) -> f64 {
    family(limit)
        .rev()
        .find(|&step| step <= limit)
        .unwrap_or(1.0)
}

/// Smallest of 1, 2, 5 times a power of ten that is not below `limit`; 1 if `limit` is not positive
/// and finite.
#[inline]
pub fn round_up(limit: f64) -> f64 {
    family(limit)
        .find(|&step| step >= limit && step.is_finite())
        .unwrap_or(1.0)
}

/// Round numbers around `limit`, ascending: of its decade and of the two next to it. Around 1
/// if `limit` is not positive and finite.
fn family(limit: f64) -> impl DoubleEndedIterator<Item = f64> {
    let decade = if limit > 0.0 && limit.is_finite() {
        exponent(limit)
    } else {
        0
    };
    (decade - 1..=decade + 1).flat_map(|k| [1, 2, 5].map(|digit| decimal(digit, k)))
}

/// Power of ten at or below a positive number: `floor(log10 value)`.
#[allow(
    clippy::cast_possible_truncation,
    reason = "a logarithm of a double is between -324 and 309"
)]
fn exponent(value: f64) -> i32 {
    log10(value).floor() as i32
}

/// Powers of ten from `min` to `max`, ascending; none if `min` is not positive.
pub fn powers_of_ten(min: f64, max: f64) -> Vec<f64> {
    if !(min > 0.0 && max.is_finite() && min <= max) {
        return Vec::new();
    }
    let powers = exponent(min)..=exponent(max) + 1;
    let all = powers.map(|k| decimal(1, k));
    all.filter(|power| (min..=max).contains(power)).collect()
}

/// A power of ten as people write it: `10³`, `10⁻²`.
pub fn power_of_ten(value: f64) -> String {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digits = format!("{}", log10(value).round());
    let raised = digits.chars().map(|c| match c.to_digit(10) {
        Some(digit) => RAISED[digit as usize],
        None => '⁻',
    });
    std::iter::once("10".to_owned())
        .chain(raised.map(String::from))
        .collect()
}

/// Double nearest to `digit * 10^k`. Reading it as text rounds once, on every machine alike.
fn decimal(digit: u8, k: i32) -> f64 {
    format!("{digit}e{k}").parse().unwrap_or(f64::NAN)
}

/// Number of things, with the plural of their name where it is not 1: `1 body`, `2 bodies`.
///
/// Knows the plurals of nouns in messages: `-s`, `-es`, `-ies`, and `vertices`.
pub fn counted(count: usize, name: &str) -> String {
    if count == 1 {
        return format!("1 {name}");
    }
    if let Some(stem) = name.strip_suffix("ex") {
        return format!("{count} {stem}ices");
    }
    match name.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{count} {stem}ies"),
        _ if name.ends_with(['s', 'x']) => format!("{count} {name}es"),
        _ => format!("{count} {name}s"),
    }
}

/// Number with `decimals` digits after the point and a real minus sign, but never "minus zero".
pub fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");

    // A number without a digit other than 0 has no sign.
    let zero = text.bytes().all(|b| !b.is_ascii_digit() || b == b'0');
    if zero {
        text.replace('-', "")
    } else {
        text.replace('-', "−")
    }
}

/// Length as a scale bar shows it: `20 cm`.
///
/// `metres` is a number of the family of [`round_down`]. The unit is the largest with a value of at
/// least 1; lengths outside all units have a power of ten.
pub fn length(metres: f64) -> String {
    match LENGTHS
        .iter()
        .find(|(unit, _)| (1.0..1e6).contains(&(metres / unit)))
    {
        Some((unit, name)) => format!("{:.0} {name}", metres / unit),
        None => format!("{metres:e} m").replace('-', "−"),
    }
}

/// Factor that brings values up to `magnitude` near one, and the name of the unit with its prefix
/// or, if it takes none, with a power of ten.
///
/// Values from 0.1 to 10,000 keep the plain unit, with a factor of 1.
pub fn prefixed_unit(magnitude: f64, unit: &str) -> (f64, String) {
    let plain = magnitude <= 0.0 || !magnitude.is_finite() || (0.1..1e4).contains(&magnitude);

    // The first prefix with a value from 1 to 1000, or else a power of ten.
    let prefix = PREFIXES
        .iter()
        .find(|(factor, _)| (1.0..1e3).contains(&(magnitude / factor)));
    match prefix {
        _ if plain => (1.0, unit.to_owned()),
        Some((factor, name)) if takes_prefix(unit) => (*factor, format!("{name}{unit}")),
        _ => {
            // Smaller powers of ten are subnormal and have fewer digits.
            let k = exponent(magnitude).max(-307);
            (
                decimal(1, k),
                format!("1e{k} {unit}").trim_end().replace('-', "−"),
            )
        }
    }
}

/// True if the unit may get a prefix: one symbol, or several that are not separated by a space,
/// without a `k` in front. A prefix of a power would count as often as its symbol.
fn takes_prefix(unit: &str) -> bool {
    let is_power = unit.starts_with("m^");
    !unit.is_empty() && !is_power && !unit.starts_with('k') && !unit.contains(' ')
}

/// Value with three significant digits and its unit: `1.25 MPa`. Large values keep all digits
/// before the point.
pub fn with_unit(value: f64, unit: &str) -> String {
    let (factor, unit) = prefixed_unit(value.abs(), unit);
    let scaled = value / factor;

    // Two digits after the first one, but none before the point is dropped.
    let digits = if scaled.abs() > 0.0 && scaled.is_finite() {
        2 - exponent(scaled.abs())
    } else {
        0
    };
    let text = fixed(scaled, usize::try_from(digits).unwrap_or(0));

    // A power of ten belongs to the number and not to the unit.
    match unit.strip_prefix("1e") {
        Some(rest) => format!("{text}e{rest}"),
        None => format!("{text} {unit}").trim_end().to_owned(),
    }
}

/// Number with four significant digits: 0.05, 1250, 3.2e-7.
pub fn short(value: f64) -> String {
    let rounded: f64 = format!("{value:.3e}").parse().unwrap_or(value);
    if rounded == 0.0 || (1e-3..1e6).contains(&rounded.abs()) {
        format!("{rounded}")
    } else {
        format!("{rounded:e}")
    }
}

/// Amount of memory, given in bytes: `30 MB`, `45.6 GB`.
pub fn bytes(count: f64) -> String {
    match count / 1e9 {
        large if large >= 1e6 => format!("{large:.1e} GB"),
        medium if medium >= 0.1 => format!("{medium:.1} GB"),
        small => format!("{:.0} MB", small * 1e3),
    }
}

/// Marks along an axis, at multiples of a round step.
#[derive(Clone, Debug, PartialEq)]
pub struct Ticks {
    /// Places of the marks, ascending.
    pub values: Vec<f64>,
    /// Distance between marks, 1, 2 or 5 times a power of ten.
    pub step: f64,
    /// Number of digits after the point that tell the marks apart.
    pub decimals: usize,
}

impl Ticks {
    /// Marks within `[min, max]`, a finite interval, about `count` of them.
    ///
    /// If the interval is too short for doubles to tell such marks apart, the step is larger and
    /// there are fewer marks.
    #[allow(
        clippy::cast_possible_truncation,
        reason = "a step not below 1e-12 of the ends keeps the quotients small"
    )]
    pub fn between(min: f64, max: f64, count: usize) -> Self {
        // Doubles must tell the marks apart.
        let least = min.abs().max(max.abs()) * 1e-12;
        let step = round_up(((max - min) / count.max(1) as f64).max(least));

        // A mark at an end of the interval is kept although the quotient is rounded.
        let slack = 1e-9;
        let first = (min / step - slack).ceil() as i64;
        let last = (max / step + slack).floor() as i64;
        let decimals = usize::try_from(-exponent(step)).unwrap_or(0);
        Self {
            values: (first..=last).map(|i| i as f64 * step).collect(),
            step,
            decimals,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn round_numbers_are_next_to_the_limit_and_start_with_1_2_or_5(exponent in -300.0..300.0_f64) {
            let limit = 10.0_f64.powf(exponent);
            let below = round_down(limit);
            let above = round_up(limit);
            prop_assert!(below <= limit && limit <= above && above <= 2.5 * below * (1.0 + 1e-12));

            for value in [below, above] {
                let digits = format!("{value:e}");
                prop_assert!(["1e", "2e", "5e"].iter().any(|start| digits.starts_with(start)), "{}", digits);
            }
        }

        #[test]
        fn ticks_lie_in_the_interval_a_step_apart(a in -1e6..1e6_f64, span in 1e-3..1e6_f64) {
            let ticks = Ticks::between(a, a + span, 6);
            let near = 1e-8 * ticks.step;
            prop_assert!((2..=7).contains(&ticks.values.len()));
            prop_assert!(ticks.values.iter().all(|&t| a - near <= t && t <= a + span + near));
            prop_assert!(ticks.values[0] - a < ticks.step && a + span - ticks.values[ticks.values.len() - 1] < ticks.step);
        }
    }

    #[test]
    fn odd_limits_have_a_round_number_too() {
        assert!(
            [0.0, -1.0, f64::NAN, f64::INFINITY, f64::MAX, 5e-324]
                .iter()
                .all(|&x| round_down(x) > 0.0)
        );
        assert!(
            [0.0, -1.0, f64::NAN, f64::INFINITY, f64::MAX, 5e-324]
                .iter()
                .all(|&x| round_up(x) > 0.0)
        );
    }

    #[test]
    fn lengths_take_the_largest_fitting_unit() {
        let lengths = [5000.0, 500.0, 1.0, 0.2, 0.05, 0.005, 2e-5, 5e-8, 1e-12].map(length);
        assert_eq!(
            lengths,
            [
                "5 km",
                "500 m",
                "1 m",
                "20 cm",
                "5 cm",
                "5 mm",
                "20 µm",
                "50 nm",
                "1e−12 m"
            ]
        );
    }

    #[test]
    fn values_keep_three_digits_and_take_a_prefix() {
        assert_eq!(with_unit(1.254e6, "Pa"), "1.25 MPa");
        assert_eq!(with_unit(-3.2e-3, "m/s"), "−3.20 mm/s");
        assert_eq!(with_unit(0.0, "Pa"), "0 Pa");
        assert_eq!(with_unit(12.34, ""), "12.3");
        assert_eq!(with_unit(1.5e-12, "J"), "1.50e−12 J");
        assert_eq!(with_unit(2.5e-2, "m^3"), "2.50e−2 m^3");
        assert_eq!(with_unit(2.5e7, ""), "2.50e7");
        assert_eq!(with_unit(2.5e7, "kg m/s"), "2.50e7 kg m/s");
        assert_eq!(with_unit(f64::NAN, "Pa"), "NaN Pa");
    }

    #[test]
    fn nothing_is_minus_zero() {
        assert_eq!(
            (fixed(-0.001, 2), fixed(-1.5, 1)),
            ("0.00".to_owned(), "−1.5".to_owned())
        );
    }

    #[test]
    fn short_numbers_have_four_digits() {
        let shortened = [0.05, 0.123_456, -1250.0, 2e11, 3.2e-7, 0.0, 99_999.9].map(short);
        assert_eq!(
            shortened,
            ["0.05", "0.1235", "-1250", "2e11", "3.2e-7", "0", "100000"]
        );
    }

    #[test]
    fn amounts_of_memory_take_the_unit_that_fits() {
        let amounts = [3e7, 2e8, 4.56e10, 1e20].map(bytes);
        assert_eq!(amounts, ["30 MB", "0.2 GB", "45.6 GB", "1.0e11 GB"]);
    }

    #[test]
    fn powers_of_ten_are_those_of_the_range_and_are_written_with_raised_digits() {
        let written = |min, max| {
            let all = powers_of_ten(min, max);
            all.into_iter().map(power_of_ten).collect::<Vec<_>>()
        };
        assert_eq!(written(1e-2, 9.9), ["10⁻²", "10⁻¹", "10⁰"]);
        assert_eq!(written(2e9, 3e12), ["10¹⁰", "10¹¹", "10¹²"]);
        assert!(written(0.0, 1.0).is_empty() && written(2.0, 3.0).is_empty());
    }

    #[test]
    fn one_thing_is_singular_and_all_other_counts_are_plural() {
        let words = ["step", "body", "vertex", "way", "box", "Newton iteration"];
        let one = words.map(|word| counted(1, word));
        assert_eq!(one, words.map(|word| format!("1 {word}")));

        let many = words.map(|word| counted(0, word)).join(", ");
        let expected = "0 steps, 0 bodies, 0 vertices, 0 ways, 0 boxes, 0 Newton iterations";
        assert_eq!(many, expected);
    }
}

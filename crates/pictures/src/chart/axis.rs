//! Axes of a chart: range in a fitting unit, marks and label.
//!
//! An axis looks at all its values once. The largest magnitude decides the prefix of the unit, the
//! range and the wanted number of marks decide round steps between marks, and an axis that is to be
//! round is widened to the next marks. Values that are not finite are ignored.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};

use ipcsim_math::number::{self, Ticks};

/// Largest number of decades of a logarithmic axis.
const DECADES: f64 = 12.0;

/// Part of a step by which rounding may move the end of a range past a mark.
const SLACK: f64 = 1e-9;

/// An axis: range in a prefixed unit, marks and label.
#[derive(Clone, Debug)]
pub(super) struct Scale {
    /// Size of the prefixed unit in SI units.
    factor: f64,
    /// Lower end, in the prefixed unit.
    min: f64,
    /// Upper end, in the prefixed unit; above the lower end.
    max: f64,
    /// Marks, in the prefixed unit.
    ticks: Ticks,
    /// True if numbers on the axis are logarithms to base 10 of values.
    is_log: bool,
    /// Name and prefixed unit, `name [unit]`; the name alone for a pure number, nothing for an axis
    /// without a name.
    pub(super) label: String,
}

impl Scale {
    /// Axis around all finite `values` (SI units), with about `marks` marks; if `round`, it ends at
    /// marks.
    ///
    /// Without a finite value the range is 0 to 1. A range too narrow to be divided is widened.
    pub(super) fn of(
        (name, unit): (&str, &str),
        values: impl Iterator<Item = f64>,
        marks: usize,
        round: bool,
    ) -> Self {
        let mut low = f64::INFINITY;
        let mut high = f64::NEG_INFINITY;
        for value in values.filter(|v| v.is_finite()) {
            low = low.min(value);
            high = high.max(value);
        }
        if low > high {
            low = 0.0;
            high = 1.0;
        }

        // Marks first, then the ends, if these are marks.
        let (factor, unit) = number::prefixed_unit(low.abs().max(high.abs()), unit);
        let (mut min, mut max) = widened(low / factor, high / factor);
        let ticks = Ticks::between(min, max, marks);
        if round {
            min = (min / ticks.step + SLACK).floor() * ticks.step;
            max = (max / ticks.step - SLACK).ceil() * ticks.step;
        }

        let label = if unit.is_empty() || name.is_empty() {
            name.to_owned()
        } else {
            format!("{name} [{unit}]")
        };
        Self {
            factor,
            min,
            max,
            ticks: Ticks::between(min, max, marks),
            is_log: false,
            label,
        }
    }

    /// Logarithmic axis around all positive `values` (SI units), from one power of ten to another, over
    /// at most [`DECADES`] of them. Values that have no logarithm are left out.
    pub(super) fn log((name, unit): (&str, &str), values: impl Iterator<Item = f64>) -> Self {
        let mut low = f64::INFINITY;
        let mut high = f64::NEG_INFINITY;
        for value in values.filter(|v| *v > 0.0 && v.is_finite()) {
            low = low.min(value.log10());
            high = high.max(value.log10());
        }
        if low > high {
            low = 0.0;
            high = 1.0;
        }

        // The slack keeps a value that rounding moves past a power of ten from adding a decade.
        let max = (high - SLACK).ceil();
        let min = (low + SLACK).floor().max(max - DECADES).min(max - 1.0);
        let mut ticks = Ticks::between(min, max, 6);
        // Marks between powers of ten would have labels such as 3.16.
        ticks
            .values
            .retain(|mark| (mark - mark.round()).abs() < SLACK);
        Self {
            factor: 1.0,
            min,
            max,
            ticks,
            is_log: true,
            label: format!("{name} [{unit}]"),
        }
    }

    /// Values in SI units as numbers on the axis.
    pub(super) fn scaled(&self, values: &[f64]) -> Vec<f64> {
        if self.is_log {
            let logarithms = values.iter().map(|v| v.log10());
            // What is below the axis is left out as what has no logarithm is.
            let shown = logarithms.map(|v| if v >= self.min { v } else { f64::NAN });
            return shown.collect();
        }
        values.iter().map(|v| v / self.factor).collect()
    }
}

impl Ranged for Scale {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    /// Coordinate of a value between those of the ends, rounded; values beyond take an end's.
    #[allow(
        clippy::cast_possible_truncation,
        reason = "the product lies between zero and a whole number"
    )]
    fn map(&self, value: &f64, (first, last): (i32, i32)) -> i32 {
        let place = (value - self.min) / (self.max - self.min);
        first + (place.clamp(0.0, 1.0) * f64::from(last - first)).round() as i32
    }

    /// All marks; none of them is what plotters calls light.
    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() {
            Vec::new()
        } else {
            self.ticks.values.clone()
        }
    }

    /// Ends of the axis, in the prefixed unit.
    fn range(&self) -> Range<f64> {
        self.min..self.max
    }
}

impl ValueFormatter<f64> for Scale {
    /// Number beside a mark, with the decimals that the step between marks needs.
    fn format_ext(&self, mark: &f64) -> String {
        if self.is_log {
            return number::power_of_ten(10_f64.powf(*mark));
        }
        number::fixed(*mark, self.ticks.decimals)
    }
}

/// The range from `low` to `high`, widened if it is too narrow to be divided.
///
/// A single value gets a tenth of its magnitude on both sides, and zero gets 1.
fn widened(low: f64, high: f64) -> (f64, f64) {
    let size = low.abs().max(high.abs());
    if high - low > 1e-9 * size {
        (low, high)
    } else {
        let pad = if size > 0.0 { 0.1 * size } else { 1.0 };
        (low - pad, high + pad)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_have_a_fitting_unit_and_end_at_marks() {
        let scale = Scale::of(
            ("energy", "J"),
            [-1.2e4, f64::NAN, 3.71e4].into_iter(),
            6,
            true,
        );
        assert_eq!(
            (scale.label.as_str(), scale.min, scale.max),
            ("energy [kJ]", -20.0, 40.0)
        );

        // Marks at round numbers, and their places in pixels.
        let marks: Vec<String> = scale
            .ticks
            .values
            .iter()
            .map(|mark| scale.format_ext(mark))
            .collect();
        assert_eq!(marks, ["−20", "−10", "0", "10", "20", "30", "40"]);

        let pixels = scale
            .scaled(&[-2e4, 1e4, 4e4])
            .iter()
            .map(|v| scale.map(v, (100, 700)))
            .collect::<Vec<_>>();
        assert_eq!(pixels, [100, 400, 700]);
    }

    #[test]
    fn a_logarithmic_axis_ends_at_powers_of_ten_and_leaves_out_what_has_no_logarithm() {
        let values = [0.0, -3.0, 2e-4, f64::NAN, 50.0];
        let scale = Scale::log(("barrier", "J"), values.into_iter());
        assert_eq!((scale.min, scale.max), (-4.0, 2.0));
        let written: Vec<String> = scale
            .ticks
            .values
            .iter()
            .map(|m| scale.format_ext(m))
            .collect();
        assert!(written.contains(&"10⁻⁴".to_owned()) && written.contains(&"10²".to_owned()));
        let places = scale.scaled(&[1e-4, 1.0, 0.0]);
        assert_eq!(
            (places[0], places[1], places[2].is_nan()),
            (-4.0, 0.0, true)
        );

        // At most twelve decades, and at least one.
        let wide = Scale::log(("e", "J"), [1e-300, 1.0].into_iter());
        assert_eq!((wide.min, wide.max), (-12.0, 0.0));
        let narrow = Scale::log(("e", "J"), [1.0].into_iter());
        assert_eq!((narrow.min, narrow.max), (-1.0, 0.0));
    }

    #[test]
    fn every_range_has_marks_inside_it() {
        let ranges = [
            (0.0, 0.0),
            (5.0, 5.0),
            (-f64::MAX, f64::MAX),
            (0.0, 5e-324),
            (1e9, 1e9 + 1e-3),
            (1e-20, 3e-20),
        ];
        for (low, high) in ranges {
            let scale = Scale::of(("v", ""), [low, high].into_iter(), 6, true);
            let places = |values: &[f64]| -> Vec<i32> {
                values.iter().map(|v| scale.map(v, (0, 1000))).collect()
            };

            // The ends are marks or beyond them, and values keep their order.
            let marks = places(&scale.ticks.values);
            assert!(
                marks.len() > 1 && marks.iter().all(|s| (0..=1000).contains(s)),
                "{low} {high}"
            );
            let ends = places(&scale.scaled(&[low, high]));
            assert!(ends.iter().all(|s| (0..=1000).contains(s)) && ends[0] <= ends[1]);
        }
    }
}

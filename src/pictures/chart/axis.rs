//! Axes of a chart: range in a fitting unit, marks and label.
//!
//! An axis looks at all its values once. The largest magnitude decides the prefix of the unit, the
//! range and the wanted number of marks decide round steps between marks, and an axis that is to be
//! round is widened to the next marks. Values that are not finite are ignored.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};

use crate::math::number::{self, Ticks};

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
    /// Name and prefixed unit, `name [unit]`; the name alone for a pure number.
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

        let label = if unit.is_empty() {
            name.to_owned()
        } else {
            format!("{name} [{unit}]")
        };
        Self {
            factor,
            min,
            max,
            ticks: Ticks::between(min, max, marks),
            label,
        }
    }

    /// Values in SI units as numbers on the axis.
    pub(super) fn scaled(&self, values: &[f64]) -> Vec<f64> {
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
#[allow(clippy::float_cmp, reason = "small whole numbers are exact")]
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

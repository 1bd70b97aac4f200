//! Axes: a range in a fitting unit, its marks, its name.

use crate::output::number::{self, Ticks};

/// The part of a step that a range may pass a mark by rounding.
const SLACK: f64 = 1e-9;

/// An axis: its range in a prefixed unit, its marks and its name.
pub(super) struct Scale {
    factor: f64,
    min: f64,
    max: f64,
    ticks: Ticks,
    pub(super) label: String,
}

impl Scale {
    /// An axis around all finite `values`; one that is `round` ends at marks.
    pub(super) fn of((name, unit): (&str, &str), values: impl Iterator<Item = f64>, marks: usize, round: bool) -> Self {
        let (low, high) = values
            .filter(|v| v.is_finite())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
        let (low, high) = if low <= high { (low, high) } else { (0.0, 1.0) };
        let (factor, unit) = number::prefixed_unit(low.abs().max(high.abs()), unit);
        let (mut min, mut max) = widened(low / factor, high / factor);
        let ticks = Ticks::between(min, max, marks);
        if round {
            (min, max) =
                ((min / ticks.step + SLACK).floor() * ticks.step, (max / ticks.step - SLACK).ceil() * ticks.step);
        }
        let label = if unit.is_empty() { name.to_owned() } else { format!("{name} [{unit}]") };
        Self { factor, min, max, ticks: Ticks::between(min, max, marks), label }
    }

    /// Where a value in SI lies between the ends of the axis, 0 and 1.
    pub(super) fn place(&self, value: f64) -> f64 {
        (value / self.factor - self.min) / (self.max - self.min)
    }

    /// The places and names of the marks.
    pub(super) fn marks(&self) -> impl Iterator<Item = (f64, String)> {
        let place = |v| (v - self.min) / (self.max - self.min);
        self.ticks.values.iter().map(move |&v| (place(v), number::fixed(v, self.ticks.decimals)))
    }
}

/// The range, or one around it if it is too narrow to be divided.
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
    fn axes_are_told_in_a_fitting_unit_and_end_at_marks() {
        let scale = Scale::of(("energy", "J"), [-1.2e4, f64::NAN, 3.71e4].into_iter(), 6, true);
        assert_eq!((scale.label.as_str(), scale.min, scale.max), ("energy [kJ]", -20.0, 40.0));
        let marks: Vec<String> = scale.marks().map(|(_, name)| name).collect();
        assert_eq!(marks, ["−20", "−10", "0", "10", "20", "30", "40"]);
        assert_eq!((scale.place(-2e4), scale.place(1e4), scale.place(4e4)), (0.0, 0.5, 1.0));
    }

    #[test]
    fn every_range_has_marks_inside_it() {
        let ranges = [(0.0, 0.0), (5.0, 5.0), (-f64::MAX, f64::MAX), (0.0, 5e-324), (1e9, 1e9 + 1e-3), (1e-20, 3e-20)];
        for (low, high) in ranges {
            let scale = Scale::of(("v", ""), [low, high].into_iter(), 6, true);
            let places: Vec<f64> = scale.marks().map(|(place, _)| place).collect();
            assert!(places.len() > 1 && places.iter().all(|s| (-1e-9..=1.0 + 1e-9).contains(s)), "{low} {high}");
            assert!((0.0..=1.0).contains(&scale.place(low)) && scale.place(low) <= scale.place(high));
        }
    }
}

//! Ranges of numbers, and messages about numbers outside.

/// End of a range.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Limit {
    /// The number.
    value: f64,
    /// True if the number itself is in the range.
    is_inside: bool,
}

/// Range of a number. Every number in it is finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Lower end.
    least: Option<Limit>,
    /// Upper end.
    most: Option<Limit>,
    /// Count above which a value is a slip.
    slip: Option<f64>,
    /// End of the message, in place of the limits.
    must: Option<&'static str>,
    /// Beginning of the message, with a space behind it in the message.
    called: Option<&'static str>,
}

impl Range {
    /// All finite numbers.
    pub const ANY: Self = Self {
        least: None,
        most: None,
        slip: None,
        must: None,
        called: None,
    };

    /// Numbers larger than `value`.
    #[must_use]
    pub const fn above(mut self, value: f64) -> Self {
        let is_inside = false;
        self.least = Some(Limit { value, is_inside });
        self
    }

    /// Numbers of `value` and more.
    #[must_use]
    pub const fn at_least(mut self, value: f64) -> Self {
        let is_inside = true;
        self.least = Some(Limit { value, is_inside });
        self
    }

    /// Numbers smaller than `value`.
    #[must_use]
    pub const fn below(mut self, value: f64) -> Self {
        let is_inside = false;
        self.most = Some(Limit { value, is_inside });
        self
    }

    /// Numbers up to `value`.
    #[must_use]
    pub const fn at_most(mut self, value: f64) -> Self {
        let is_inside = true;
        self.most = Some(Limit { value, is_inside });
        self
    }

    /// Counts up to `value`, beyond which a count is a slip. The schema does not say it.
    #[must_use]
    pub const fn limit(mut self, value: f64) -> Self {
        self.slip = Some(value);
        self
    }

    /// Ends messages with "but must `text`", in place of the limits.
    #[must_use]
    pub const fn must(mut self, text: &'static str) -> Self {
        self.must = Some(text);
        self
    }

    /// Begins messages with `text`, the name of the quantity.
    #[must_use]
    pub const fn called(mut self, text: &'static str) -> Self {
        self.called = Some(text);
        self
    }

    /// True if all finite numbers are in the range.
    pub fn is_any(&self) -> bool {
        self.least.is_none() && self.most.is_none() && self.slip.is_none()
    }

    /// True if the number is in the range.
    pub fn contains(&self, value: f64) -> bool {
        self.is_within(value) && self.slip.is_none_or(|slip| value <= slip)
    }

    /// True if the number is finite and between the ends.
    fn is_within(&self, value: f64) -> bool {
        let is_above =
            |limit: Limit| value > limit.value || limit.is_inside && value >= limit.value;
        let is_below =
            |limit: Limit| value < limit.value || limit.is_inside && value <= limit.value;
        value.is_finite() && self.least.is_none_or(is_above) && self.most.is_none_or(is_below)
    }

    /// Numbers just outside of the range: a number for each end, and infinity for each side without
    /// one. Whole numbers that are negative or infinite are left out.
    pub fn outside(&self, is_whole: bool) -> Vec<f64> {
        let beyond = |limit: Limit, direction: f64| match (limit.is_inside, is_whole) {
            // A limit that is not inside is the nearest number outside.
            (false, _) => limit.value,
            (true, true) => limit.value + direction,
            (true, false) => limit.value + direction * 1e-9,
        };
        let least = self
            .least
            .map_or(f64::NEG_INFINITY, |limit| beyond(limit, -1.0));
        let most = self.most.map_or(f64::INFINITY, |limit| beyond(limit, 1.0));
        let slip = self.slip.map(|slip| slip + 1.0);
        let all = [least, most].into_iter().chain(slip);
        all.filter(|number| !is_whole || (0.0..f64::INFINITY).contains(number))
            .collect()
    }

    /// Message about a number out of the range: the value with its unit, and the limit.
    pub(crate) fn message(&self, value: f64, unit: Option<&str>) -> String {
        // A count between the ends is valid, and so large that it must be a slip.
        if let Some(slip) = self.slip.filter(|_| self.is_within(value)) {
            return format!("is {value}, more than {slip}; use fewer");
        }
        // A range without limits refuses infinite numbers, and NaN has no use for a unit.
        let unit = unit.filter(|unit| !["1", "of the key"].contains(unit) && !self.is_any());
        let unit = unit.map_or_else(String::new, |unit| format!(" {unit}"));
        let called = self
            .called
            .map_or_else(String::new, |text| format!("{text} "));
        format!("{called}is {value}{unit}, but must {}", self.words())
    }

    /// What a number must be, in words.
    pub(crate) fn words(&self) -> String {
        if let Some(must) = self.must {
            return must.to_owned();
        }
        let zero = |limit: Limit| limit.value.to_bits() == 0;
        match (self.least, self.most) {
            (None, None) => "be finite".to_owned(),
            (Some(least), None) if zero(least) && !least.is_inside => "be positive".to_owned(),
            (Some(least), None) if zero(least) => "not be negative".to_owned(),
            (Some(Limit { value, is_inside }), None) if is_inside => {
                format!("be at least {value}")
            }
            (Some(Limit { value, .. }), None) => format!("be above {value}"),
            (None, Some(Limit { value, is_inside })) if is_inside => format!("be at most {value}"),
            (None, Some(Limit { value, .. })) => format!("be below {value}"),
            (Some(least), Some(most)) => {
                let [a, b] = [least.value, most.value];
                match [least.is_inside, most.is_inside] {
                    [true, true] => format!("be from {a} to {b}"),
                    [true, false] => format!("be from {a} to less than {b}"),
                    [false, true] => format!("be above {a} and at most {b}"),
                    [false, false] => format!("be above {a} and below {b}"),
                }
            }
        }
    }

    /// Keywords of a JSON Schema with their numbers.
    pub(crate) fn keywords(&self) -> impl Iterator<Item = (&'static str, f64)> {
        let least = self.least.map(|Limit { value, is_inside }| {
            let keyword = if is_inside {
                "minimum"
            } else {
                "exclusiveMinimum"
            };
            (keyword, value)
        });
        let most = self.most.map(|Limit { value, is_inside }| {
            let keyword = if is_inside {
                "maximum"
            } else {
                "exclusiveMaximum"
            };
            (keyword, value)
        });
        least.into_iter().chain(most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_in_the_range_or_not_as_they_say() {
        let range = Range::ANY.above(-1.0).below(0.5);
        assert!(range.contains(0.0) && range.contains(0.49));
        assert!(!range.contains(-1.0) && !range.contains(0.5) && !range.contains(f64::NAN));
        let share = Range::ANY.at_least(0.0).at_most(1.0);
        assert!(share.contains(0.0) && share.contains(1.0) && !share.contains(1.1));
        assert!(!Range::ANY.contains(f64::INFINITY));
    }

    #[test]
    fn messages_name_value_unit_and_limit() {
        let positive = Range::ANY.above(0.0);
        assert_eq!(
            positive.message(-1.0, Some("m")),
            "is -1 m, but must be positive"
        );
        let share = Range::ANY.at_least(0.0).below(1.0);
        let message = "is 1, but must be from 0 to less than 1";
        assert_eq!(share.message(1.0, Some("1")), message);
        assert_eq!(
            Range::ANY.message(f64::NAN, Some("m")),
            "is NaN, but must be finite"
        );
        let count = Range::ANY.at_least(2.0).limit(9.0);
        assert_eq!(count.message(10.0, None), "is 10, more than 9; use fewer");
        assert_eq!(count.message(1.0, None), "is 1, but must be at least 2");
    }
}

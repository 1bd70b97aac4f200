//! A measured number beside the expected one, and the verdict on it.

use serde::Serialize;

/// How near the measured value has to be to the expected one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// `|got / expected - 1|` is at most this (1).
    Relative(f64),
    /// `|got - expected|` is at most this (unit of the quantity).
    Absolute(f64),
    /// `got <= expected`.
    AtMost,
    /// `got >= expected`.
    AtLeast,
    /// None: the value is shown beside the expected one, and any number passes.
    Reported,
}

/// A miss that belongs to the method, and how far it goes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct KnownMiss {
    /// Property of the method that causes the miss, as a phrase without a full stop.
    pub reason: &'static str,
    /// Largest error, measured as the bound does, that this property explains. Beyond it the
    /// quantity fails.
    pub within: f64,
}

/// Judgement of a quantity, or of a case: that of its worst quantity. Later ones are worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The value is within its tolerance.
    Pass,
    /// A known miss that is within the tolerance now: it should no longer be listed as one.
    Mended,
    /// The value is outside its tolerance, as the method is known to be.
    KnownMiss,
    /// The value is outside its tolerance.
    Fail,
}

impl Verdict {
    /// Words for people.
    pub fn words(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Mended => "mended",
            Self::KnownMiss => "known miss",
            Self::Fail => "FAIL",
        }
    }
}

/// A measured number beside the expected one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Quantity {
    /// Name in words, with the parameters that tell it from others of the case.
    pub name: String,
    /// Unit in SI, "1" for a pure number.
    pub unit: &'static str,
    /// Value of the closed form or of the independent computation; the limit of an inequality.
    pub expected: f64,
    /// Value that the simulator computed.
    pub got: f64,
    /// Tolerance.
    pub bound: Bound,
    /// Reason for which the method is known to miss the value.
    pub known_miss: Option<KnownMiss>,
}

impl Quantity {
    /// A quantity that must agree to a share of the expected value.
    pub fn relative(
        name: impl Into<String>,
        unit: &'static str,
        expected: f64,
        got: f64,
        tolerance: f64,
    ) -> Self {
        let bound = Bound::Relative(tolerance);
        Self::new(name.into(), unit, [expected, got], bound)
    }

    /// A quantity that must agree to a difference in its own unit.
    pub fn absolute(
        name: impl Into<String>,
        unit: &'static str,
        expected: f64,
        got: f64,
        tolerance: f64,
    ) -> Self {
        let bound = Bound::Absolute(tolerance);
        Self::new(name.into(), unit, [expected, got], bound)
    }

    /// A quantity that must not be above a limit.
    pub fn at_most(name: impl Into<String>, unit: &'static str, limit: f64, got: f64) -> Self {
        Self::new(name.into(), unit, [limit, got], Bound::AtMost)
    }

    /// A quantity that must not be below a limit.
    pub fn at_least(name: impl Into<String>, unit: &'static str, limit: f64, got: f64) -> Self {
        Self::new(name.into(), unit, [limit, got], Bound::AtLeast)
    }

    /// A quantity that is reported beside its expected value and not judged.
    pub fn reported(name: impl Into<String>, unit: &'static str, expected: f64, got: f64) -> Self {
        Self::new(name.into(), unit, [expected, got], Bound::Reported)
    }

    /// A quantity with its expected and its measured value.
    fn new(name: String, unit: &'static str, [expected, got]: [f64; 2], bound: Bound) -> Self {
        Self {
            name,
            unit,
            expected,
            got,
            bound,
            known_miss: None,
        }
    }

    /// Marks a miss that belongs to the method: `within` is the largest error that `reason`
    /// explains.
    #[must_use]
    pub fn known_miss(mut self, reason: &'static str, within: f64) -> Self {
        self.known_miss = Some(KnownMiss { reason, within });
        self
    }

    /// Error as the bound measures it: relative (1), or the excess over a value or limit (unit of
    /// the quantity).
    pub fn error(&self) -> f64 {
        let difference = self.got - self.expected;

        // Written so that a NaN stays one.
        let holds = match self.bound {
            Bound::Relative(_) | Bound::Reported => return difference / self.expected,
            Bound::Absolute(_) => false,
            Bound::AtMost => difference <= 0.0,
            Bound::AtLeast => difference >= 0.0,
        };
        if holds { 0.0 } else { difference }
    }

    /// Largest error that passes.
    pub fn tolerance(&self) -> f64 {
        match self.bound {
            Bound::Relative(tolerance) | Bound::Absolute(tolerance) => tolerance,
            Bound::AtMost | Bound::AtLeast => 0.0,
            Bound::Reported => f64::INFINITY,
        }
    }

    /// Judgement. A value that is not a number fails.
    pub fn verdict(&self) -> Verdict {
        let error = self.error().abs();
        let passes = error <= self.tolerance();
        match self.known_miss {
            None if passes => Verdict::Pass,
            Some(_) if passes => Verdict::Mended,
            Some(miss) if error <= miss.within => Verdict::KnownMiss,
            _ => Verdict::Fail,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Verdict::{Fail, Pass};
    use super::*;

    #[test]
    fn a_value_is_judged_by_its_bound() {
        let judged = |expected, got| {
            [
                Quantity::relative("", "1", expected, got, 0.01).verdict(),
                Quantity::absolute("", "1", expected, got, 0.01).verdict(),
                Quantity::at_most("", "1", expected, got).verdict(),
                Quantity::at_least("", "1", expected, got).verdict(),
            ]
        };

        assert_eq!(judged(2.0, 2.015), [Pass, Fail, Fail, Pass]);
        // Bounds compare numbers and not their sizes.
        assert_eq!(judged(-2.0, -2.015), [Pass, Fail, Pass, Fail]);
        assert_eq!(judged(0.5, 0.496), [Pass, Pass, Pass, Fail]);
        // A value that is not a number passes by no bound.
        assert_eq!(judged(2.0, f64::NAN), [Fail; 4]);
        assert_eq!(judged(f64::NAN, 2.0), [Fail; 4]);
    }

    #[test]
    fn a_known_miss_has_a_limit_of_its_own_and_may_be_mended() {
        let judged = |got| {
            let quantity = Quantity::relative("", "1", 1.0, got, 0.01);
            quantity.known_miss("coarse", 0.1).verdict()
        };
        assert_eq!(judged(1.05), Verdict::KnownMiss);
        // Within the tolerance a value is a miss no longer.
        assert_eq!(judged(1.005), Verdict::Mended);
        assert_eq!(judged(1.2), Verdict::Fail);
        assert_eq!(judged(f64::NAN), Verdict::Fail);
    }
}

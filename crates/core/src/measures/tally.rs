//! Readings of a measure over time.

use super::Over;
use crate::time::Reading;
use ipcsim_math::Vec2;
use serde::{Deserialize, Serialize};

/// The largest or smallest reading.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Extreme {
    /// Its value.
    pub value: f64,
    /// Its time (s).
    pub time: f64,
    /// Its place (m), if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Vec2>,
}

/// Sums and extremes of all readings so far, by which a measure is reduced in time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    /// The first reading.
    pub first: Option<Extreme>,
    /// The last one.
    pub last: Option<Extreme>,
    /// The first of the largest ones.
    pub max: Option<Extreme>,
    /// The first of the smallest ones.
    pub min: Option<Extreme>,
    /// Sum of all.
    pub sum: f64,
    /// Their number.
    pub count: usize,
}

impl Tally {
    /// Adds the reading at a time (s). One that is undefined, or no number, counts nowhere.
    pub fn add(&mut self, time: f64, reading: Option<Reading>) {
        let Some(Reading { value, place }) = reading.filter(|own| own.value.is_finite()) else {
            return;
        };

        // The first of equal extremes counts.
        let own = Extreme { value, time, place };
        self.first.get_or_insert(own);
        self.last = Some(own);
        if self.max.is_none_or(|most| value > most.value) {
            self.max = Some(own);
        }
        if self.min.is_none_or(|least| value < least.value) {
            self.min = Some(own);
        }
        self.sum += value;
        self.count += 1;
    }

    /// Mean of all readings; `None` without any.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }

    /// Value reduced in time, with its time and place where it has them; readings that are `counts` of a
    /// step have their sum over the time as their rate. `None` where it is undefined.
    pub fn reduced(&self, over: Over, counts: bool) -> Option<Extreme> {
        let last = self.last?;
        let plain = |value: f64| Extreme {
            value,
            time: last.time,
            place: None,
        };
        match over {
            Over::Last => Some(last),
            Over::Max => self.max,
            Over::Min => self.min,
            Over::Mean => self.mean().map(plain),
            Over::Sum => Some(plain(self.sum)),
            Over::Rate => {
                let first = self.first?;
                let change = if counts {
                    self.sum
                } else {
                    last.value - first.value
                };
                let time = last.time - first.time;
                (time > 0.0).then(|| plain(change / time))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings_are_reduced_in_time() {
        let mut tally = Tally::default();
        assert_eq!(tally.reduced(Over::Last, false), None);
        for (time, value) in [
            (0.0, 1.0),
            (0.5, 5.0),
            (1.0, f64::NAN),
            (1.5, 5.0),
            (2.0, 3.0),
        ] {
            tally.add(time, Some(Reading::of(value)));
        }
        tally.add(2.5, None);
        let value = |over, counts| tally.reduced(over, counts).unwrap().value;
        assert_eq!(value(Over::Last, false), 3.0);
        assert_eq!(tally.reduced(Over::Max, false).unwrap().time, 0.5);
        assert_eq!(value(Over::Min, false), 1.0);
        assert_eq!(value(Over::Mean, false), 3.5);
        assert_eq!(value(Over::Sum, false), 14.0);
        assert_eq!(
            [value(Over::Rate, false), value(Over::Rate, true)],
            [1.0, 7.0]
        );
    }
}

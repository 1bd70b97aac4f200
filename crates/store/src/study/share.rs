//! The part of a study that a task computes, chosen by the task's number alone.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// Task `index` of `count` tasks, which divide the runs of a study.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// Number of the task, from 0.
    pub index: u64,
    /// Number of tasks.
    pub count: u64,
}

impl Share {
    /// The whole study.
    pub const ALL: Self = Self { index: 0, count: 1 };

    /// Runs of the task, of `runs` in all: consecutive ones, as many as any other task's or one
    /// more.
    pub fn range(self, runs: u64) -> Range<u64> {
        let start = |task: u64| {
            let product = u128::from(runs) * u128::from(task) / u128::from(self.count.max(1));
            u64::try_from(product).unwrap_or(runs)
        };
        start(self.index)..start(self.index + 1)
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Share {
    type Err = String;

    /// Reads `3/10`: task 3 of 10, counted from 0.
    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/');
        let number = |part: &str| part.parse::<u64>().ok();
        let share = parts.and_then(|(index, count)| {
            Some(Self {
                index: number(index)?,
                count: number(count)?,
            })
        });
        share
            .filter(|share| share.index < share.count)
            .ok_or_else(|| {
                "expected K/N, task K of N tasks, counted from 0, for example 0/10".to_owned()
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_cover_every_run_once() {
        for (runs, count) in [(10, 3), (3, 10), (0, 2), (u64::MAX, 7)] {
            let mut end = 0;
            for index in 0..count {
                let range = Share { index, count }.range(runs);
                assert_eq!(range.start, end);
                assert!(range.end - range.start <= runs / count + 1);
                end = range.end;
            }
            assert_eq!(end, runs);
        }
    }

    #[test]
    fn shares_are_read_as_they_are_written() {
        assert_eq!("2/5".parse(), Ok(Share { index: 2, count: 5 }));
        assert_eq!(Share { index: 2, count: 5 }.to_string(), "2/5");
        for wrong in ["5/5", "0/0", "1", "a/2", "-1/2"] {
            assert!(wrong.parse::<Share>().is_err(), "{wrong}");
        }
    }
}

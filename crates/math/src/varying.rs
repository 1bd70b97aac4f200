//! Numbers that vary: constant, a table in time, or a formula.

use super::Vec2;
use super::formula::Formula;

/// A number that is constant, follows a table in time, or a formula of place and time.
#[derive(Clone, Debug, PartialEq)]
pub enum Varying {
    /// The same everywhere and at all times.
    Constant(f64),
    /// Values at ascending times.
    Table(Table),
    /// A formula of place and time.
    Formula(Formula),
}

/// Values at ascending times: linear between them, constant before the first and after the last.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Times (s), ascending.
    pub times: Vec<f64>,
    /// Values at these times, `[times]`.
    pub values: Vec<f64>,
}

impl Varying {
    /// Value at a place (m) and a time `t` (s).
    pub fn at(&self, place: Vec2, t: f64) -> f64 {
        match self {
            Self::Constant(value) => *value,
            Self::Table(table) => table.at(t),
            Self::Formula(formula) => formula.at(place, t),
        }
    }

    /// True if it depends on the place.
    pub fn has_place(&self) -> bool {
        matches!(self, Self::Formula(formula) if formula.has_place())
    }

    /// True if it depends on time.
    pub fn has_time(&self) -> bool {
        match self {
            Self::Constant(_) => false,
            Self::Table(table) => table
                .values
                .windows(2)
                .any(|pair| (pair[1] - pair[0]).abs() > 0.0),
            Self::Formula(formula) => formula.has_time(),
        }
    }
}

impl Table {
    /// Value at the time `t` (s); 0 for an empty table. Times without a value do not count.
    pub fn at(&self, t: f64) -> f64 {
        let count = self.times.len().min(self.values.len());
        let [times, values] = [&self.times[..count], &self.values[..count]];
        let next = times.partition_point(|time| *time <= t);
        let Some(last) = next.checked_sub(1) else {
            return values.first().copied().unwrap_or(0.0);
        };
        if next == count {
            return values[last];
        }

        let share = (t - times[last]) / (times[next] - times[last]);
        values[last] + (values[next] - values[last]) * share
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_linear_between_its_times_and_constant_outside() {
        let table = Table {
            times: vec![1.0, 2.0, 4.0],
            values: vec![10.0, 20.0, -20.0],
        };
        let wanted = [
            (0.0, 10.0),
            (1.0, 10.0),
            (1.25, 12.5),
            (2.0, 20.0),
            (3.0, 0.0),
            (4.0, -20.0),
            (9.0, -20.0),
        ];
        for (t, value) in wanted {
            assert_eq!(table.at(t), value, "{t}");
        }
        assert_eq!(Table::default().at(1.0), 0.0);
        assert!(Varying::Table(table).has_time());
    }
}

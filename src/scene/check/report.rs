//! Problems as they are found.

use crate::scene::names::nearest;
use crate::scene::problem::Problem;

/// Most cells that a generated mesh may have.
const MAX_CELLS: usize = 20_000_000;

/// Collects problems.
#[derive(Default)]
pub(super) struct Report {
    pub(super) problems: Vec<Problem>,
}

impl Report {
    pub(super) fn add(&mut self, path: &str, message: impl Into<String>) {
        self.problems.push(Problem::error(path, message));
    }

    /// Whether what is checked adds no problem.
    pub(super) fn passes(&mut self, check: impl FnOnce(&mut Self)) -> bool {
        let before = self.problems.len();
        check(self);
        self.problems.len() == before
    }

    pub(super) fn positive(&mut self, path: &str, value: f64, unit: &str) {
        if !(value > 0.0 && value.is_finite()) {
            self.add(path, format!("is {value}{unit}, but must be positive"));
        }
    }

    pub(super) fn not_negative(&mut self, path: &str, value: f64, unit: &str) {
        if !(value >= 0.0 && value.is_finite()) {
            self.add(path, format!("is {value}{unit}, but must not be negative"));
        }
    }

    pub(super) fn at_least(&mut self, least: usize, path: &str, value: usize) {
        if value < least {
            self.add(path, format!("is {value}, but must be at least {least}"));
        }
    }

    pub(super) fn at_least_one(&mut self, path: &str, value: usize) {
        self.at_least(1, path, value);
    }

    pub(super) fn finite(&mut self, path: &str, value: f64) {
        if !value.is_finite() {
            self.add(path, format!("is {value}, but must be finite"));
        }
    }

    pub(super) fn vector(&mut self, path: &str, value: [f64; 2]) {
        if !value.iter().all(|c| c.is_finite()) {
            self.add(path, format!("is {value:?}, but must be finite"));
        }
    }

    pub(super) fn cells(&mut self, path: &str, segments: [usize; 2]) {
        self.at_least_one(path, segments[0].min(segments[1]));
        if segments[0].saturating_mul(segments[1]) > MAX_CELLS {
            let message = format!(
                "{} x {} cells are more than {MAX_CELLS}; use fewer",
                segments[0], segments[1]
            );
            self.add(path, message);
        }
    }

    /// A number of edges, or of parts of several edges each.
    pub(super) fn edges(&mut self, least: usize, path: &str, count: usize) {
        self.at_least(least, path, count);
        if count > MAX_CELLS {
            self.add(
                path,
                format!("is {count}, more than {MAX_CELLS}; use fewer"),
            );
        }
    }

    /// A name that nothing has.
    pub(super) fn no_such<'a>(
        &mut self,
        path: &str,
        what: &str,
        name: &str,
        known: impl Iterator<Item = &'a str> + Clone,
    ) {
        let message = match nearest(name, known.clone()) {
            Some(near) => format!("no {what} is named \"{name}\"; did you mean \"{near}\"?"),
            None => format!(
                "no {what} is named \"{name}\"; there are: {}",
                known.collect::<Vec<_>>().join(", ")
            ),
        };
        self.add(path, message);
    }
}

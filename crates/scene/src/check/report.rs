//! A list of problems, and the checks that most values need.
//!
//! Every check has the same form: it takes the JSON path of a value and the value, and adds an
//! error if the value is out of range. Messages name the value, its unit and the limit. A value
//! that is not a number fails every check of a range.

use crate::names::nearest;
use crate::problem::Problem;

/// Largest number of cells of a generated mesh.
///
/// Twenty million cells take 90 GB as an elastic body; a larger number is a slip.
const MAX_CELLS: usize = 20_000_000;

/// Problems of a scene that are found so far.
#[derive(Default)]
pub(crate) struct Report {
    /// Errors in the order in which they were found.
    pub(crate) problems: Vec<Problem>,
}

impl Report {
    /// Adds an error of the value at `path`.
    pub(crate) fn add(&mut self, path: &str, message: impl Into<String>) {
        self.problems.push(Problem::error(path, message));
    }

    /// Runs a check. True if it adds no problem.
    pub(crate) fn passes(&mut self, check: impl FnOnce(&mut Self)) -> bool {
        let before = self.problems.len();
        check(self);
        self.problems.len() == before
    }

    /// Checks that a number is positive and finite. `unit` follows the value in the message and
    /// begins with a space.
    pub(crate) fn positive(&mut self, path: &str, value: f64, unit: &str) {
        if !(value > 0.0 && value.is_finite()) {
            self.add(path, format!("is {value}{unit}, but must be positive"));
        }
    }

    /// Checks that a number is not negative, and finite. `unit` is as in [`Report::positive`].
    pub(crate) fn not_negative(&mut self, path: &str, value: f64, unit: &str) {
        if !(value >= 0.0 && value.is_finite()) {
            self.add(path, format!("is {value}{unit}, but must not be negative"));
        }
    }

    /// Checks that a count is `least` or more.
    pub(crate) fn at_least(&mut self, least: usize, path: &str, value: usize) {
        if value < least {
            self.add(path, format!("is {value}, but must be at least {least}"));
        }
    }

    /// Checks that a count is 1 or more.
    pub(crate) fn at_least_one(&mut self, path: &str, value: usize) {
        self.at_least(1, path, value);
    }

    /// Checks that a number is finite.
    pub(crate) fn finite(&mut self, path: &str, value: f64) {
        if !value.is_finite() {
            self.add(path, format!("is {value}, but must be finite"));
        }
    }

    /// Checks that both components of a vector are finite.
    pub(crate) fn vector(&mut self, path: &str, value: [f64; 2]) {
        if !value.iter().all(|c| c.is_finite()) {
            self.add(path, format!("is {value:?}, but must be finite"));
        }
    }

    /// Checks the numbers of cells of a mesh along x and y: each is 1 or more, and their product is
    /// at most [`MAX_CELLS`].
    pub(crate) fn cells(&mut self, path: &str, [x, y]: [usize; 2]) {
        self.at_least_one(path, x.min(y));
        if x.saturating_mul(y) > MAX_CELLS {
            let message = format!("{x} x {y} cells are more than {MAX_CELLS}; use fewer");
            self.add(path, message);
        }
    }

    /// Checks a number of edges, or of parts of several edges each: it is from `least` to
    /// [`MAX_CELLS`].
    pub(crate) fn edges(&mut self, least: usize, path: &str, count: usize) {
        self.at_least(least, path, count);
        if count > MAX_CELLS {
            let message = format!("is {count}, more than {MAX_CELLS}; use fewer");
            self.add(path, message);
        }
    }

    /// Adds an error of a name that does not exist, with the known one that is most like it.
    ///
    /// `what` says what the name is of, such as "material". If no known name is like it, the
    /// message lists all of them.
    pub(crate) fn no_such<'a>(
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

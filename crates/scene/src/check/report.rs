//! A list of problems, and the ranges of all numbers.
//!
//! Numbers out of range are found once, by the table of keys, before any other check. Each check
//! reports those of its part of the scene by [`Report::ranges`], so that messages come in the order of
//! the scene, and asks by the same call whether numbers are good that it compares with each other.

use crate::names::nearest;
use crate::problem::Problem;
use crate::schema::{MAX_CELLS, Time};
use ipcsim_keys::{Keys, faults};
use std::collections::BTreeMap;

/// Problems of a scene that are found so far.
#[derive(Default)]
pub(crate) struct Report {
    /// Errors in the order in which they were found.
    pub(crate) problems: Vec<Problem>,
    /// Messages about numbers out of range by path, each with its number in the order of keys. A
    /// message that is reported leaves its path.
    faults: BTreeMap<String, Vec<(usize, String)>>,
    /// Times of the run, over which numbers that vary are looked at; none outside of a scene.
    pub(super) time: Option<Time>,
}

impl Report {
    /// No problem yet. The numbers of `value`, which is at a path, are compared with their ranges.
    pub(crate) fn of(value: &impl Keys, path: &str) -> Self {
        let mut report = Self::default();
        for (number, fault) in faults(value, path).into_iter().enumerate() {
            let messages = report.faults.entry(fault.path).or_default();
            messages.push((number, fault.message));
        }
        report
    }

    /// Adds an error of each number at this path or below it that is out of its range, unless it is
    /// added already. True if there is no such number. The empty path is the whole value.
    pub(crate) fn ranges(&mut self, path: &str) -> bool {
        let is_below =
            |rest: &str| path.is_empty() || rest.is_empty() || rest.starts_with(['.', '[']);
        let mut found = Vec::new();
        let mut is_good = true;
        for (own, messages) in self.faults.range_mut(path.to_owned()..) {
            let Some(rest) = own.strip_prefix(path) else {
                // Paths are sorted: after the first one with another beginning none is below.
                break;
            };
            if is_below(rest) {
                is_good = false;
                // Messages are taken out, so that no number is reported twice.
                let messages = std::mem::take(messages).into_iter();
                found.extend(messages.map(|(number, message)| (number, own.clone(), message)));
            }
        }

        found.sort();
        for (_, path, message) in found {
            self.add(&path, message);
        }
        is_good
    }

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

    /// Checks the numbers of cells of a mesh along x and y: their product is at most [`MAX_CELLS`].
    pub(crate) fn cells(&mut self, path: &str, [x, y]: [usize; 2]) {
        if x.saturating_mul(y) > MAX_CELLS {
            let message = format!("{x} x {y} cells are more than {MAX_CELLS}; use fewer");
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

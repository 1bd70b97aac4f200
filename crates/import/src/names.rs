//! Names of cells from arrays of whole numbers.
//!
//! Programs number materials, regions and boundaries of cells by arrays. A name says the array and the
//! value, because a file may have several such arrays. Arrays of results, and of more values than
//! anybody would select by, give no names; the notes list them.

/// Number of different values of an array of cells up to which they are names. More are numbers of
/// cells or the like.
const MOST_NAMES: usize = 64;

/// Names of cells while arrays are read, and the arrays that give none.
#[derive(Default)]
pub(super) struct CellNames {
    /// Names of each cell.
    names: Vec<Vec<String>>,
    /// Arrays that are left out.
    left: Vec<String>,
}

impl CellNames {
    /// Adds the name `array=value` to each cell, unless there are too many values for names.
    pub(super) fn add(&mut self, array: &str, values: &[i64]) {
        self.add_from(0, array, values);
    }

    /// Adds the names `array=value` to cells from this one on.
    ///
    /// The number `first` is the cell of the first value. An array with more than 64 different values
    /// is noted instead.
    pub(super) fn add_from(&mut self, first: usize, array: &str, values: &[i64]) {
        // Too many values are numbers of cells.
        let mut different = values.to_vec();
        different.sort_unstable();
        different.dedup();
        if different.len() > MOST_NAMES {
            self.leave(array);
            return;
        }

        let count = self.names.len().max(first.saturating_add(values.len()));
        self.names.resize(count, Vec::new());
        for (own, value) in self.names[first..].iter_mut().zip(values) {
            own.push(format!("{array}={value}"));
        }
    }

    /// Notes that an array gives no names.
    pub(super) fn leave(&mut self, array: &str) {
        // Pieces of a grid have the same arrays.
        if !self.left.iter().any(|left| left == array) {
            self.left.push(array.to_owned());
        }
    }

    /// Names of this many cells, and a sentence about arrays that give none.
    /// Cells after the last one that an array names have no names.
    pub(super) fn finish(mut self, count: usize) -> (Vec<Vec<String>>, Option<String>) {
        self.names.resize(count, Vec::new());
        let note = (!self.left.is_empty()).then(|| {
            format!(
                "names come from whole numbers of cells, up to {MOST_NAMES} different ones; other \
                 arrays were left out: {}",
                few(&self.left)
            )
        });
        (self.names, note)
    }
}

/// Names of cells with a number by their dimension, as in `line=3`.
pub(super) const DIMENSIONS: [&str; 3] = ["point", "line", "surface"];

/// Number of names that a sentence lists.
/// A longer list would hide the rest of the message.
const LISTED: usize = 8;

/// Names one after another, and how many more there are.
pub(super) fn few<T: AsRef<str>>(names: &[T]) -> String {
    let listed: Vec<&str> = names.iter().take(LISTED).map(AsRef::as_ref).collect();
    let rest = names.len() - listed.len();
    let more = if rest > 0 {
        format!(" and {rest} more")
    } else {
        String::new()
    };
    listed.join(", ") + &more
}

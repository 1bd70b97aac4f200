//! Words and numbers of a text, with the number of the line for messages.
//!
//! A wrong word is reported with its line and with what should stand there. Counts of a file are
//! never trusted for memory: lists grow by what is there, and a file that promises more ends with
//! an error.

use super::ReadError;
use std::str::FromStr;

/// Words of a text one by one, over the ends of lines.
pub(super) struct Words<'a> {
    /// Lines that are left, with their numbers from 1.
    lines: std::iter::Enumerate<std::str::Lines<'a>>,
    /// Words of the line that are left.
    left: std::str::SplitWhitespace<'a>,
    /// Number of the line, from 1.
    pub(super) line: usize,
}

impl<'a> Words<'a> {
    /// Words of a text.
    pub(super) fn of(text: &'a str) -> Self {
        Self {
            lines: text.lines().enumerate(),
            left: "".split_whitespace(),
            line: 0,
        }
    }

    /// The next word, if there is one.
    pub(super) fn next(&mut self) -> Option<&'a str> {
        loop {
            if let Some(word) = self.left.next() {
                return Some(word);
            }
            let (number, line) = self.lines.next()?;
            self.line = number + 1;
            self.left = line.split_whitespace();
        }
    }

    /// What is left of the line.
    pub(super) fn rest_of_line(&mut self) -> Vec<&'a str> {
        std::mem::replace(&mut self.left, "".split_whitespace()).collect()
    }

    /// The next line as a whole, if there is one, without the rest of this one.
    pub(super) fn next_line(&mut self) -> Option<&'a str> {
        let (number, line) = self.lines.next()?;
        self.line = number + 1;
        self.left = "".split_whitespace();
        Some(line)
    }

    /// The next word as a number.
    ///
    /// # Errors
    /// If the text ends, or the word is no such number.
    pub(super) fn number<T: FromStr>(&mut self, what: &str) -> Result<T, ReadError> {
        let Some(word) = self.next() else {
            let message = format!("the file ends where {what} should be");
            return Err(ReadError::new(message));
        };
        word.parse().map_err(|_| {
            let message = format!(
                "line {}: \"{word}\" stands where {what} should be",
                self.line
            );
            ReadError::new(message)
        })
    }

    /// The next word as a finite number.
    ///
    /// # Errors
    /// If the text ends, or the word is no finite number.
    pub(super) fn coordinate(&mut self) -> Result<f64, ReadError> {
        let number: f64 = self.number("a coordinate")?;
        if number.is_finite() {
            return Ok(number);
        }
        let message = format!(
            "line {}: a coordinate is {number}, but must be finite",
            self.line
        );
        Err(ReadError::new(message))
    }

    /// An error at the line.
    pub(super) fn error(&self, message: &str) -> ReadError {
        ReadError::new(format!("line {}: {message}", self.line))
    }
}

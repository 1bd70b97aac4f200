//! Words and numbers of a file, with the number of the line for messages.
//!
//! A wrong word is reported with its line and with what should stand there. Counts of a file are
//! never trusted for memory: lists grow by what is there, and a file that promises more ends with
//! an error. Some formats have binary numbers between lines of text, so that words are read from
//! bytes.
//!
//! The words of a line are taken from the file as a whole line, so that binary numbers begin after its
//! end, as all formats define that mix both.

use super::ReadError;
use super::kinds::{Kind, Order, whole};
use std::str::FromStr;

/// Stands for a word that is not text.
/// It is the sign that Unicode has for a wrong character, and matches no keyword.
const NO_TEXT: &str = "\u{fffd}";

/// Number of bytes in which a word ends that is looked for before it is taken.
/// Keywords and numbers of all formats are shorter.
const LONGEST_WORD: usize = 64;

/// Words of a file one by one, over the ends of lines.
pub(super) struct Words<'a> {
    /// Bytes that are left.
    left: &'a [u8],
    /// Bytes of the line that are left to words, since they have been taken from the file.
    of_line: &'a [u8],
    /// Number of the line, from 1.
    pub(super) line: usize,
    /// Order of binary numbers; numbers are text if absent.
    pub(super) binary: Option<Order>,
}

impl<'a> Words<'a> {
    /// Words of a file.
    pub(super) fn of(bytes: &'a [u8]) -> Self {
        Self {
            left: bytes,
            of_line: &[],
            line: 0,
            binary: None,
        }
    }

    /// The next word, if there is one.
    ///
    /// Words end at blanks and at ends of lines. `None` after the last word.
    pub(super) fn next(&mut self) -> Option<&'a str> {
        loop {
            let start = self
                .of_line
                .iter()
                .position(|byte| !byte.is_ascii_whitespace());
            if let Some(start) = start {
                let rest = &self.of_line[start..];
                let end = rest.iter().position(u8::is_ascii_whitespace);
                let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
                self.of_line = after;
                return Some(std::str::from_utf8(word).unwrap_or(NO_TEXT));
            }

            self.take_line()?;
        }
    }

    /// Takes the next line from the file.
    ///
    /// `None` at the end of the file. The end of the line is part of it.
    fn take_line(&mut self) -> Option<()> {
        if self.left.is_empty() {
            self.of_line = &[];
            return None;
        }

        let end = self.left.iter().position(|&byte| byte == b'\n');
        let (line, after) = self
            .left
            .split_at(end.map_or(self.left.len(), |end| end + 1));
        self.line += 1;
        self.of_line = line;
        self.left = after;
        Some(())
    }

    /// The next word, which stays.
    /// The line of messages does not change.
    pub(super) fn peek_word(&self) -> Option<&'a str> {
        let mut ahead = Self { ..*self };
        // A binary number is not a word, however long it is.
        ahead.left = &ahead.left[..ahead.left.len().min(LONGEST_WORD)];
        ahead.next()
    }

    /// Number of words in the next line that has some.
    pub(super) fn peek_count(&self) -> usize {
        let mut ahead = Self { ..*self };
        let first = usize::from(ahead.next().is_some());
        first + ahead.rest_of_line().len()
    }

    /// Words that are left of the line.
    /// They count as read, and the next word is in the next line.
    pub(super) fn rest_of_line(&mut self) -> Vec<&'a str> {
        let text = std::str::from_utf8(std::mem::take(&mut self.of_line)).unwrap_or(NO_TEXT);
        text.split_whitespace().collect()
    }

    /// The next line as a whole, if there is one, without the rest of this one.
    pub(super) fn next_line(&mut self) -> Option<&'a str> {
        self.take_line()?;
        let line = std::mem::take(&mut self.of_line);
        Some(std::str::from_utf8(line).unwrap_or(NO_TEXT).trim_end())
    }

    /// The next bytes, which follow the end of this line.
    ///
    /// # Errors
    /// If there are fewer.
    pub(super) fn bytes(&mut self, count: usize, what: &str) -> Result<&'a [u8], ReadError> {
        let Some((own, after)) = self.left.split_at_checked(count) else {
            let message = format!(
                "the file ends after line {} where {what} should be: {count} bytes are missing or cut off",
                self.line
            );
            return Err(ReadError::new(message));
        };

        self.of_line = &[];
        self.left = after;
        Ok(own)
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

    /// The next number, which is a word or has this kind.
    ///
    /// `kind` matters for binary numbers only.
    ///
    /// # Errors
    /// If the file ends, or a word is not a number.
    fn value(&mut self, kind: Kind, what: &str) -> Result<f64, ReadError> {
        let Some(order) = self.binary else {
            return self.number(what);
        };
        let bytes = self.bytes(kind.width(), what)?;
        Ok(kind
            .values(bytes, order)
            .first()
            .copied()
            .unwrap_or(f64::NAN))
    }

    /// The next whole number, of a kind where it is binary.
    ///
    /// # Errors
    /// If the file ends, or there is another word.
    pub(super) fn whole(&mut self, kind: Kind, what: &str) -> Result<i64, ReadError> {
        if self.binary.is_none() {
            return self.number(what);
        }
        let value = self.value(kind, what)?;
        whole(value, what)
    }

    /// The next count or tag, of a kind where it is binary.
    ///
    /// # Errors
    /// If the file ends, or there is another word.
    pub(super) fn count(&mut self, kind: Kind, what: &str) -> Result<usize, ReadError> {
        let whole = self.whole(kind, what)?;
        usize::try_from(whole)
            .map_err(|_| self.error(&format!("\"{whole}\" stands where {what} should be")))
    }

    /// The next word as a finite number.
    ///
    /// # Errors
    /// If the text ends, or the word is not a finite number.
    pub(super) fn coordinate(&mut self) -> Result<f64, ReadError> {
        let number = self.value(Kind::F64, "a coordinate")?;
        if number.is_finite() {
            return Ok(number);
        }
        let message = format!(
            "line {}: a coordinate is {number}, but must be finite",
            self.line
        );
        Err(ReadError::new(message))
    }

    /// The next numbers of a kind, as words or as bytes.
    ///
    /// # Errors
    /// If the file ends, or a word is not a number.
    pub(super) fn values(
        &mut self,
        kind: Kind,
        count: usize,
        what: &str,
    ) -> Result<Vec<f64>, ReadError> {
        if let Some(order) = self.binary {
            let bytes = count.saturating_mul(kind.width());
            return Ok(kind.values(self.bytes(bytes, what)?, order));
        }

        let mut values = Vec::new();
        for _ in 0..count {
            values.push(self.number(what)?);
        }
        Ok(values)
    }

    /// An error at the line.
    pub(super) fn error(&self, message: &str) -> ReadError {
        ReadError::new(format!("line {}: {message}", self.line))
    }
}

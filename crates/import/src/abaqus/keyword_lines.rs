//! Lines of a file of Abaqus: keywords with parameters, each with lines of data.
//!
//! A keyword line that ends with a comma continues in the next one. Blank lines, and commas at the end
//! of a line of data, mean nothing. Texts in quotes keep their case and their blanks.

use crate::ReadError;

/// A keyword, its parameters and the lines that follow.
/// The manual calls the keyword line and its data an option.
pub(super) struct Card {
    /// Keyword in capital letters, without its star.
    pub(super) keyword: String,
    /// Parameters: names in capital letters, and values.
    parameters: Vec<(String, String)>,
    /// Lines of data.
    pub(super) lines: Vec<Data>,
    /// Number of the line of the keyword, from 1.
    line: usize,
}

/// A line of data.
pub(super) struct Data {
    /// Words between commas.
    words: Vec<String>,
    /// Number of the line, from 1.
    line: usize,
}

/// Keywords of a file one by one.
pub(super) struct Cards<'a> {
    /// Lines that are left, each with its number from 0.
    lines: std::iter::Peekable<std::iter::Enumerate<std::str::Lines<'a>>>,
}

impl<'a> Cards<'a> {
    /// Keywords of a text.
    pub(super) fn of(text: &'a str) -> Self {
        Self {
            lines: text.lines().enumerate().peekable(),
        }
    }
}

impl Iterator for Cards<'_> {
    type Item = Result<Card, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (number, first) = self
            .lines
            .by_ref()
            .find(|(_, line)| !is_comment(line) && !line.trim().is_empty())?;
        let mut head = first.trim().to_owned();
        let line = number + 1;
        let Some(stripped) = head.strip_prefix('*') else {
            let message =
                format!("line {line}: a line with a keyword, such as *NODE, should stand here");
            return Some(Err(ReadError::new(message)));
        };
        head = stripped.to_owned();
        // A keyword goes on in the next line after a comma.
        while head.ends_with(',') {
            let Some((_, more)) = self.lines.next() else {
                break;
            };
            head.push_str(more.trim());
        }

        // Lines of data up to the next keyword.
        let mut lines = Vec::new();
        while let Some((number, text)) = self
            .lines
            .next_if(|(_, line)| is_comment(line) || !line.trim_start().starts_with('*'))
        {
            if is_comment(text) || text.trim().is_empty() {
                continue;
            }
            let mut words: Vec<String> = text
                .split(',')
                .map(|word| unquoted(word).to_owned())
                .collect();
            while words.last().is_some_and(String::is_empty) {
                words.pop();
            }
            lines.push(Data {
                words,
                line: number + 1,
            });
        }

        // Keyword first, then parameters.
        let mut words = head.split(',');
        let keyword = words.next().unwrap_or_default();
        let parameters = words.filter(|word| !word.trim().is_empty()).map(|word| {
            let (name, value) = word.split_once('=').unwrap_or((word, ""));
            (name.trim().to_uppercase(), unquoted(value).to_owned())
        });

        Some(Ok(Card {
            keyword: keyword
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ")
                .to_uppercase(),
            parameters: parameters.collect(),
            lines,
            line,
        }))
    }
}

/// True if a line is a comment.
/// Blanks may stand before the two stars.
fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with("**")
}

/// A word without spaces and quotes around it.
fn unquoted(word: &str) -> &str {
    word.trim().trim_matches('"')
}

impl Card {
    /// Value of a parameter, if it is there.
    ///
    /// `name` is in capital letters. A parameter without a value, such as `GENERATE`, is empty.
    pub(super) fn parameter(&self, name: &str) -> Option<&str> {
        let own = self.parameters.iter().find(|(own, _)| own == name);
        own.map(|(_, value)| value.as_str())
    }

    /// Value of a parameter that must be there.
    ///
    /// An empty value counts as absent.
    ///
    /// # Errors
    /// If it is absent.
    pub(super) fn name(&self, name: &str) -> Result<&str, ReadError> {
        self.parameter(name)
            .filter(|value| !value.is_empty())
            .ok_or_else(|| self.error(&format!("*{} has no {name}=", self.keyword)))
    }

    /// An error at the line of the keyword.
    pub(super) fn error(&self, message: &str) -> ReadError {
        ReadError::new(format!("line {}: {message}", self.line))
    }
}

impl Data {
    /// Number of words.
    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    /// A word; empty if there are fewer.
    pub(super) fn word(&self, k: usize) -> &str {
        self.words.get(k).map_or("", String::as_str)
    }

    /// A word as a whole number.
    ///
    /// `k` counts words from 0, and `what` names the number in the message.
    ///
    /// # Errors
    /// If it is none.
    pub(super) fn number(&self, k: usize, what: &str) -> Result<u64, ReadError> {
        let word = self.word(k);
        word.parse().map_err(|_| {
            ReadError::new(format!(
                "line {}: \"{word}\" stands where {what} should be",
                self.line
            ))
        })
    }

    /// A word as a coordinate, 0 if it is absent. Exponents may have a D.
    ///
    /// # Errors
    /// If it is not a finite number.
    pub(super) fn coordinate(&self, k: usize) -> Result<f64, ReadError> {
        let word = self.word(k);
        if word.is_empty() {
            return Ok(0.0);
        }
        let number: Option<f64> = word.replace(['D', 'd'], "e").parse().ok();
        number.filter(|number| number.is_finite()).ok_or_else(|| {
            ReadError::new(format!(
                "line {}: \"{word}\" stands where a coordinate should be",
                self.line
            ))
        })
    }
}

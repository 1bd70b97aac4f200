//! Errors and warnings of a scene: place, reason, and what to do.
//!
//! A problem has a place in three forms. The path in the scene is always known. Line and column are
//! filled in if there is a text. Positions in the world are for pictures of the scene. A message
//! states what is wrong with its value and limit, then a semicolon and what to do.

use super::code::Code;
use ipcsim_math::Vec2;
use std::fmt;

/// Severity of a problem. Errors sort before warnings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The scene cannot be simulated.
    Error,
    /// The scene can be simulated, but the result may not be what the author meant.
    Warning,
}

/// A place in the text of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// Number of the line, from 1.
    pub line: usize,
    /// Number of the column in characters, from 1.
    pub column: usize,
}

/// An error or a warning of a scene.
///
/// It prints as `line 3, column 9 (bodies[0].shape): message`, or without the place in the text.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// Severity of the problem.
    pub severity: Severity,
    /// Kind of the problem, for programs.
    pub code: Code,
    /// JSON path of the value, such as `bodies[0].shape.disk.radius`.
    pub path: String,
    /// Place of the value in the text, or of the value around it.
    ///
    /// `None` if there is no text or the value comes from elsewhere, such as an override.
    pub location: Option<Location>,
    /// Description of the problem, and what to do.
    pub message: String,
    /// Positions in the world at the start that show the problem (m).
    pub places: Vec<Vec2>,
}

impl Problem {
    /// A problem that keeps a scene from being simulated, without a position in the world.
    pub fn error(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            code: Code::Value,
            path: path.into(),
            location: None,
            message: message.into(),
            places: Vec::new(),
        }
    }

    /// A problem with which a scene can be simulated, without a position in the world.
    pub fn warning(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(path, message)
        }
    }

    /// Gives the problem another kind than [`Code::Value`].
    #[must_use]
    pub fn coded(mut self, code: Code) -> Self {
        self.code = code;
        self
    }

    /// Adds a position that shows the problem (m).
    #[must_use]
    pub fn at(mut self, place: Vec2) -> Self {
        self.places.push(place);
        self
    }

    /// True if the scene cannot be simulated.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// Text in one line: names in it may have line feeds, which would look like another problem.
pub fn one_line(text: &str) -> String {
    text.replace('\n', "\\n").replace('\r', "\\r")
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [path, message] = [&self.path, &self.message].map(|text| one_line(text));
        match self.location {
            Some(Location { line, column }) => {
                write!(f, "line {line}, column {column} ({path}): {message}")
            }
            None => write!(f, "{path}: {message}"),
        }
    }
}

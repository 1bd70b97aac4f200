//! Errors and warnings of a scene: place, reason, and what to do.

use crate::math::Vec2;
use std::fmt;

/// Severity of a problem.
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
    /// Number of the column, from 1.
    pub column: usize,
}

/// An error or a warning of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// Severity of the problem.
    pub severity: Severity,
    /// JSON path of the value.
    pub path: String,
    /// Place of the value in the text, or of the value around it. None if there is no text or the value
    /// comes from elsewhere.
    pub location: Option<Location>,
    /// Description of the problem, and what to do.
    pub message: String,
    /// Positions in the world at the start that show the problem (m).
    pub places: Vec<Vec2>,
}

impl Problem {
    /// A problem that keeps a scene from being simulated.
    pub fn error(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            path: path.into(),
            location: None,
            message: message.into(),
            places: Vec::new(),
        }
    }

    /// A problem with which a scene can be simulated.
    pub fn warning(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(path, message)
        }
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

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, message, .. } = self;
        match self.location {
            Some(Location { line, column }) => {
                write!(f, "line {line}, column {column} ({path}): {message}")
            }
            None => write!(f, "{path}: {message}"),
        }
    }
}

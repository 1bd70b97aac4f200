//! What is wrong with a scene, or looks wrong: where, why, and what to do.

use crate::math::Vec2;
use std::fmt;

/// How bad a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The scene cannot be simulated.
    Error,
    /// It can, but what comes out may not be what was meant.
    Warning,
}

/// A place in the text of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
}

/// Something wrong in a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// How bad it is.
    pub severity: Severity,
    /// JSON path of the value.
    pub path: String,
    /// Where the value is in the text, or what encloses it there; none if the text is not known or does not say it.
    pub location: Option<Location>,
    /// What is wrong and what to do.
    pub message: String,
    /// Where it can be seen at the start (m).
    pub places: Vec<Vec2>,
}

impl Problem {
    /// A problem with which a scene cannot be simulated.
    pub fn error(path: impl Into<String>, message: impl Into<String>) -> Self {
        let (path, message) = (path.into(), message.into());
        Self {
            severity: Severity::Error,
            path,
            location: None,
            message,
            places: Vec::new(),
        }
    }

    /// A problem with which it can.
    pub fn warning(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(path, message)
        }
    }

    /// The same problem, to be seen at `place` (m), too.
    #[must_use]
    pub fn at(mut self, place: Vec2) -> Self {
        self.places.push(place);
        self
    }

    /// Whether the scene cannot be simulated.
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

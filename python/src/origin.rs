//! Where a scene comes from: its text, overrides of its values, and its file if it has one.

use crate::errors;
use ipcsim::scene::{Preflight, SHAPES, Scene, SceneError, Setup, Source, build};
use pyo3::prelude::*;
use std::path::{Path, PathBuf};

/// A scene as Python hands it over.
#[derive(Clone, FromPyObject)]
pub(crate) struct Origin {
    /// JSON text.
    text: String,
    /// Overrides of the form `key.key=value`.
    overrides: Vec<String>,
    /// Name for a scene that has none.
    name: Option<String>,
    /// Path of the file that the text is from, for messages.
    pub(crate) file: Option<String>,
    /// True if an author has written the text, so that its lines mean something.
    pub(crate) has_lines: bool,
}

impl Origin {
    /// Text of the scene with its overrides.
    pub(crate) fn source(&self) -> Source {
        Source {
            text: self.text.clone(),
            overrides: self.overrides.clone(),
            name: self.name.clone(),
            folder: self.folder(),
            shapes: SHAPES,
        }
    }

    /// Folder of the file, in which shapes are that the scene names.
    fn folder(&self) -> Option<PathBuf> {
        let file = self.file.as_ref()?;
        Path::new(file).parent().map(Path::to_path_buf)
    }

    /// The same scene with more overrides.
    pub(crate) fn with(&self, more: &[String]) -> Self {
        let mut origin = self.clone();
        origin.overrides.extend_from_slice(more);
        origin
    }

    /// The scene. Its keys and types are checked, its values are not.
    ///
    /// # Errors
    /// If the text is no scene, or if an override does not fit.
    pub(crate) fn scene(&self) -> Result<Scene, SceneError> {
        self.source().scene()
    }

    /// All problems that can be found before the first step, wrong keys and types among them, with
    /// their places in the text.
    ///
    /// # Errors
    /// If the text is no JSON, or if an override does not fit.
    pub(crate) fn look(&self) -> Result<Preflight, SceneError> {
        let mut found = self.source().preflight(|_| {})?;
        if !self.has_lines {
            for problem in &mut found.problems {
                problem.location = None;
            }
        }
        Ok(found)
    }

    /// World and state of the scene.
    ///
    /// # Errors
    /// With all problems of the scene, warnings included, if one of them is an error.
    pub(crate) fn setup(&self) -> Result<Setup, SceneError> {
        // The search for all problems takes time, which only a broken scene needs.
        self.scene().and_then(build).or_else(|first| {
            let problems = self.look()?.problems;
            if problems.is_empty() {
                return Err(first);
            }
            Err(SceneError::Invalid(problems))
        })
    }

    /// Exception for an error of this scene.
    pub(crate) fn raised(&self, py: Python, error: SceneError) -> PyErr {
        errors::scene(py, error, self)
    }
}

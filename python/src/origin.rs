//! Where a scene comes from: its text, overrides of its values, and its file if it has one.

use crate::errors;
use ipcsim::scene::{Preflight, Scene, SceneError, Setup, Source, build, preflight};
use pyo3::prelude::*;

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
    fn source(&self) -> Source {
        Source {
            text: self.text.clone(),
            overrides: self.overrides.clone(),
            name: self.name.clone(),
        }
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

    /// All problems that can be found before the first step, with their places in the text.
    ///
    /// # Errors
    /// If the text is no scene, or if an override does not fit.
    pub(crate) fn look(&self) -> Result<Preflight, SceneError> {
        let source = self.source();
        let mut found = preflight(source.scene()?);
        if self.has_lines {
            source.locate(&mut found.problems);
        }
        Ok(found)
    }

    /// World and state of the scene.
    ///
    /// # Errors
    /// With all problems of the scene, warnings included, if one of them is an error.
    pub(crate) fn setup(&self) -> Result<Setup, SceneError> {
        match build(self.scene()?) {
            // The search for warnings takes time, which only a broken scene needs.
            Err(SceneError::Invalid(_)) => Err(SceneError::Invalid(self.look()?.problems)),
            other => other,
        }
    }

    /// Exception for an error of this scene.
    pub(crate) fn raised(&self, py: Python, error: SceneError) -> PyErr {
        errors::scene(py, error, self)
    }
}

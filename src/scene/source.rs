//! The text of a scene: read once, parsed, and looked into again to tell where a problem is.

use super::error::SceneError;
use super::locate::{find, location};
use super::parse::parse;
use super::problem::Problem;
use super::schema::Scene;
use crate::files::read_text;
use std::path::Path;

/// Most problems whose places are looked up.
const LOCATED: usize = 1000;

/// Reads the scene in a file and applies overrides `key.key=value` to it. A scene without a name gets that of the file.
///
/// # Errors
/// [`SceneError::Read`], [`SceneError::Parse`] or [`SceneError::Override`].
pub fn read(path: &Path, overrides: &[String]) -> Result<Scene, SceneError> {
    Source::read(path, overrides)?.scene()
}

/// The text of a scene and what replaces its values.
#[derive(Clone, Debug)]
pub struct Source {
    /// The text.
    pub text: String,
    /// Overrides `key.key=value`.
    pub overrides: Vec<String>,
    /// The name of a scene that has none.
    pub name: Option<String>,
}

impl Source {
    /// Reads a file.
    ///
    /// # Errors
    /// [`SceneError::Read`].
    pub fn read(path: &Path, overrides: &[String]) -> Result<Self, SceneError> {
        let text = read_text(path).map_err(|source| SceneError::Read {
            path: path.to_path_buf(),
            source,
        })?;
        let name = path
            .file_stem()
            .map(|stem| stem.to_string_lossy().into_owned());
        Ok(Self {
            text,
            overrides: overrides.to_vec(),
            name,
        })
    }

    /// The scene.
    ///
    /// # Errors
    /// [`SceneError::Parse`] or [`SceneError::Override`].
    pub fn scene(&self) -> Result<Scene, SceneError> {
        let mut scene = parse(&self.text, &self.overrides)?;
        scene.name = scene.name.or_else(|| self.name.clone());
        Ok(scene)
    }

    /// Notes where in the text problems are, except those of values that are overridden.
    pub fn locate(&self, problems: &mut [Problem]) {
        for problem in problems.iter_mut().take(LOCATED) {
            if !self
                .overrides
                .iter()
                .any(|setting| overrides(setting, &problem.path))
            {
                problem.location = Some(location(
                    &self.text,
                    find(&self.text, &problem.path).span.start,
                ));
            }
        }
    }
}

/// Whether `key.key=value` replaces the value at `path` or what encloses it.
fn overrides(setting: &str, path: &str) -> bool {
    let key = setting.split_once('=').map_or(setting, |(key, _)| key);
    let path = path.replace('[', ".").replace(']', "");
    path.strip_prefix(key)
        .is_some_and(|below| below.is_empty() || below.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_override_hides_what_it_replaces() {
        assert!(overrides("bodies.0.shape=1", "bodies[0].shape.disk"));
        assert!(overrides("time.step=2", "time.step"));
        assert!(!overrides("time.step=2", "time.steps"));
        assert!(!overrides("bodies.0.position=[0,1]", "bodies[0]"));
    }
}

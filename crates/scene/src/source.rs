//! The text of a scene: read once, parsed, and searched for the places of problems.
//!
//! Parsing forgets where values stood. A source keeps the text beside the overrides from the
//! command line, so that the paths of later problems can be followed to lines and columns. A value
//! that an override replaces has no place in the text.

use super::error::SceneError;
use super::locate::{find, location, with_value};
use super::parse::{bracketed, numbered, parse};
use super::problem::{Location, Problem};
use super::schema::Scene;
use super::shape_files::{ShapeReader, resolve};
use ipcsim_math::files::{read_stdin, read_text};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Path that stands for standard input.
pub const STDIN: &str = "-";

/// Largest number of problems whose places are searched; each search reads the text once.
const LOCATED: usize = 1000;

/// Largest number of bytes of a string in a scene. Formulas are the longest.
const LONGEST: usize = 10_000;

/// Reads the scene in a file and applies overrides `key.key=value` to it.
///
/// A scene without a name gets that of the file, without its extension. `shapes` reads the shapes
/// that the scene takes from files.
///
/// # Errors
/// [`SceneError::Read`], or as [`Source::scene`].
pub fn read(
    path: &Path,
    overrides: &[String],
    shapes: &'static dyn ShapeReader,
) -> Result<Scene, SceneError> {
    Source::read(path, overrides, shapes)?.scene()
}

/// The text of a scene and the overrides of its values.
#[derive(Clone, Debug)]
pub struct Source {
    /// Text of the scene.
    pub text: String,
    /// Overrides of the form `key.key=value`.
    pub overrides: Vec<String>,
    /// Name for a scene that has none.
    pub name: Option<String>,
    /// Folder of the scene, in which shapes are that are read from files; without it none is read.
    pub folder: Option<PathBuf>,
    /// Reader of these shapes.
    pub shapes: &'static dyn ShapeReader,
}

impl Source {
    /// Reads the text of a file, or of standard input if the path is `-`, and keeps the overrides
    /// for [`Source::scene`]. Shapes of a scene from standard input are read from the working folder,
    /// by the reader `shapes`.
    ///
    /// # Errors
    /// [`SceneError::Read`] if the file cannot be read.
    pub fn read(
        path: &Path,
        overrides: &[String],
        shapes: &'static dyn ShapeReader,
    ) -> Result<Self, SceneError> {
        let is_stdin = path == Path::new(STDIN);
        let text = if is_stdin {
            read_stdin()
        } else {
            read_text(path)
        };
        let text = text.map_err(|source| SceneError::Read {
            path: path.to_path_buf(),
            source,
        })?;

        let name = path.file_stem().filter(|_| !is_stdin);
        let folder = if is_stdin {
            Some(Path::new(""))
        } else {
            path.parent()
        };
        Ok(Self {
            text,
            overrides: overrides.to_vec(),
            name: name.map(|stem| stem.to_string_lossy().into_owned()),
            folder: folder.map(Path::to_path_buf),
            shapes,
        })
    }

    /// Parses the text, applies the overrides, and reads the shapes that are in files.
    ///
    /// # Errors
    /// [`SceneError::Parse`], [`SceneError::Override`], or [`SceneError::Invalid`] with a problem
    /// for each file that cannot be read.
    pub fn scene(&self) -> Result<Scene, SceneError> {
        self.scene_with_notes(&mut Vec::new())
    }

    /// Reads the scene as [`Source::scene`] does, and adds what its shapes in files have changed or left
    /// out to `notes`.
    ///
    /// # Errors
    /// As [`Source::scene`].
    pub(super) fn scene_with_notes(&self, notes: &mut Vec<Problem>) -> Result<Scene, SceneError> {
        self.limits()?;
        let mut scene = parse(&self.text, &self.overrides)?;
        scene.name = scene.name.or_else(|| self.name.clone());
        let mut problems = resolve(&mut scene, self.folder.as_deref(), self.shapes, notes);
        if problems.is_empty() {
            return Ok(scene);
        }
        self.locate(&mut problems);
        Err(SceneError::Invalid(problems))
    }

    /// The source with its overrides written into the text.
    ///
    /// # Errors
    /// As [`Source::scene`].
    pub(super) fn settled(&self) -> Result<Self, SceneError> {
        self.scene()?;
        let mut settled = self.clone();
        for setting in std::mem::take(&mut settled.overrides) {
            let scene: Value = serde_json::from_str(&settled.text).unwrap_or_default();
            let (key, value) = setting.split_once('=').unwrap_or_default();
            let is_json = serde_json::from_str::<Value>(value).is_ok();
            let value = if is_json {
                value.to_owned()
            } else {
                Value::from(value).to_string()
            };
            settled.text = with_value(&settled.text, &bracketed(&scene, key), &value);
        }
        Ok(settled)
    }

    /// Refuses a text with a string that is longer than any that means something. Long ones take
    /// time in every search for a name that is like them.
    ///
    /// # Errors
    /// [`SceneError::Parse`] at the first such string.
    pub(super) fn limits(&self) -> Result<(), SceneError> {
        let Some(start) = long_string(self.text.as_bytes()) else {
            return Ok(());
        };
        let Location { line, column } = location(&self.text, start);
        Err(SceneError::Parse {
            line,
            column,
            path: ".".to_owned(),
            message: format!(
                "a text begins here that is longer than {LONGEST} bytes; shorten it, or close its quotes"
            ),
        })
    }

    /// Adds to each of the first 1,000 problems its place in the text, unless its value is
    /// overridden.
    pub fn locate(&self, problems: &mut [Problem]) {
        // The JSON of a long text fills the memory; only overrides need it.
        let scene: Option<Value> = match self.overrides[..] {
            [] => None,
            _ => serde_json::from_str(&self.text).ok(),
        };
        let numbered = |setting: &String| match &scene {
            Some(scene) => numbered(scene, key_of(setting)),
            // Without JSON no name can become a number.
            None => key_of(setting).to_owned(),
        };

        let keys: Vec<String> = self.overrides.iter().map(numbered).collect();
        for problem in problems.iter_mut().take(LOCATED) {
            let is_overridden = keys.iter().any(|key| overrides(key, &problem.path));
            if !is_overridden && problem.location.is_none() {
                let start = find(&self.text, &problem.path).span.start;
                problem.location = Some(location(&self.text, start));
            }
        }
    }
}

/// First byte of the first string of JSON that has more than [`LONGEST`] bytes.
fn long_string(bytes: &[u8]) -> Option<usize> {
    let mut start = None;
    let mut is_escaped = false;

    for (at, &byte) in bytes.iter().enumerate() {
        match start {
            None if byte == b'"' => start = Some(at),
            Some(start) if at - start > LONGEST => return Some(start),
            Some(_) if is_escaped => is_escaped = false,
            Some(_) if byte == b'\\' => is_escaped = true,
            Some(_) if byte == b'"' => start = None,
            _ => {}
        }
    }
    None
}

/// Key of `key.key=value`.
fn key_of(setting: &str) -> &str {
    setting.split_once('=').map_or(setting, |(key, _)| key)
}

/// True if a setting of `key`, with numbers for names, replaces the value at `path` or a value
/// around it.
fn overrides(key: &str, path: &str) -> bool {
    let path = path.replace('[', ".").replace(']', "");
    path.strip_prefix(key)
        .is_some_and(|below| below.is_empty() || below.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_override_hides_the_values_that_it_replaces() {
        let scene = serde_json::json!({ "bodies": [{ "name": "a" }, { "name": "b" }] });
        let key = |setting| numbered(&scene, key_of(setting));
        assert!(overrides(&key("bodies.0.shape=1"), "bodies[0].shape.disk"));
        assert!(overrides(&key("bodies.b.shape=1"), "bodies[1].shape.disk"));
        assert!(!overrides(&key("bodies.a.shape=1"), "bodies[1].shape.disk"));
        assert!(overrides(&key("time.step=2"), "time.step"));
        // A key that begins alike is another one.
        assert!(!overrides(&key("time.step=2"), "time.steps"));
        assert!(!overrides(&key("bodies.0.position=[0,1]"), "bodies[0]"));
    }
}

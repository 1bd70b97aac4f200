//! A scene from which many others are made: each has other values at a few keys.
//!
//! The text is read once. A variant replaces values in its JSON and is then read into types, so
//! that keys and values are checked as those of a file are.

use super::error::SceneError;
use super::parse::{apply, numbered, put, read};
use super::schema::Scene;
use super::shape_files::{ShapeReader, resolve};
use super::source::Source;
use serde_json::Value;
use std::path::PathBuf;

/// A value for a key of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// Path of the value: keys, and numbers of list entries from 0, joined by dots.
    pub key: String,
    /// The value.
    pub value: Value,
}

/// A scene from which others are made by replacing values.
#[derive(Clone, Debug)]
pub struct Template {
    /// JSON of the scene.
    scene: Value,
    /// Folder of the scene, in which shapes are that are read from files.
    folder: Option<PathBuf>,
    /// Reader of these shapes.
    shapes: &'static dyn ShapeReader,
}

impl Template {
    /// Template of the scene of a source, with its overrides and its name.
    ///
    /// # Errors
    /// [`SceneError::Parse`] or [`SceneError::Override`].
    pub fn new(source: &Source) -> Result<Self, SceneError> {
        // The source is read into types first, for the place of what is wrong in it.
        let scene = source.scene()?;

        // The text was read above, so that it is JSON.
        let mut value: Value = serde_json::from_str(&source.text).unwrap_or_default();
        for setting in &source.overrides {
            apply(&mut value, setting).map_err(|message| SceneError::Override {
                setting: setting.clone(),
                message,
            })?;
        }
        if let (Some(name), Value::Object(keys)) = (scene.name, &mut value) {
            keys.insert("name".to_owned(), Value::String(name));
        }
        Ok(Self {
            scene: value,
            folder: source.folder.clone(),
            shapes: source.shapes,
        })
    }

    /// Value of the scene at a path; `None` if nothing is there.
    pub fn value_at(&self, path: &str) -> Option<&Value> {
        let path = numbered(&self.scene, path);
        let mut keys = path.split('.');
        keys.try_fold(&self.scene, |place, key| match place {
            Value::Array(list) => list.get(key.parse::<usize>().ok()?),
            other => other.get(key),
        })
    }

    /// Template with these values, which all variants share.
    ///
    /// # Errors
    /// [`SceneError::Setting`], as of [`Template::with`].
    pub fn set(mut self, settings: &[Setting]) -> Result<Self, SceneError> {
        self.with(settings)?;
        for setting in settings {
            put(&mut self.scene, &setting.key, setting.value.clone())
                .map_err(|message| refused(setting, message))?;
        }
        Ok(self)
    }

    /// The scene with other values.
    ///
    /// # Errors
    /// [`SceneError::Setting`] with the first key that leads nowhere or whose value has a wrong
    /// type; [`SceneError::Invalid`] with a problem for each file of a shape that cannot be read.
    pub fn with(&self, settings: &[Setting]) -> Result<Scene, SceneError> {
        let mut value = self.scene.clone();
        for setting in settings {
            put(&mut value, &setting.key, setting.value.clone())
                .map_err(|message| refused(setting, message))?;
        }

        let mut scene = read(&value).map_err(|message| self.culprit(settings, message))?;
        let problems = resolve(
            &mut scene,
            self.folder.as_deref(),
            self.shapes,
            &mut Vec::new(),
        );
        if problems.is_empty() {
            Ok(scene)
        } else {
            Err(SceneError::Invalid(problems))
        }
    }

    /// Error of settings that together make no scene: that of the first one after which there is
    /// none.
    fn culprit(&self, settings: &[Setting], message: String) -> SceneError {
        let mut value = self.scene.clone();
        for setting in settings {
            let done = put(&mut value, &setting.key, setting.value.clone());
            if let Err(message) = done.and_then(|()| read(&value).map(|_| ())) {
                return refused(setting, message);
            }
        }

        SceneError::Parse {
            line: 1,
            column: 1,
            path: String::new(),
            message,
        }
    }
}

/// Error of a setting.
fn refused(setting: &Setting, message: String) -> SceneError {
    SceneError::Setting {
        setting: format!("{} = {}", setting.key, setting.value),
        message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NoShapeFiles;
    use serde_json::json;

    /// A scene in three lines.
    const SCENE: &str = r#"{ "time": { "step": 0.01, "steps": 3 },
  "materials": { "steel": { "density": 7800 } },
  "bodies": [ { "name": "a", "kind": "rigid", "shape": { "circle": { "radius": 1 } }, "material": "steel" } ] }"#;

    fn template(overrides: &[&str]) -> Template {
        Template::new(&Source {
            text: SCENE.to_owned(),
            overrides: overrides.iter().map(ToString::to_string).collect(),
            name: Some("balls".to_owned()),
            folder: None,
            shapes: &NoShapeFiles,
        })
        .unwrap()
    }

    fn setting(key: &str, value: Value) -> Setting {
        Setting {
            key: key.to_owned(),
            value,
        }
    }

    #[test]
    fn variants_have_their_values_and_nothing_else_changes() {
        let template = template(&["time.steps=7"]);
        let settings = [
            setting("bodies.0.position", json!([1, 2])),
            setting("materials.steel.density", json!(1000.5)),
        ];
        let template = template.set(&[setting("time.step", json!(0.5))]).unwrap();
        let scene = template.with(&settings).unwrap();

        assert_eq!(scene.time.step, 0.5);
        assert_eq!(scene.bodies[0].position, [1.0, 2.0]);
        // Overrides of the source stay.
        assert_eq!(scene.time.steps, 7);
        assert_eq!(scene.name.as_deref(), Some("balls"));
        // The template itself is as it was.
        assert_eq!(template.with(&[]).unwrap().bodies[0].position, [0.0, 0.0]);
    }

    #[test]
    fn the_setting_at_fault_is_named() {
        let template = template(&[]);
        let good = setting("time.step", json!(0.5));
        let bad = setting("time.stesp", json!(3));
        let message = template.with(&[good, bad]).unwrap_err().to_string();
        assert_eq!(
            message,
            "time.stesp = 3: time.stesp: unknown key \"stesp\"; did you mean \"steps\"?"
        );
    }
}

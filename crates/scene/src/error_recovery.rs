//! Reading a scene with wrong keys and types, so that all of its problems are found at once.
//!
//! A parser stops at the first key that it does not know. Here a misspelt key gets the name that
//! was probably meant, a stand-in is put in the place of a wrong value, and the rest is read again,
//! until a scene results or too much has been tried. What is said later about a value that was
//! mended is dropped, and a body with such a value is not built; see `preflight`.

use super::code::Code;
use super::error::SceneError;
use super::parse::{apply, at, in_words, located, scene_of, scene_of_text};
use super::preflight::{Preflight, preflight_beside};
use super::problem::Problem;
use super::schema::Scene;
use super::shape_files::resolve;
use super::source::Source;
use super::syntax::syntax;
use super::wrong::Wrong;
use serde_json::{Value, json};
use serde_path_to_error::Segment;

/// Number of wrong keys and types after which the rest is left for the next look.
const MOST: usize = 50;

/// Bytes that may be read in search of stand-ins, over and over.
const WORK: usize = 100_000_000;

/// Length of a text (bytes) beyond which only its first wrong key or type is found: the JSON of a text takes
/// thirty times its length in memory.
const LONG: usize = 10_000_000;

/// A scene that was read as far as possible.
#[derive(Debug)]
pub(super) struct Lenient {
    /// Scene with stand-ins for wrong values; `None` if it cannot be read even so.
    scene: Option<Scene>,
    /// Wrong keys and types.
    problems: Vec<Problem>,
}

impl Source {
    /// Finds all errors and warnings of the scene, wrong keys and types among them, with their lines
    /// and columns. `edit` changes the scene before it is looked at.
    ///
    /// # Errors
    /// [`SceneError::Parse`] if the text is no JSON; [`SceneError::Override`] if an override is
    /// wrong.
    pub fn preflight(&self, edit: impl FnOnce(&mut Scene)) -> Result<Preflight, SceneError> {
        let mut of_files = Vec::new();
        let Lenient { scene, problems } = self.lenient(&mut of_files)?;
        let mut found = match scene {
            None => Preflight {
                setup: None,
                problems,
                notes: Vec::new(),
            },
            Some(mut scene) => {
                edit(&mut scene);
                preflight_beside(scene, problems)
            }
        };
        found.notes.splice(0..0, of_files);
        self.locate(&mut found.problems);
        self.locate(&mut found.notes);
        Ok(found)
    }

    /// Reads the scene and applies the overrides, with all wrong keys and types at once. Adds what shapes in
    /// files have changed or left out to `notes`.
    ///
    /// # Errors
    /// [`SceneError::Parse`] if the text is no JSON, or long and wrong; [`SceneError::Override`] if an override
    /// is wrong.
    pub(super) fn lenient(&self, notes: &mut Vec<Problem>) -> Result<Lenient, SceneError> {
        self.limits()?;
        let Err(first) = scene_of_text(&self.text) else {
            return Ok(Lenient {
                scene: Some(self.scene_with_notes(notes)?),
                problems: Vec::new(),
            });
        };

        if self.text.len() > LONG {
            return Err(syntax(&self.text, first));
        }
        let mut value = match serde_json::from_str::<Value>(&self.text) {
            Ok(value) => value,
            // Where both find the fault, the types know the path to it.
            Err(error) => {
                let plain = located(&error, ".");
                let is_same = place_of(&first) == place_of(&plain);
                let error = if is_same { first } else { plain };
                return Err(syntax(&self.text, error));
            }
        };

        if value.is_array() {
            let message =
                "found a list, but a scene is an object, { \"time\": ..., \"bodies\": ... }";
            return Ok(Lenient {
                scene: None,
                problems: vec![Problem::error("scene", message)],
            });
        }

        let mut problems = Vec::new();
        let scene = mended(&mut value, self.text.len(), &mut problems);
        keep_first(first, &mut problems);
        let scene = scene.map(|scene| {
            let overridden = self
                .overrides
                .iter()
                .map(|setting| apply(&mut value, setting).ok());
            let mut scene = overridden.last().flatten().unwrap_or(scene);
            scene.name = scene.name.or_else(|| self.name.clone());
            problems.extend(resolve(
                &mut scene,
                self.folder.as_deref(),
                self.shapes,
                notes,
            ));
            scene
        });
        Ok(Lenient { scene, problems })
    }
}

/// Line and column of an error of the parser; `None` of another error.
fn place_of(error: &SceneError) -> Option<[usize; 2]> {
    match error {
        SceneError::Parse { line, column, .. } => Some([*line, *column]),
        _ => None,
    }
}

/// Gives the first problem the line and column that the parser has found it at. A problem that only
/// the text shows, such as a repeated key, is put in front.
fn keep_first(first: SceneError, problems: &mut Vec<Problem>) {
    let SceneError::Parse {
        line,
        column,
        path,
        message,
    } = first
    else {
        return;
    };
    let location = Some(super::problem::Location { line, column });
    match problems.first_mut() {
        Some(problem) if problem.path == path || problem.message == message => {
            problem.location = location;
        }
        _ => problems.insert(
            0,
            Problem {
                location,
                ..Problem::error(path, message).coded(Code::Syntax)
            },
        ),
    }
}

/// Scene of a value whose wrong parts are replaced, each with a problem; `None` if that is not
/// possible.
fn mended(value: &mut Value, length: usize, problems: &mut Vec<Problem>) -> Option<Scene> {
    // Each try reads the whole scene, so that a long one has fewer.
    let mut left = WORK / length.max(1);
    for _ in 0..MOST {
        let wrong = match scene_of(value) {
            Ok(scene) => return Some(scene),
            Err(wrong) => wrong,
        };

        let found = at(value, &wrong.place).cloned();
        let message = in_words(&wrong.message, found.as_ref());
        // A key that the whole scene lacks is its own place.
        let path = match missing(&wrong) {
            Some(key) if wrong.path == "." => key.to_owned(),
            _ if wrong.path == "." => "scene".to_owned(),
            _ => wrong.path.clone(),
        };
        problems.push(Problem::error(path, message).coded(Code::Syntax));
        if !mend(value, &wrong, &mut left) {
            return None;
        }
    }
    None
}

/// Key that a wrong value lacks; `None` if something else is wrong with it.
fn missing(wrong: &Wrong) -> Option<&str> {
    let (key, _) = wrong
        .message
        .strip_prefix("missing field `")?
        .split_once('`')?;
    Some(key)
}

/// Takes a wrong value out, or puts a stand-in into its place or into that of a key that is
/// missing. False if nothing helps.
fn mend(value: &mut Value, wrong: &Wrong, left: &mut usize) -> bool {
    if let Some(key) = missing(wrong) {
        let key = Segment::Map {
            key: key.to_owned(),
        };
        let place: Vec<Segment> = wrong.place.iter().cloned().chain([key]).collect();
        return replace(value, &place, left);
    }
    if wrong.message.starts_with("unknown field") {
        return rename(value, wrong);
    }
    let before = value.clone();
    if replace(value, &wrong.place, left) {
        return true;
    }
    // Stand-ins that do not help have replaced the value.
    *value = before;
    remove(value, &wrong.place).is_some() && helps(value, &wrong.place)
}

/// Gives a value with an unknown key the key that was probably meant, if that fits; otherwise takes
/// it out. False if there is no such value.
fn rename(value: &mut Value, wrong: &Wrong) -> bool {
    let Some(moved) = remove(value, &wrong.place) else {
        return false;
    };

    let message = in_words(&wrong.message, None);
    let near = message
        .split_once("did you mean \"")
        .and_then(|(_, near)| near.split_once('"'));
    let (Some((near, _)), Some((_, around))) = (near, wrong.place.split_last()) else {
        return true;
    };

    let key = Segment::Map {
        key: near.to_owned(),
    };
    let place: Vec<Segment> = around.iter().cloned().chain([key]).collect();
    if at(value, &place).is_none()
        && let Some(target) = put(value, &place)
    {
        *target = moved;
        // A value that does not fit its new key would only be another problem.
        if !helps(value, &place) {
            remove(value, &place);
        }
    }
    true
}

/// Puts stand-ins into a place until one helps. False if none does.
fn replace(value: &mut Value, place: &[Segment], left: &mut usize) -> bool {
    for stand_in in stand_ins() {
        if *left == 0 {
            return false;
        }
        *left -= 1;
        let Some(target) = put(value, place) else {
            return false;
        };
        *target = stand_in;
        if helps(value, place) {
            return true;
        }
    }
    false
}

/// Values, one for almost any key.
fn stand_ins() -> [Value; 15] {
    [
        json!(1),
        json!("stand-in"),
        json!([1, 1]),
        json!(true),
        json!([]),
        json!({}),
        json!({ "square": { "side": 1, "segments": 1 } }),
        json!({ "neo_hookean": { "young": 1e5, "poisson": 0.3 } }),
        json!({ "half_plane": { "normal": [0, 1], "origin": [0, 0] } }),
        json!(["a", "b"]),
        json!("rigid"),
        json!({ "step": 0.01, "steps": 1 }),
        json!({ "name": "stand-in", "shape": { "square": { "side": 1, "segments": 1 } },
                "material": "stand-in" }),
        json!([0, 1, 2]),
        Value::Null,
    ]
}

/// True if a scene results, or at least the next wrong value is neither at `place` nor around it.
fn helps(value: &Value, place: &[Segment]) -> bool {
    let Err(next) = scene_of(value) else {
        return true;
    };
    let same = |a: &Segment, b: &Segment| match (a, b) {
        (Segment::Seq { index: a }, Segment::Seq { index: b }) => a == b,
        (Segment::Map { key: a }, Segment::Map { key: b }) => a == b,
        (Segment::Enum { .. } | Segment::Unknown, _)
        | (_, Segment::Enum { .. } | Segment::Unknown) => true,
        _ => false,
    };
    let is_on_the_way = next.place.iter().zip(place).all(|(a, b)| same(a, b));
    if !is_on_the_way {
        return true;
    }

    // Something else may be wrong with what is around.
    let is_around = next.place.len() < place.len();
    let is_other = match (missing(&next), place.last()) {
        (Some(key), Some(Segment::Map { key: own })) => key != own,
        (Some(_), _) => true,
        (None, _) => next.message.starts_with("unknown field"),
    };
    is_around && is_other
}

/// Place to put a value at; a key that is missing is added.
fn put<'a>(value: &'a mut Value, place: &[Segment]) -> Option<&'a mut Value> {
    let mut here = value;
    for segment in place {
        here = match segment {
            Segment::Seq { index } => here.get_mut(index)?,
            Segment::Map { key } => {
                let entries = here.as_object_mut()?;
                entries.entry(key.clone()).or_insert(Value::Null)
            }
            Segment::Enum { variant } if here.get(variant).is_some() => here.get_mut(variant)?,
            Segment::Enum { .. } | Segment::Unknown => here,
        };
    }
    Some(here)
}

/// Removes the key at the end of a place, and returns its value. `None` if that is no key of an
/// object.
fn remove(value: &mut Value, place: &[Segment]) -> Option<Value> {
    let (Segment::Map { key }, around) = place.split_last()? else {
        return None;
    };
    let around = put(value, around).and_then(Value::as_object_mut);
    around?.remove(key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NoShapeFiles;

    /// Problems of a text, as they print.
    fn problems(text: &str) -> Vec<String> {
        let source = Source {
            text: text.to_owned(),
            overrides: Vec::new(),
            name: None,
            folder: None,
            shapes: &NoShapeFiles,
        };
        let found = source.lenient(&mut Vec::new()).unwrap();
        assert!(found.scene.is_some(), "{:?}", found.problems);
        found.problems.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn all_wrong_keys_and_types_are_found_at_once() {
        let text = r#"{ "time": { "dt": 0.01, "step": 0.01, "steps": "many" },
  "materials": { "rubber": { "Density": 1000 } },
  "bodies": [ { "name": "a", "shape": "disk", "material": "rubber", "velocty": [0, 1] },
              { "name": "b", "shape": { "square": { "side": 1, "segments": 2 } }, "material": "rubber", "position": [0, 0.5, 0] } ] }"#;

        let found = problems(text);
        let starts = [
            "line 1, column 16 (time.dt): unknown key \"dt\"",
            "time.steps: found the text \"many\", expected a whole number, 0 or larger",
            "materials.rubber.Density: unknown key \"Density\"; did you mean \"density\"?",
            "bodies[0].shape.disk: found \"disk\" alone; give its settings too: { \"disk\": { ... } }",
            "bodies[0].velocty: unknown key \"velocty\"; did you mean \"velocity\"?",
            "bodies[1].position: found 3 numbers, expected 2, [x, y]",
        ];
        for (found, expected) in found.iter().zip(starts) {
            assert!(found.starts_with(expected), "{found}\n{expected}");
        }
        assert_eq!(found.len(), starts.len(), "{found:#?}");
    }

    #[test]
    fn what_only_the_text_shows_comes_first() {
        let text = r#"{ "time": { "step": 0.01, "step": 0.02, "steps": 1 }, "boddies": [], "bodies": [] }"#;
        let found = problems(text);
        assert!(found[0].contains("repeated key \"step\""), "{found:?}");
        assert!(found[1].contains("did you mean \"bodies\"?"), "{found:?}");
    }
}

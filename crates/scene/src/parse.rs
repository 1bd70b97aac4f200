//! From text to a scene: syntax, types and keys, with the place of every error.
//!
//! The types of the scene refuse unknown keys, and the reader follows the path to a wrong value.
//! This room translates the parser's messages into the words of the scene file, and replaces the
//! list of all known keys by the one that was probably meant.
//!
//! Overrides such as `time.step=0.005` change the JSON before it is read into types. An override
//! can therefore set any key, and it is checked as the file is. The parser stops at the first
//! error, so that there is one message; all other problems of a scene come from the checks,
//! together.

use super::error::SceneError;
use super::key_path::about_change;
use super::locate::{find, location};
use super::names::nearest;
use super::other_names::instead_of;
use super::problem::Location;
use super::schema::Scene;
use super::units::{in_si, may_be_in};
use super::wrong::Wrong;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use serde_path_to_error::Segment;

/// Parses a scene and applies overrides `key.key=value` to it, one after the other.
///
/// The text must be a scene even without the overrides.
///
/// # Errors
/// [`SceneError::Parse`] or [`SceneError::Override`].
pub fn parse(text: &str, overrides: &[String]) -> Result<Scene, SceneError> {
    let mut scene = scene_of_text(text)?;

    // Every override must leave a scene.
    if !overrides.is_empty() {
        let mut value: Value = serde_json::from_str(text).map_err(|error| located(&error, "."))?;
        scene = overridden(&mut value, overrides, scene)?;
    }
    end_fits(&mut scene);
    Ok(scene)
}

/// Gives fits without an end that of the run, which the scene has when it is read: a run that stops earlier, or
/// goes on for longer, grows them alike.
fn end_fits(scene: &mut Scene) {
    let end = scene.time.step * scene.time.steps as f64;
    for fit in &mut scene.contact.interference {
        fit.until.get_or_insert(end);
    }
}

/// The scene of a value after all overrides; the one before if there are none.
fn overridden(
    value: &mut Value,
    overrides: &[String],
    mut scene: Scene,
) -> Result<Scene, SceneError> {
    for setting in overrides {
        scene = apply(value, setting).map_err(|message| SceneError::Override {
            setting: setting.clone(),
            message,
        })?;
    }
    Ok(scene)
}

/// Reads a scene from text, with its numbers in SI.
///
/// # Errors
/// [`SceneError::Parse`] with line, column and path of the first wrong value.
pub(super) fn scene_of_text(text: &str) -> Result<Scene, SceneError> {
    // The text itself is read into types if it is in SI already, for the places of all errors.
    if !may_be_in(text) {
        return typed(text);
    }
    let Ok(mut value) = serde_json::from_str::<Value>(text) else {
        return typed(text);
    };
    let wrong = match in_si(&mut value) {
        Ok(false) => return typed(text),
        Ok(true) => match scene_of_si(&value) {
            Ok(scene) => return Ok(scene),
            Err(wrong) => wrong,
        },
        Err(wrong) => wrong,
    };

    let start = find(text, &wrong.path).span.start;
    let Location { line, column } = location(text, start);
    Err(SceneError::Parse {
        line,
        column,
        message: in_words(&wrong.message, at(&value, &wrong.place)),
        path: wrong.path,
    })
}

/// Reads JSON into a type.
///
/// # Errors
/// [`SceneError::Parse`] with line, column and path of the first wrong value, or of text after the
/// end.
pub fn typed<T: DeserializeOwned>(text: &str) -> Result<T, SceneError> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let value =
        serde_path_to_error::deserialize(&mut reader).map_err(|error| parse_error(&error))?;
    reader.end().map_err(|error| located(&error, "."))?;
    Ok(value)
}

/// Message about a list with more entries than its type has.
const TOO_LONG: &str = "expected fewer elements";

/// Reads a scene from JSON, with its numbers in SI.
///
/// # Errors
/// The first wrong value.
pub(super) fn scene_of(value: &Value) -> Result<Scene, Wrong> {
    let mut value = value.clone();
    in_si(&mut value)?;
    scene_of_si(&value)
}

/// Reads a scene from JSON in SI.
///
/// The scene is read from the text of the JSON, so that its types are compiled for one source only.
///
/// # Errors
/// The first wrong value.
fn scene_of_si(value: &Value) -> Result<Scene, Wrong> {
    let text = value.to_string();
    let mut reader = serde_json::Deserializer::from_str(&text);

    serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        // The place in this text means nothing to an author.
        let text = error.inner().to_string();
        let message = match text.split(" at line ").next() {
            Some("trailing characters") => TOO_LONG,
            Some(message) => message,
            None => &text,
        };
        Wrong {
            place: error.path().iter().cloned().collect(),
            path: error.path().to_string(),
            message: message.to_owned(),
        }
    })
}

/// Error of a value, with its path.
fn parse_error(error: &serde_path_to_error::Error<serde_json::Error>) -> SceneError {
    located(error.inner(), &error.path().to_string())
}

/// Error of the parser at its line and column, in words of the scene file.
///
/// `path` is that of the value; `.` for the whole text.
pub(super) fn located(error: &serde_json::Error, path: &str) -> SceneError {
    let text = error.to_string();
    let message = text.split(" at line ").next().unwrap_or(&text);
    let message = match message {
        "trailing characters" if path == "." => {
            "there is text after the end of the scene".to_owned()
        }
        "trailing characters" => "found more entries than expected".to_owned(),
        other if is_plain_coefficient(other, path) => {
            let (_, number) = other.split_once('`').unwrap_or_default();
            let number = number.split('`').next().unwrap_or_default();
            format!("found the number {number}; write {{ \"default\": {number} }}")
        }
        other => of_choice(other, path).unwrap_or_else(|| in_words(other, None)),
    };

    SceneError::Parse {
        line: error.line(),
        // Column 0 is given for an error right after a line feed.
        column: error.column().max(1),
        path: path.to_owned(),
        message,
    }
}

/// True if a message is about a number in the place of the coefficients of all pairs.
fn is_plain_coefficient(message: &str, path: &str) -> bool {
    let is_number = ["invalid type: integer", "invalid type: floating point"];
    let is_of_pairs = ["contact.friction", "contact.restitution"].contains(&path);
    is_of_pairs && is_number.iter().any(|start| message.starts_with(start))
}

/// Sentence about a number or a switch in the place of the name of a choice, for a key that looks like a
/// switch; `None` for other keys and messages.
fn of_choice(message: &str, path: &str) -> Option<String> {
    let is_other = message == "expected value" && path == "contact.collide";
    let sentence =
        "expected \"all\", \"unlinked\" for links that pass through each other, or \"none\"";
    is_other.then(|| sentence.to_owned())
}

/// Expressions of the parser, and those of the scene file, in the order of their replacement.
const PLAIN: [(&str, &str); 19] = [
    (
        "EOF while parsing a value",
        "the file ends where a value should be",
    ),
    ("EOF while parsing", "the file ends within"),
    (
        "expected value",
        "a value is missing here: a number, a text in double quotes, a list or an object",
    ),
    ("invalid type: ", "found "),
    ("invalid value: ", "found "),
    ("found map", "found an object"),
    ("found sequence", "found a list"),
    ("found string", "found the text"),
    ("found integer", "found the number"),
    ("found floating point", "found the number"),
    ("found boolean", "found"),
    ("expected a sequence", "expected a list"),
    ("expected a map", "expected an object"),
    ("expected f64", "expected a number"),
    ("expected usize", "expected a whole number, 0 or larger"),
    ("expected u32", "expected a whole number, 0 or larger"),
    ("expected i64", "expected a whole number"),
    ("missing field", "missing key"),
    ("duplicate field", "repeated key"),
];

/// Message of the parser in words of the scene file, about the value that was `found` if it is
/// known.
///
/// Names of types in the program mean nothing to an author, so that an expected struct becomes an
/// object, and a variant the name of a choice.
pub(super) fn in_words(message: &str, found: Option<&Value>) -> String {
    let sentence = found.and_then(|found| about_choice(message, found));
    if let Some(sentence) = sentence.or_else(|| about_length(message)) {
        return sentence;
    }
    let plain = PLAIN.iter().fold(message.to_owned(), |text, (from, to)| {
        text.replace(from, to)
    });
    match plain.split_once("expected struct ") {
        Some((before, _)) => format!("{before}expected an object, {{ ... }}"),
        None => in_quotes(&with_suggestion(plain)),
    }
}

/// Message with keys in quotes where the parser has them in backticks, and numbers without.
fn in_quotes(message: &str) -> String {
    let mut text = String::with_capacity(message.len());
    for (k, part) in message.split('`').enumerate() {
        let is_inside = k % 2 == 1;
        let is_plain = part.parse::<f64>().is_ok() || ["true", "false"].contains(&part);
        if is_inside && !is_plain {
            text.extend(["\"", part, "\""]);
        } else {
            text += part;
        }
    }
    text
}

/// Sentence about an object with more or fewer entries than the one choice that it makes.
///
/// A setting may stand beside the choice that it belongs to, as `--set law.young=1e6` puts it.
fn about_choices(entries: &Map<String, Value>) -> String {
    let names: Vec<&str> = entries.keys().map(String::as_str).collect();
    let choices: Vec<&str> = entries
        .iter()
        .filter(|(_, value)| value.is_object())
        .map(|(name, _)| name.as_str())
        .collect();

    match (&names[..], &choices[..]) {
        ([], _) => "found an empty object; name one choice in it".to_owned(),
        (_, [choice]) if names.len() > 1 => {
            let beside: Vec<&str> = names.into_iter().filter(|name| name != choice).collect();
            format!(
                "found {} beside the choice {choice}, whose settings are inside it: {{ \"{choice}\": {{ \"{}\": ... }} }}",
                beside.join(" and "),
                beside[0]
            )
        }
        _ => format!(
            "found {} choices, {}, where one is to be made; remove the others",
            names.len(),
            names.join(" and ")
        ),
    }
}

/// Largest number of letters of a wrong value in a message.
const SHOWN: usize = 40;

/// Sentence about a list with another number of entries than its type has; `None` if the message is about
/// something else.
fn about_length(message: &str) -> Option<String> {
    let (found, expected) = message
        .strip_prefix("invalid length ")?
        .split_once(", expected ")?;
    let count = expected
        .split(' ')
        .find(|word| word.parse::<usize>().is_ok())?;
    let entries = if found == "1" { "entry" } else { "entries" };
    Some(format!("found {found} {entries}, expected {count}"))
}

/// Sentence about a value that is to be one of several choices, or a list of another length; `None`
/// if the message is about something else.
fn about_choice(message: &str, found: &Value) -> Option<String> {
    // Serde has these phrases, which mean nothing to an author.
    let is_too_long = message.contains(TOO_LONG);
    let is_choice = message.contains("map with a single key") || message == "expected value";
    match found {
        Value::String(name) if message.contains("unit variant, expected") => Some(format!(
            "found \"{name}\" alone; give its settings too: {{ \"{name}\": {{ ... }} }}"
        )),
        Value::Object(_) if message.ends_with("expected unit") => Some(
            "found an object, but this choice has no settings; write its name alone".to_owned(),
        ),
        Value::Object(entries) if is_choice => Some(about_choices(entries)),
        Value::Number(_) | Value::Bool(_) | Value::Null | Value::Array(_) if is_choice => {
            let text: String = found.to_string().chars().take(SHOWN).collect();
            Some(format!(
                "found {text}, expected a choice with its settings: {{ \"name\": {{ ... }} }}"
            ))
        }
        Value::Array(items) if is_too_long && items.iter().all(Value::is_number) => Some(format!(
            "found {} numbers, expected {}",
            items.len(),
            if items.len() == 3 {
                "2, [x, y]"
            } else {
                "fewer"
            }
        )),
        Value::Array(items) if is_too_long => {
            Some(format!("found {} entries, expected fewer", items.len()))
        }
        _ => None,
    }
}

/// Replaces the list of all known keys by the one that was probably meant, and says of a key that no
/// change can set when it is set.
///
/// The parser quotes the unknown key first and then all known ones. A message about anything else
/// stays as it is.
fn with_suggestion(message: String) -> String {
    let mut quoted = message.split('`').skip(1).step_by(2);
    let kind = ["field", "variant"]
        .into_iter()
        .find(|kind| message.starts_with(&format!("unknown {kind}")));
    let (Some(kind), Some(unknown)) = (kind, quoted.next()) else {
        return message;
    };
    let what = if kind == "field" { "key" } else { "choice" };

    // A known key that is like it, or else all of them.
    let known: Vec<&str> = quoted.collect();
    if let Some(instead) = instead_of(unknown, &known) {
        return format!("unknown {what} \"{unknown}\"; {instead}");
    }
    if let Some(near) = nearest(unknown, known.iter().copied()) {
        return format!("unknown {what} \"{unknown}\"; did you mean \"{near}\"?");
    }
    about_change(unknown, &known).unwrap_or_else(|| {
        let known = known.join(", ");
        format!("unknown {what} \"{unknown}\"; known are {known}")
    })
}

/// Applies `key.key=value` to the scene's JSON and returns the scene that results.
///
/// A value that is not JSON is taken as a string, so that names need no quotes.
///
/// # Errors
/// A message: there is no `=`, the key leads nowhere, or the value has a wrong type.
pub(super) fn apply(scene: &mut Value, setting: &str) -> Result<Scene, String> {
    let parts = setting.split_once('=');
    let (key, text) = parts.ok_or("expected key=value, for example time.step=0.005")?;
    let value = serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()));

    put(scene, key, value)?;
    read(scene)
}

/// Sets the value at `key.key` in the JSON of a scene.
///
/// # Errors
/// A message: the key leads nowhere.
pub(super) fn put(scene: &mut Value, key: &str, value: Value) -> Result<(), String> {
    let mut place = scene;
    for part in key.split('.') {
        place = entry(place, part)?;
    }
    *place = value;
    Ok(())
}

/// Scene of a JSON value. The types check keys and values.
///
/// # Errors
/// A message with the path of the first wrong value.
pub(super) fn read(scene: &Value) -> Result<Scene, String> {
    scene_of(scene).map_err(|wrong| {
        let Wrong {
            place,
            path,
            message,
        } = wrong;
        let words = of_choice(&message, &path);
        let words = words.unwrap_or_else(|| in_words(&message, at(scene, &place)));
        format!("{path}: {words}")
    })
}

/// Value at a place.
pub(super) fn at<'a>(value: &'a Value, place: &[Segment]) -> Option<&'a Value> {
    let mut here = value;
    for segment in place {
        here = match segment {
            Segment::Seq { index } => here.get(index)?,
            Segment::Map { key } => here.get(key)?,
            Segment::Enum { variant } => here.get(variant).unwrap_or(here),
            Segment::Unknown => here,
        };
    }
    Some(here)
}

/// Path of a setting with numbers for names of bodies: `bodies.ball.velocity` is
/// `bodies.0.velocity` if the first body is called ball.
pub(super) fn numbered(scene: &Value, key: &str) -> String {
    let parts = steps(scene, key)
        .into_iter()
        .map(|(part, number)| match number {
            Some(number) => number.to_string(),
            None => part.to_owned(),
        });
    parts.collect::<Vec<_>>().join(".")
}

/// Path of a setting as problems have it: `bodies.ball.velocity` is `bodies[0].velocity` if the first body
/// is called ball.
pub(super) fn bracketed(scene: &Value, key: &str) -> String {
    let mut path = String::new();
    for (part, number) in steps(scene, key) {
        match number {
            Some(number) => path.extend(["[", &number.to_string(), "]"]),
            None if path.is_empty() => path += part,
            None => path.extend([".", part]),
        }
    }
    path
}

/// Parts of a path, each with the number of its entry where it leads into a list.
fn steps<'a>(scene: &Value, key: &'a str) -> Vec<(&'a str, Option<usize>)> {
    // Where the path leaves the scene its parts stay as they are.
    let mut place = Some(scene);
    let parts = key.split('.').map(|part| {
        let number = match place {
            Some(Value::Array(items)) => number_of(items, part).ok(),
            _ => None,
        };
        place = place.and_then(|value| match number {
            Some(number) => value.get(number),
            None => value.get(part),
        });
        (part, number)
    });
    parts.collect()
}

/// Number of the entry of a list that `part` stands for: its number from 0, or the name that the
/// entry has under `"name"`, as bodies and obstacles do.
///
/// # Errors
/// A message with the names that there are, or with the number of entries.
fn number_of(items: &[Value], part: &str) -> Result<usize, String> {
    let count = items.len();
    if let Some(index) = part.parse().ok().filter(|&index| index < count) {
        return Ok(index);
    }

    let names = || items.iter().map(|item| item.get("name")?.as_str());
    if let Some(index) = names().position(|name| name == Some(part)) {
        return Ok(index);
    }

    // A number out of range, or a name with a letter wrong.
    let known: Vec<&str> = names().flatten().collect();
    let is_number = part.bytes().all(|byte| byte.is_ascii_digit());
    let message = format!("\"{part}\" is not the number of one of {count} entries");
    Err(match nearest(part, known.iter().copied()) {
        _ if is_number || known.is_empty() => message,
        Some(near) => format!("no entry is named \"{part}\"; did you mean \"{near}\"?"),
        None => {
            let shown: Vec<String> = known
                .iter()
                .take(NAMED)
                .map(|n| format!("\"{n}\""))
                .collect();
            let more = if known.len() > NAMED { ", ..." } else { "" };
            format!(
                "no entry is named \"{part}\"; there are {}{more}, or numbers from 0 to {}",
                shown.join(", "),
                count - 1
            )
        }
    })
}

/// Largest number of names that a message lists.
const NAMED: usize = 10;

/// Entry of an array by its number or name, or of an object by its key. A key that is missing is
/// added with an empty object.
///
/// # Errors
/// A message: the array has no such entry, or the value has no entries at all.
fn entry<'a>(value: &'a mut Value, part: &str) -> Result<&'a mut Value, String> {
    match value {
        Value::Array(items) => {
            let index = number_of(items, part)?;
            items
                .get_mut(index)
                .ok_or_else(|| format!("there is no entry {index}"))
        }
        Value::Object(entries) => {
            let empty = Value::Object(serde_json::Map::new());
            Ok(entries.entry(part).or_insert(empty))
        }
        _ => Err(format!("\"{part}\" is below a value that has no keys")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A scene in three lines.
    const SCENE: &str = r#"{ "time": { "step": 0.01, "steps": 3 },
  "materials": { "rubber": { "density": 1000, "law": { "neo_hookean": { "young": 1e5, "poisson": 0.4 } } } },
  "bodies": [ { "name": "a", "shape": { "square": { "side": 1, "segments": 2 } }, "material": "rubber" } ] }"#;

    /// Message of the error that a text with overrides gives.
    fn message(text: &str, overrides: &[&str]) -> String {
        let overrides: Vec<String> = overrides.iter().map(ToString::to_string).collect();
        parse(text, &overrides).unwrap_err().to_string()
    }

    #[test]
    fn an_unknown_key_is_named_with_its_place_and_the_nearest_known_one() {
        let text = SCENE.replace("\"young\"", "\"yuong\"");
        let message = message(&text, &[]);
        assert!(message.starts_with("line 2, column "), "{message}");
        assert!(
            message.contains("materials.rubber.law.neo_hookean"),
            "{message}"
        );
        assert!(
            message.ends_with("unknown key \"yuong\"; did you mean \"young\"?"),
            "{message}"
        );
    }

    #[test]
    fn an_unknown_choice_is_named_with_the_nearest_known_one() {
        let message = message(&SCENE.replace("neo_hookean", "neohookean"), &[]);
        assert!(
            message.ends_with("unknown choice \"neohookean\"; did you mean \"neo_hookean\"?"),
            "{message}"
        );
    }

    #[test]
    fn broken_json_is_reported_with_line_and_column() {
        let message = message(&SCENE[..SCENE.len() - 2], &[]);
        assert!(message.starts_with("line 3, column 10"), "{message}");
        assert!(
            message.ends_with("the file ends within an object"),
            "{message}"
        );
        assert!(parse(&format!("{SCENE} x"), &[]).is_err());
    }

    #[test]
    fn overrides_reach_any_key_and_are_checked_like_the_file() {
        let set = |setting: &str| parse(SCENE, &[setting.to_owned()]).unwrap();
        assert_eq!(set("time.step=0.005").time.step, 0.005);
        assert_eq!(set("solver.tolerance=1e-6").solver.tolerance, Some(1e-6));
        assert_eq!(
            set("bodies.0.position=[1,2]").bodies[0].position,
            [1.0, 2.0]
        );
        assert_eq!(set("bodies.0.name=b").bodies[0].name, "b");
        assert_eq!(
            set("bodies.a.position=[3,4]").bodies[0].position,
            [3.0, 4.0]
        );

        // Wrong keys, numbers and values.
        assert!(message(SCENE, &["solver.tolerence=1"]).contains("did you mean \"tolerance\"?"));
        assert!(
            message(SCENE, &["materials.rubber.law.young=2e5"]).ends_with(
                "found young beside the choice neo_hookean, whose settings are inside it: \
                 { \"neo_hookean\": { \"young\": ... } }"
            )
        );
        assert!(message(SCENE, &["time.step"]).contains("expected key=value"));
        assert!(message(SCENE, &["time.step=fast"]).contains("--set time.step=fast: time.step:"));
        assert!(
            message(SCENE, &["bodies.7.name=b"]).contains("not the number of one of 1 entries")
                && message(SCENE, &["bodies.ball.name=b"]).contains(
                    "no entry is named \"ball\"; there are \"a\", or numbers from 0 to 0"
                )
        );
        assert!(message(SCENE, &["time.step.x=1"]).contains("has no keys"));
    }
}

//! Texts that are no JSON: what was found instead, where that shows.

use super::error::SceneError;

/// Beginnings of what is not JSON, where the parser stops, and what to say of them.
const NOT_JSON: [(&str, &str); 12] = [
    ("//", "JSON has no comments; remove this one"),
    ("/*", "JSON has no comments; remove this one"),
    ("#", "JSON has no comments; remove this one"),
    ("NaN", "JSON has no NaN; give a number"),
    ("nan", "JSON has no NaN; give a number"),
    (
        "Inf",
        "JSON has no infinity; leave the key out, or give a large number",
    ),
    (
        "inf",
        "JSON has no infinity; leave the key out, or give a large number",
    ),
    (
        "-Inf",
        "JSON has no infinity; leave the key out, or give a large number",
    ),
    (
        "-inf",
        "JSON has no infinity; leave the key out, or give a large number",
    ),
    ("'", "JSON strings need double quotes, \"like this\""),
    ("None", "JSON writes null for None; leave the key out"),
    ("True", "JSON writes true and false in small letters"),
];

/// Beginnings of files of meshes, which are not scenes.
const MESHES: [(&str, &str); 5] = [
    ("v ", "an OBJ file"),
    ("o ", "an OBJ file"),
    ("$MeshFormat", "a file of Gmsh"),
    ("# vtk", "a VTK file"),
    ("solid", "an STL file"),
];

/// Error of a text without JSON, with what was found instead where that shows.
pub(super) fn syntax(text: &str, error: SceneError) -> SceneError {
    let SceneError::Parse {
        line,
        column,
        path,
        message,
    } = &error
    else {
        return error;
    };
    let (line, column) = (*line, *column);

    // The parser takes a word such as "time" for the beginning of "true".
    let is_word = message == "expected ident";
    let starts_as_json = text.trim_start().starts_with(['{', '[']);

    // A mesh may begin with comments.
    let first = text
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty() && (line.starts_with("# vtk") || !line.starts_with('#')));
    let mesh = MESHES
        .into_iter()
        .find(|(start, _)| first.is_some_and(|line| line.starts_with(start)));
    let rest = text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
    let stop = rest
        .char_indices()
        .nth(column - 1)
        .map_or("", |(at, _)| &rest[at..]);
    let found = NOT_JSON
        .into_iter()
        .find(|(start, _)| stop.starts_with(start));

    let message = match (mesh, found, line, column) {
        (Some((_, what)), _, 1, _) => format!(
            "this is {what}, not a scene; give its vertices and triangles as the shape \"mesh\" of a body"
        ),
        (_, Some((_, what)), _, _) => what.to_owned(),
        (None, None, 1, 1) if !stop.is_empty() => no_json(stop),
        (None, None, ..) if is_word && !starts_as_json => no_json(text.trim_start()),
        (None, None, ..) if is_word => {
            "a word stands here without quotes; JSON strings need double quotes, \"like this\""
                .to_owned()
        }
        _ => return error,
    };
    SceneError::Parse {
        line,
        column,
        path: path.clone(),
        message,
    }
}

/// Message about a text that is not JSON from its beginning on.
fn no_json(text: &str) -> String {
    let first = text.lines().next().unwrap_or_default();
    let start: String = first.chars().take(20).collect();
    format!("this is not JSON: it begins with \"{start}\"; a scene begins with {{")
}

#[cfg(test)]
mod tests {
    use crate::{NoShapeFiles, Source};

    #[test]
    fn what_is_no_json_is_named() {
        for (text, expected) in [
            (
                "{ \"time\": NaN }",
                "line 1, column 11 (time): JSON has no NaN; give a number",
            ),
            (
                "// a scene",
                "line 1, column 1: JSON has no comments; remove this one",
            ),
            ("v 0 0 0\nv 1 0 0", "this is an OBJ file, not a scene"),
            (
                "root:x:0:0",
                "this is not JSON: it begins with \"root:x:0:0\"; a scene begins with {",
            ),
            ("{'a': 1}", "JSON strings need double quotes"),
            (
                "time: 3\nsteps: 4",
                "this is not JSON: it begins with \"time: 3\"; a scene begins with {",
            ),
            (
                "{ \"name\": north }",
                "a word stands here without quotes; JSON strings need double quotes",
            ),
            ("{ \"name\": }", "a value is missing here: a number"),
        ] {
            let source = Source {
                text: text.to_owned(),
                overrides: Vec::new(),
                name: None,
                folder: None,
                shapes: &NoShapeFiles,
            };

            let message = source.preflight(|_| {}).unwrap_err().to_string();
            assert!(message.contains(expected), "{message}");
        }
    }
}

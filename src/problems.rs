//! Lists of the problems of a scene, as text.
//!
//! Errors come first and warnings after them, and the numbers run through both. The picture of
//! `ipcsim check` uses these numbers too.

use ipcsim::scene::{Code, Location, Problem, SceneError};
use serde_json::{Value, json};
use std::path::Path;

/// Largest number of errors, and of warnings, that are printed. A scene with a wrong mesh may have
/// thousands.
const PRINTED: usize = 100;

/// Text of all problems, to follow "error: " or, if there are no errors, "warning: ".
///
/// One problem is one line. Several are numbered as in the picture of `ipcsim check`. Errors must
/// stand before warnings in `problems`.
pub(super) fn list(file: &Path, problems: &[Problem]) -> String {
    if let [only] = problems {
        return format!("{}: {only}", file.display());
    }

    // Errors and warnings, in two groups with one numbering.
    let errors = problems.iter().filter(|problem| problem.is_error()).count();
    let (errors, warnings) = problems.split_at(errors);
    let mut groups = Vec::new();
    if !errors.is_empty() || warnings.is_empty() {
        groups.push(group(file, errors, 0, "problem"));
    }
    if !warnings.is_empty() {
        groups.push(group(file, warnings, errors.len(), "warning"));
    }
    groups.join("\nwarning: ")
}

/// All problems and notes as JSON: for each its severity, code, path, line and column, message, and places in
/// the world (m).
pub(super) fn listed(file: &Path, problems: &[Problem], notes: &[Problem]) -> Value {
    let entry = |problem: &Problem, severity: &str| {
        json!({
            "severity": severity,
            "code": problem.code.name(),
            "path": problem.path,
            "line": problem.location.map(|location| location.line),
            "column": problem.location.map(|location| location.column),
            "message": problem.message,
            "places": problem.places.iter().map(|place| [place.x, place.y]).collect::<Vec<_>>(),
        })
    };

    let of_problem = |problem: &Problem| {
        let is_error = problem.is_error();
        entry(problem, if is_error { "error" } else { "warning" })
    };

    let errors = problems.iter().filter(|problem| problem.is_error()).count();
    json!({
        "scene": file.display().to_string(),
        "errors": errors,
        "warnings": problems.len() - errors,
        "problems": problems.iter().map(of_problem).collect::<Vec<_>>(),
        "notes": notes.iter().map(|note| entry(note, "note")).collect::<Vec<_>>(),
    })
}

/// The error of a text that is no scene, as JSON of the same form as [`listed`].
pub(super) fn unread(file: &Path, error: &SceneError) -> Value {
    match error {
        SceneError::Invalid(problems) => listed(file, problems, &[]),
        SceneError::Parse {
            line,
            column,
            path,
            message,
        } => {
            let mut problem = Problem::error(path.as_str(), message.as_str()).coded(Code::Syntax);
            problem.location = Some(Location {
                line: *line,
                column: *column,
            });
            listed(file, &[problem], &[])
        }
        other => listed(
            file,
            &[Problem::error(".", other.to_string()).coded(Code::Syntax)],
            &[],
        ),
    }
}

/// Text of the problems of one kind, numbered from `first + 1`. At most [`PRINTED`] are listed, and
/// the number of the others follows. `kind` is the word for one problem.
fn group(file: &Path, problems: &[Problem], first: usize, kind: &str) -> String {
    let file = file.display();
    if let [only] = problems {
        return format!("{file}: 1 {kind}\n  {}. {only}", first + 1);
    }

    let mut lines = vec![format!("{file}: {} {kind}s", problems.len())];
    for (problem, number) in problems.iter().zip(first + 1..).take(PRINTED) {
        lines.push(format!("{number}. {problem}"));
    }
    // A scene may have a problem for every vertex.
    let rest = problems.len().saturating_sub(PRINTED);
    if rest > 0 {
        lines.push(format!("and {rest} more"));
    }
    lines.join("\n  ")
}

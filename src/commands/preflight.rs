//! What `check` and `run` say of a scene before anything is computed.

use super::{CommandError, say, tell};
use crate::scene::{
    Derived, Preflight, Problem, Scene, SceneError, Setup, Source, preflight, short,
};
use std::path::Path;

/// Most problems of a kind that are printed.
const PRINTED: usize = 100;

/// Looks at a scene and tells where in its text problems are.
pub(super) fn look(source: &Source, scene: Scene) -> Preflight {
    let mut found = preflight(scene);
    source.locate(&mut found.problems);
    found
}

/// A scene that can run; warnings and what was derived are printed.
pub(super) fn ready(
    file: &Path,
    source: &Source,
    scene: Scene,
    quiet: bool,
) -> Result<Setup, CommandError> {
    let Preflight { setup, problems } = look(source, scene);
    let runs = !problems.iter().any(Problem::is_error);
    let Some(setup) = setup.filter(|_| runs) else {
        return Err(CommandError::Scene {
            scene: file.to_path_buf(),
            source: SceneError::Invalid(problems),
        });
    };
    if !quiet {
        if !problems.is_empty() {
            tell(&format!("warning: {}", list(file, &problems)));
        }
        let derived = setup.derived.iter().filter(|number| !number.given);
        for Derived {
            name,
            value,
            unit,
            reason,
            ..
        } in derived
        {
            say(&format!("{name} = {} {unit}: {reason}", short(*value)));
        }
    }
    Ok(setup)
}

/// All problems in words that follow "error: " or, if there are no errors, "warning: ". Where there are several they are
/// numbered, as in the picture.
pub(super) fn list(file: &Path, problems: &[Problem]) -> String {
    let errors = problems.iter().filter(|problem| problem.is_error()).count();
    let (errors, warnings) = problems.split_at(errors);
    let is_alone = problems.len() == 1;
    let group = |group: &[Problem], first: usize, what: &str| {
        let file = file.display();
        match group {
            [only] if is_alone => format!("{file}: {only}"),
            [only] => format!("{file}: 1 {what}\n  {}. {only}", first + 1),
            _ => {
                let lines = group.iter().zip(first + 1..).take(PRINTED);
                let lines: Vec<String> = lines
                    .map(|(problem, number)| format!("\n  {number}. {problem}"))
                    .collect();
                let rest = group.len().saturating_sub(PRINTED);
                let rest = if rest > 0 {
                    format!("\n  and {rest} more")
                } else {
                    String::new()
                };
                format!("{file}: {} {what}s{}{rest}", group.len(), lines.concat())
            }
        }
    };
    match (errors, warnings) {
        (errors, []) => group(errors, 0, "problem"),
        ([], warnings) => group(warnings, 0, "warning"),
        _ => format!(
            "{}\nwarning: {}",
            group(errors, 0, "problem"),
            group(warnings, errors.len(), "warning")
        ),
    }
}

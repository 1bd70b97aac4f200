//! The preflight of a scene, which `check` and `run` do before anything is computed.
//!
//! The scene is built and searched for problems in one go, so that a user sees all of them at once.
//! The text of the scene then tells the line and the column of each one.

use super::numbers::{Line, lines};
use super::problems::list;
use super::{CommandError, say, tell};
use crate::scene::{Derived, Preflight, Problem, Scene, SceneError, Setup, Source};
use std::path::Path;

/// Reads and builds a scene that can run, after `edit` has changed it. Unless `quiet`, prints the
/// warnings, and the parameters that the program has derived because the scene does not give them.
///
/// # Errors
/// If the scene cannot be read, or has a problem that is an error: all problems, warnings included.
pub(super) fn ready(
    file: &Path,
    source: &Source,
    edit: impl FnOnce(&mut Scene),
    quiet: bool,
) -> Result<Setup, CommandError> {
    let Preflight { setup, problems } =
        source.preflight(edit).map_err(CommandError::scene(file))?;

    let runs = !problems.iter().any(Problem::is_error);
    let Some(setup) = setup.filter(|_| runs) else {
        return Err(CommandError::Scene {
            scene: file.to_path_buf(),
            source: SceneError::Invalid(problems),
        });
    };

    // Warnings, and the numbers that the program chose itself.
    if !quiet {
        if !problems.is_empty() {
            tell(&format!("warning: {}", list(file, &problems)));
        }

        let derived: Vec<&Derived> = setup.derived.iter().filter(|row| !row.given).collect();
        for Line {
            name,
            value,
            reason,
        } in lines(&derived)
        {
            let equals = if name.is_empty() { "" } else { " = " };
            say(&format!("{name}{equals}{value}: {reason}"))?;
        }
    }
    Ok(setup)
}

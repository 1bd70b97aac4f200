//! The preflight of a scene, which `check` and `run` do before anything is computed.
//!
//! The scene is built and searched for problems in one go, so that a user sees all of them at once.
//! The text of the scene then tells the line and the column of each one.

use super::error::shown;
use super::numbers::{LINES, Line, lines};
use super::problems::list;
use super::{CommandError, say, tell};
use ipcsim::scene::{Derived, Preflight, Problem, Scene, SceneError, Setup, Source};
use std::path::Path;

/// What is printed of a scene that can run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Printed {
    /// True if warnings go to standard error.
    pub(super) warnings: bool,
    /// True if the numbers that the program has chosen go to standard output.
    pub(super) numbers: bool,
}

/// Reads and builds a scene that can run, after `edit` has changed it. Prints, as `printed` says, the
/// warnings, and the parameters that the program has derived because the scene does not give them.
///
/// # Errors
/// If the scene cannot be read, or has a problem that is an error: all problems, warnings included.
pub(super) fn ready(
    file: &Path,
    source: &Source,
    edit: impl FnOnce(&mut Scene),
    printed: Printed,
) -> Result<Setup, CommandError> {
    let Preflight {
        setup, problems, ..
    } = source.preflight(edit).map_err(CommandError::scene(file))?;

    let runs = !problems.iter().any(Problem::is_error);
    let Some(setup) = setup.filter(|_| runs) else {
        return Err(CommandError::Scene {
            scene: shown(file).to_path_buf(),
            source: SceneError::Invalid(problems),
        });
    };

    // Warnings, and the numbers that the program chose itself.
    if printed.warnings && !problems.is_empty() {
        tell(&format!("warning: {}", list(shown(file), &problems)));
    }
    if printed.numbers {
        let derived: Vec<&Derived> = setup.derived.iter().filter(|row| row.is_own()).collect();
        for Line {
            name,
            value,
            reason,
        } in lines(&derived, LINES)
        {
            let equals = if name.is_empty() { "" } else { " = " };
            say(&format!("{name}{equals}{value}: {reason}"))?;
        }
    }
    Ok(setup)
}

//! Errors of `ipcsim export`.

use std::path::PathBuf;
use thiserror::Error;

/// What is asked for cannot be exported.
#[derive(Debug, Error)]
pub enum ExportError {
    /// The folder has no run.
    #[error(
        "{} holds no run, since it has no run.json; make one with: ipcsim run SCENE --out {}",
        dir.display(),
        dir.display()
    )]
    NoRun {
        /// Path of the folder.
        dir: PathBuf,
    },
    /// No field has this name.
    #[error(
        "no field is named \"{name}\"; {}",
        near.map_or_else(
            || format!("the fields are {known}"),
            |near| format!("did you mean \"{near}\"? The fields are {known}")
        )
    )]
    NoSuchField {
        /// Name that was asked for.
        name: String,
        /// Name of the field that is most like it.
        near: Option<&'static str>,
        /// Names of all fields.
        known: String,
    },
    /// The run does not know a field that was asked for.
    #[error("{field} cannot be exported: {} has no {needs}", dir.display())]
    NotKnown {
        /// Name of the field.
        field: &'static str,
        /// Path of the folder.
        dir: PathBuf,
        /// What the run lacks, and what to do.
        needs: &'static str,
    },
    /// A probe or section cannot be found.
    #[error("{option} {text}: {message}")]
    Point {
        /// Option of the command line.
        option: &'static str,
        /// Text of the option.
        text: String,
        /// What is wrong with it.
        message: String,
    },
    /// The run has no state at the steps that were asked for.
    #[error(
        "{} has no state of steps {first} to {last}; its {count} states are of steps {from} to {to}",
        dir.display()
    )]
    NoState {
        /// Path of the folder.
        dir: PathBuf,
        /// First step that was asked for.
        first: usize,
        /// Last step that was asked for.
        last: String,
        /// Number of states that the run has.
        count: usize,
        /// Step of its first state.
        from: usize,
        /// Step of its last state.
        to: usize,
    },
    /// The folder for the files has others.
    #[error(
        "{} holds \"{entry}\", which ipcsim export has not written; choose another folder with \
         --out, or write beside it with --force",
        folder.display()
    )]
    Foreign {
        /// Path of the folder.
        folder: PathBuf,
        /// First foreign entry by name.
        entry: String,
    },
}

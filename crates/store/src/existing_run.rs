//! What a folder holds before a run begins in it, so that nothing is replaced by mistake.
//!
//! A second start of the same command is typed easily (arrow up, enter) and would throw away hours
//! of an interrupted run; two scenes of one name in two folders write to the same place. Without
//! `--force` a run replaces only
//!
//! - a run of the same scene that has completed or failed, or has saved no step yet,
//! - nothing at all: an empty folder.
//!
//! A folder is that of a run if its `run.json` says what only such a report says, or, where that is
//! missing or damaged, if it has a checkpoint.

use super::checkpoint::{self, Checkpoint};
use super::error::FolderError;
use super::folder::{Head, JOURNAL, RunFolder, SCENE, head};
use super::lock::refuse_busy;
use super::report::RunStatus;
use ipcsim::files::read_text;
use ipcsim::scene::{Scene, parse};
use std::path::Path;

/// Run that is about to begin in a folder.
#[derive(Clone, Copy, Debug)]
pub struct Newcomer<'a> {
    /// Scene that it computes.
    pub scene: &'a Scene,
    /// File of the scene, as the options of the run state it.
    pub file: Option<&'a Path>,
}

/// Refuses the folder `path` if a new run would replace what somebody may still want.
///
/// # Errors
/// - [`FolderError::Busy`] if another process writes a run into the folder,
/// - [`FolderError::Unfinished`] if it holds a run that has not ended and can be resumed,
/// - [`FolderError::OtherScene`] if it holds the run of another scene.
pub fn refuse(path: &Path, newcomer: Newcomer) -> Result<(), FolderError> {
    refuse_busy(&path.join(JOURNAL))?;

    let head = head(path);
    // A report that is missing or damaged may hide a run that can be resumed.
    let is_unfinished = head
        .as_ref()
        .is_none_or(|head| head.status == RunStatus::Interrupted);

    if is_unfinished && let Some(saved) = last_saved(path) {
        let done = head.map_or(0, |head| head.steps);
        return Err(FolderError::Unfinished {
            folder: path.to_path_buf(),
            step: saved.max(done),
            resume: resume_command(path),
        });
    }
    match head {
        Some(head) if !is_same(path, &head, newcomer) => Err(FolderError::OtherScene {
            folder: path.to_path_buf(),
            other: head.options.scene.map_or_else(
                || format!("\"{}\"", head.scene),
                |file| file.display().to_string(),
            ),
        }),
        _ => Ok(()),
    }
}

/// Step of the last checkpoint in the folder `path` that can be read, apart from that of the start.
fn last_saved(path: &Path) -> Option<usize> {
    let folder = RunFolder::existing(path);
    let steps = checkpoint::steps(&folder).ok()?;
    let is_whole = |&step: &usize| step > 0 && Checkpoint::open(&folder, step).is_ok();
    steps.into_iter().rev().find(is_whole)
}

/// True if a run that begins is of the same scene as the one in the folder `path`: of the same
/// file, which may have been edited, or with the same contents, which may have been moved. Reports
/// of earlier versions name no file; there the name of the scene decides.
fn is_same(path: &Path, head: &Head, newcomer: Newcomer) -> bool {
    let name = newcomer.scene.name.as_deref().unwrap_or_default();
    let is_same_file = match (head.options.scene.as_deref(), newcomer.file) {
        (Some(old), Some(new)) => old == new,
        (None, _) => head.scene == name,
        (Some(_), None) => false,
    };
    is_same_file || holds(path, newcomer.scene)
}

/// True if the scene in the folder `path` is `scene`, apart from the number of steps.
fn holds(path: &Path, scene: &Scene) -> bool {
    let stored = read_text(&path.join(SCENE)).ok();
    let stored = stored.and_then(|text| parse(&text, &[]).ok());
    let plain = |scene: &Scene| {
        let mut scene = scene.clone();
        scene.time.steps = 0;
        scene.to_json().to_string()
    };
    stored.is_some_and(|stored| plain(&stored) == plain(scene))
}

/// Command that resumes the run in a folder, with the path quoted for a shell where that is needed.
pub fn resume_command(path: &Path) -> String {
    command_on("ipcsim run --resume", path)
}

/// A command with a path behind it, in quotes if a shell would read it otherwise.
pub fn command_on(command: &str, path: &Path) -> String {
    let path = path.display().to_string();
    let is_plain = path
        .chars()
        .all(|c| c.is_alphanumeric() || "/._-+=:,@".contains(c));
    let word = if is_plain {
        path
    } else {
        format!("'{}'", path.replace('\'', "'\\''"))
    };
    format!("{command} {word}")
}

//! Errors that end a command before it has a result: exit code 2.
//!
//! Every floor below has an error type of its own. [`CommandError`] collects them, and adds what
//! only a command knows: the file of the scene, and the command that starts or resumes the run. A
//! message says what happened and where, and, if there is one, the next thing to type.

use super::problems::list;
use ipcsim::scene::{STDIN, SceneError};
use ipcsim_pictures::error::PictureError;
use ipcsim_store::checkpoint::CheckpointError;
use ipcsim_store::error::FolderError;
use ipcsim_store::flow::FlowError;
use ipcsim_store::journal::JournalError;
use ipcsim_store::npy::NpyError;
use ipcsim_store::segments::SegmentsError;
use ipcsim_store::stored_error::StoredError;
use ipcsim_store::study::StudyError;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Bad input or usage, or a file that cannot be read or written: exit code 2.
#[derive(Debug, Error)]
pub enum CommandError {
    /// A scene cannot be used: it cannot be read, or it has errors. The message lists all of its
    /// problems, warnings included.
    #[error("{}", scene_message(scene, source))]
    Scene {
        /// Path of the scene.
        scene: PathBuf,
        /// Problems of the scene, or the error of reading it.
        source: SceneError,
    },
    /// A file with a shape cannot be used.
    #[error("{}: {message}", file.display())]
    Shape {
        /// Path of the file.
        file: PathBuf,
        /// What is wrong, and what to do.
        message: String,
    },
    /// A folder or file of a run cannot be used, for example because another process writes to it.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The live page cannot be served or written.
    #[error("{0}")]
    Live(String),
    /// Nothing has the name that an option gives.
    #[error("no body or obstacle is named \"{0}\"")]
    NoSuchBody(String),
    /// A picture cannot be made.
    #[error(transparent)]
    Picture(#[from] PictureError),
    /// A stored run or a baseline cannot be read.
    #[error(transparent)]
    Stored(#[from] StoredError),
    /// What is asked for cannot be exported.
    #[error(transparent)]
    Export(#[from] super::export_error::ExportError),
    /// Queries cannot be read or answers written.
    #[error(transparent)]
    Ccd(#[from] super::ccd::CcdError),
    /// A journal cannot be written or read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A run cannot be resumed from a checkpoint.
    #[error("{source}; {offer}")]
    Refused {
        /// Reason for which the checkpoint is refused.
        source: CheckpointError,
        /// Advice: the checkpoint to resume from instead, with the command.
        offer: String,
    },
    /// The run has no checkpoint of the step that was asked for.
    #[error(
        "{} has no checkpoint of step {step}; it has {}, and --from 0 starts from the beginning",
        dir.display(),
        listed(steps)
    )]
    NoCheckpoint {
        /// Folder of the run.
        dir: PathBuf,
        /// Step that was asked for.
        step: usize,
        /// Steps that have a checkpoint.
        steps: Vec<usize>,
    },
    /// A run is to end at a step that it is beyond.
    #[error(
        "{} is at step {done} already, so it cannot end at step {steps}; give a larger --steps, or go \
         back with --from", dir.display()
    )]
    TooFar {
        /// Folder of the run.
        dir: PathBuf,
        /// Step that it would go on from.
        done: usize,
        /// Number of steps that was asked for.
        steps: usize,
    },
    /// Neither report nor checkpoint of a run can be read.
    #[error(
        "{source}; no checkpoint can be read that would hold the options of the run, so start it again \
         with: ipcsim run {}/scene.json --out OTHER_FOLDER", dir.display()
    )]
    Lost {
        /// Folder of the run.
        dir: PathBuf,
        /// Reason for which the report cannot be read.
        source: StoredError,
    },
    /// A folder contains no run.
    #[error(
        "{} contains no scene.json, so there is no run to resume; start one with: \
         ipcsim run SCENE --out {}",
        dir.display(),
        dir.display()
    )]
    NothingToResume {
        /// Path of the folder.
        dir: PathBuf,
    },
    /// An error stopped a run. The steps up to the last checkpoint can be resumed.
    #[error("{source}; {}: {command}", saved(*step))]
    Kept {
        /// Step of the last checkpoint, or 0.
        step: usize,
        /// Command that resumes the run.
        command: String,
        /// Error that stopped the run.
        source: Box<CommandError>,
    },
    /// An option is for one scene or folder, and there are several.
    #[error(
        "{option} is for one {}, and there are {count}; give them one by one",
        what.trim_end_matches('s')
    )]
    Several {
        /// Name of the option.
        option: &'static str,
        /// What there are several of.
        what: &'static str,
        /// Number of them.
        count: usize,
    },
    /// Two scenes would be written to one folder.
    #[error(
        "{} and {} would both be written to {}; run them one by one, each with its own --out",
        files[0].display(), files[1].display(), out.display()
    )]
    SameFolder {
        /// The two scenes.
        files: [PathBuf; 2],
        /// Folder of both.
        out: PathBuf,
    },
    /// A video cannot be written.
    #[error("{}: {message}", file.display())]
    Video {
        /// Path of the video.
        file: PathBuf,
        /// What is wrong, and what to do.
        message: String,
    },
    /// A sweep cannot be computed.
    #[error("{}", sweep_message(plan, source))]
    Sweep {
        /// Path of the plan.
        plan: PathBuf,
        /// Reason.
        source: StudyError,
    },
    /// Jobs cannot be submitted to Slurm.
    #[error("sbatch cannot submit the sweep: {0}; --dry-run writes only the scripts")]
    Sbatch(String),
    /// No case of the validation has this name.
    #[error(
        "no case is named \"{name}\"; {}",
        near.map_or_else(
            || "`ipcsim validate --list` prints all names".to_owned(),
            |near| format!("did you mean \"{near}\"?")
        )
    )]
    NoSuchCase {
        /// Name, beginning of a name or pattern that was asked for.
        name: String,
        /// Name of the case that is most like it.
        near: Option<&'static str>,
    },
    /// Results cannot be written as JSON.
    #[error("results cannot be written as JSON: {0}")]
    Json(String),
    /// Results cannot be written to standard output.
    #[error("cannot write to standard output: {0}")]
    Output(std::io::Error),
    /// Signal handlers cannot be installed, so that a run could not be stopped safely.
    #[error("cannot watch for signals: {0}")]
    Signals(std::io::Error),
    /// Threads cannot be started, or one has stopped without a result.
    #[error("cannot use threads: {0}")]
    Threads(String),
}

/// Path of a scene as messages show it.
pub(super) fn shown(scene: &Path) -> &Path {
    if scene == Path::new(STDIN) {
        Path::new("standard input")
    } else {
        scene
    }
}

/// States how far the run is saved, and introduces the command that follows in the message.
fn saved(step: usize) -> String {
    match step {
        0 => "no checkpoint was written, start again with".to_owned(),
        step => format!("the run is saved up to step {step}, resume with"),
    }
}

/// Steps that have a checkpoint, as the end of the sentence "it has ...".
fn listed(steps: &[usize]) -> String {
    let steps: Vec<String> = steps.iter().map(ToString::to_string).collect();
    match steps.as_slice() {
        [] => "none".to_owned(),
        [only] => format!("one of step {only}"),
        _ => format!("those of steps {}", steps.join(" and ")),
    }
}

/// Message about a scene, which begins with the path of its file.
fn scene_message(scene: &Path, error: &SceneError) -> String {
    match error {
        SceneError::Invalid(problems) => list(scene, problems),
        SceneError::Read { source, .. } => format!("{}: cannot be read: {source}", scene.display()),
        other => format!("{}: {other}", scene.display()),
    }
}

/// Message about a sweep, which begins with the path of its plan unless it names another file.
fn sweep_message(plan: &Path, error: &StudyError) -> String {
    match error {
        StudyError::Plan(_) | StudyError::Text(_) | StudyError::Scene { .. } => {
            format!("{}: {error}", plan.display())
        }
        other => other.to_string(),
    }
}

impl CommandError {
    /// Conversion of a scene's error to one that names the file `scene`, for `map_err`.
    pub(super) fn scene(scene: &Path) -> impl FnOnce(SceneError) -> Self {
        let scene = shown(scene).to_path_buf();
        move |source| Self::Scene { scene, source }
    }
}

impl From<NpyError> for CommandError {
    /// Array files belong to a stored run, and their errors to those of reading one.
    fn from(error: NpyError) -> Self {
        StoredError::from(error).into()
    }
}

impl From<SegmentsError> for CommandError {
    /// Segments belong to a stored run, and their errors to those of reading one.
    fn from(error: SegmentsError) -> Self {
        StoredError::from(error).into()
    }
}

impl From<FlowError> for CommandError {
    /// Plastic flow belongs to a stored run, and its errors to those of reading one.
    fn from(error: FlowError) -> Self {
        StoredError::from(error).into()
    }
}

//! What a run simulates, from the beginning of a scene or from a checkpoint.

use crate::scene::Setup;
use crate::solve::Solver;
use crate::store::checkpoint::Checkpoint;
use crate::store::folder::RunFolder;
use crate::store::report::RunOptions;
use crate::time::State;

/// A run that is ready to start or to resume.
pub(super) struct Job {
    /// The scene; its state is the initial one.
    pub(super) setup: Setup,
    /// State to start from.
    pub(super) state: State,
    /// Solver with what it remembers of the steps before.
    pub(super) solver: Solver,
    pub(super) folder: RunFolder,
    pub(super) options: RunOptions,
    /// Checksum of scene and options, which a checkpoint must have in common with the run.
    pub(super) identity: u32,
    /// Checkpoint to resume from, if any.
    pub(super) checkpoint: Option<Checkpoint>,
}

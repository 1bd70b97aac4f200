//! A run that is ready to simulate, from the beginning of a scene or from a checkpoint.
//!
//! [`fresh`](super::fresh) makes a [`Job`] of a scene file and [`resume`](super::resume) makes one
//! of a folder. From there on both are simulated by the same code.

use ipcsim::scene::Setup;
use ipcsim::solve::Solver;
use ipcsim::time::State;
use ipcsim_store::checkpoint::Checkpoint;
use ipcsim_store::folder::RunFolder;
use ipcsim_store::report::RunOptions;

/// A run that is ready to start or to resume.
pub(super) struct Job {
    /// Scene and world. The state in here is the initial one, also for a run that is resumed.
    pub(super) setup: Setup,
    /// State to start from: the initial one, or that of the checkpoint.
    pub(super) state: State,
    /// Solver, with its memory of the steps before the checkpoint.
    pub(super) solver: Solver,
    /// Folder that the results are written to.
    pub(super) folder: RunFolder,
    /// Options of the command line that change what is written.
    pub(super) options: RunOptions,
    /// Checksum of scene and options. A checkpoint belongs to the run if it has the same one.
    pub(super) identity: u32,
    /// Checkpoint to resume from; `None` at the beginning of the run.
    pub(super) checkpoint: Option<Checkpoint>,
}

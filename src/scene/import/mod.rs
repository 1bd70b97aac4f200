//! Scenes of other programs.

mod rigid_ipc;

pub use rigid_ipc::rigid_ipc;

use super::problem::Problem;
use super::schema::Scene;

/// Result of an import.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// Scene with the content of the file.
    pub scene: Scene,
    /// Warnings of content that the scene leaves out, each once.
    pub warnings: Vec<Problem>,
}

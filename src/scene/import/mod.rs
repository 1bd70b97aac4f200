//! Scenes of other programs.

mod rigid_ipc;

pub use rigid_ipc::rigid_ipc;

use super::problem::Problem;
use super::schema::Scene;

/// A scene that was imported.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// The scene.
    pub scene: Scene,
    /// What the file says that the scene does not, each once.
    pub warnings: Vec<Problem>,
}

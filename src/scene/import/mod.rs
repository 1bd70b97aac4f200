//! Scenes of other programs, converted into scenes of this one.
//!
//! Published results can be compared if both programs simulate the same scene. An import keeps the
//! meaning of every key that has one here, and warns of every key that it leaves out: a scene that
//! is almost the same would be worse than none. What cannot be converted is an error.

mod rigid_ipc;

pub use rigid_ipc::rigid_ipc;

use super::problem::Problem;
use super::schema::Scene;

/// Result of an import: a scene, and what it leaves out.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// Scene with the content of the file, which is not checked yet.
    pub scene: Scene,
    /// Warnings of content that the scene leaves out, each once, with paths in the imported file.
    pub warnings: Vec<Problem>,
}

//! Result of an import.

use ipcsim_scene::Problem;
use ipcsim_scene::schema::Scene;

/// Result of an import: a scene, and what it leaves out.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// Scene with the content of the file, which is not checked yet.
    pub scene: Scene,
    /// Warnings of content that the scene leaves out, each once, with paths in the imported file.
    pub warnings: Vec<Problem>,
}

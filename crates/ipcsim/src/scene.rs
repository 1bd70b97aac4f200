//! Scenes: the file format, its meaning, and the world it describes.
//!
//! All of `ipcsim_scene`, and [`read`] with the shapes in files of other programs.

pub use ipcsim_scene::*;

#[cfg(feature = "import")]
pub use ipcsim_import as import;
#[cfg(feature = "import")]
pub use ipcsim_import::{Named, shape as shape_of_file, shapes as shapes_of_file};

use std::path::Path;

/// Readers of the shapes that a scene takes from files: those of `ipcsim_import`.
#[cfg(feature = "import")]
pub const SHAPES: &dyn ShapeReader = &ipcsim_import::ShapeFiles;
/// Readers of the shapes that a scene takes from files: none, without the feature `import`.
#[cfg(not(feature = "import"))]
pub const SHAPES: &dyn ShapeReader = &NoShapeFiles;

/// Reads the scene in a file and applies overrides `key.key=value` to it.
///
/// A scene without a name gets that of the file, without its extension.
///
/// # Errors
/// [`SceneError::Read`], or as [`Source::scene`].
pub fn read(path: &Path, overrides: &[String]) -> Result<Scene, SceneError> {
    ipcsim_scene::read(path, overrides, SHAPES)
}

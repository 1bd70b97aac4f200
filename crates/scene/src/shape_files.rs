//! Shapes in files that a scene names, read into the scene.
//!
//! Reading replaces each such shape by what the file has: triangles become a mesh with groups,
//! curves become an area. From then on nothing depends on the file. A run stores the scene with its
//! shapes, so that it can be resumed and verified without the file, or after the file has changed.
//!
//! A scene may come from anywhere, and must not read what its author does not have. Files are
//! therefore those in the scene's folder, links followed, unless the environment variable [`LEAVE`]
//! names a folder around them. The same holds for the files that a plan names.

use super::code::Code;
use super::problem::Problem;
use super::schema::{Scene, Shape, ShapeFile};
use ipcsim_math::Vec2;
use ipcsim_math::files::read_bytes;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Environment variable with further folders from which scenes and plans read files, separated as in
/// `PATH`.
pub const LEAVE: &str = "IPCSIM_FILES";

/// A shape that was read from a file.
///
/// Notes are for the author: what was merged, turned or left out. `ipcsim check` and `ipcsim mesh` say
/// them.
#[derive(Clone, Debug)]
pub struct FromFile {
    /// The shape: a mesh or an area.
    pub shape: Shape,
    /// Length of a unit of the file, times the factor (m).
    pub unit: f64,
    /// What has been changed, in sentences.
    pub notes: Vec<String>,
}

/// A file that is no shape, and where in it.
///
/// The message reads on from the name of the file: "plate.msh: line 7: ...".
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{message}")]
pub struct ReadError {
    /// What is wrong, and what to do.
    pub message: String,
    /// Places that show it, in the file's own numbers.
    pub places: Vec<Vec2>,
}

impl ReadError {
    /// An error without a place.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            places: Vec::new(),
        }
    }
}

/// Reads the shapes that scenes take from files.
///
/// Scenes know no format. A program that reads some gives its reader to [`Source`](super::Source).
pub trait ShapeReader: std::fmt::Debug + Sync {
    /// The shape that a file has, from its `bytes`. The ending of its path says the format.
    ///
    /// # Errors
    /// If the bytes are not of the format, or have no such part.
    fn shape(&self, file: &ShapeFile, bytes: &[u8]) -> Result<FromFile, ReadError>;
}

/// Reads no shape: each file is refused.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoShapeFiles;

impl ShapeReader for NoShapeFiles {
    fn shape(&self, _: &ShapeFile, _: &[u8]) -> Result<FromFile, ReadError> {
        Err(ReadError::new(
            "this program reads no shapes from files; build it with the feature import",
        ))
    }
}

/// Replaces the shapes in files by what the files have. Returns a problem for each that cannot be
/// read; adds what was changed or left out to `notes`.
///
/// Paths of files begin at `folder`. Without one, shapes stay as they are, and the checks refuse
/// them.
pub(super) fn resolve(
    scene: &mut Scene,
    folder: Option<&Path>,
    reader: &dyn ShapeReader,
    notes: &mut Vec<Problem>,
) -> Vec<Problem> {
    let Some(folder) = folder else {
        return Vec::new();
    };

    let bodies = scene.bodies.iter_mut().map(|body| &mut body.shape);
    let bodies = bodies
        .enumerate()
        .map(|(k, shape)| (format!("bodies[{k}]"), shape));
    let obstacles = scene
        .obstacles
        .iter_mut()
        .map(|obstacle| &mut obstacle.shape);
    let obstacles = obstacles
        .enumerate()
        .map(|(k, shape)| (format!("obstacles[{k}]"), shape));

    let mut problems = Vec::new();
    for (owner, shape) in bodies.chain(obstacles) {
        let Shape::File(file) = shape else { continue };
        let read = located(folder, Path::new(&file.path), "scene").and_then(|path| {
            let bytes = read_bytes(&path).map_err(|error| error.to_string())?;
            reader
                .shape(file, &bytes)
                .map_err(|error| error.to_string())
        });
        match read {
            Ok(read) => {
                notes.extend(read.notes.iter().map(|note| {
                    let message = format!("\"{}\": {note}", file.path);
                    Problem::warning(format!("{owner}.shape.file.path"), message).coded(Code::File)
                }));
                *shape = read.shape;
            }
            Err(message) => {
                let message = format!("\"{}\" cannot be read: {message}", file.path);
                problems.push(Problem::error(format!("{owner}.shape.file.path"), message));
            }
        }
    }
    problems
}

/// The path of a file that a scene or a plan (`what`) in `folder` names.
///
/// Links are followed before the comparison, so that a link in the folder does not lead out of it.
///
/// # Errors
/// A message, if the file does not exist, or is outside of the folder and of the folders of [`LEAVE`].
pub fn located(folder: &Path, name: &Path, what: &str) -> Result<PathBuf, String> {
    // The empty path cannot be made canonical.
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };

    let path = folder.join(name);
    let path = path.canonicalize().map_err(|error| error.to_string())?;
    let leave = std::env::var_os(LEAVE).unwrap_or_default();
    let leave = std::env::split_paths(&leave).filter(|folder| !folder.as_os_str().is_empty());
    let mut allowed = [folder.to_path_buf()].into_iter().chain(leave);
    if allowed.any(|allowed| {
        allowed
            .canonicalize()
            .is_ok_and(|allowed| path.starts_with(allowed))
    }) {
        return Ok(path);
    }
    Err(format!(
        "it is outside of the {what}'s folder; copy it there, or set the environment variable {LEAVE} to a \
         folder around it"
    ))
}

//! The files of a run, as they are verified.

use super::super::CommandError;
use crate::files::read_text;
use crate::math::Vec2;
use crate::store::folder::{ENERGIES, MESH, TRAJECTORY};
use crate::store::mesh_file::MeshFile;
use crate::store::table::Table;
use crate::store::trajectory::TrajectoryReader;
use std::path::Path;

/// The files of a run.
pub(super) struct Stored {
    pub(super) mesh: MeshFile,
    pub(super) trajectory: TrajectoryReader,
    pub(super) energies: Table,
    /// Step number of each entry.
    pub(super) steps: Vec<u64>,
}

impl Stored {
    pub(super) fn open(dir: &Path) -> Result<Self, CommandError> {
        CommandError::refuse_unfinished(dir)?;
        let path = dir.join(MESH);
        let malformed = |path: &Path, message: String| CommandError::Malformed {
            path: path.to_path_buf(),
            message,
        };
        let text = read_text(&path)
            .map_err(|error| malformed(&path, format!("cannot be read: {error}")))?;
        let mesh: MeshFile =
            serde_json::from_str(&text).map_err(|error| malformed(&path, error.to_string()))?;
        if !mesh.is_consistent() {
            return Err(malformed(
                &path,
                "names a vertex or body that it does not have, or a triangle of several bodies"
                    .to_owned(),
            ));
        }
        let trajectory = TrajectoryReader::open(&dir.join(TRAJECTORY))?;
        let energies = Table::read(&dir.join(ENERGIES))?;
        if trajectory.vertices() != mesh.vertices_rest.len()
            || trajectory.entries() != energies.rows.len()
        {
            let message = format!(
                "has {} entries of {} vertices, but {ENERGIES} has {} rows and {MESH} {} vertices",
                trajectory.entries(),
                trajectory.vertices(),
                energies.rows.len(),
                mesh.vertices_rest.len()
            );
            return Err(malformed(&dir.join(TRAJECTORY), message));
        }
        // Step numbers are written as whole numbers and are far below 2^53.
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "whole, small and not negative"
        )]
        let steps = energies
            .rows
            .iter()
            .map(|row| row[0].unwrap_or_default() as u64)
            .collect();
        Ok(Self {
            mesh,
            trajectory,
            energies,
            steps,
        })
    }
}

/// A point, for messages.
pub(super) fn at(p: Vec2) -> String {
    format!("({}, {})", p.x, p.y)
}

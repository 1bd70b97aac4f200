//! Stored runs: the files of a run's folder, written and read.
//!
//! A [`folder::RunFolder`] holds one run. While the run goes on, a [`journal::Journal`] and a
//! [`checkpoint::Checkpoint`] make it safe against a crash; from the journal come all other files: the
//! report, the mesh, the trajectory, the table of energies and the step segments.

pub mod baseline;
pub mod checkpoint;
#[cfg(test)]
mod damage;
pub mod folder;
pub mod journal;
pub mod mesh_file;
pub mod report;
pub mod segments;
pub mod table;
pub mod trajectory;

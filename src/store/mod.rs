//! Stored runs: the files of a run's folder, written and read.
//!
//! A [`folder::RunFolder`] holds one run. While the run goes on, a [`journal::Journal`] and a
//! [`checkpoint::Checkpoint`] make it safe against a crash; from the journal come all other files: the
//! report, the mesh, the trajectory, the table of energies and the step segments.

pub mod baseline;
pub mod checkpoint;
#[cfg(test)]
mod damage;
pub mod error;
pub mod file;
pub mod folder;
pub mod journal;
mod lock;
pub mod mesh_file;
mod names;
pub mod npy;
pub mod place;
pub mod report;
mod sealed;
pub mod segments;
pub mod stored_run;
pub mod table;
pub mod trajectory;

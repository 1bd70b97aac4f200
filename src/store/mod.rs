//! Stored runs: the files of a run's folder, written and read.
//!
//! A [`folder::RunFolder`] holds one run. While the run goes on, only two kinds of files grow: a
//! [`journal::Journal`] gets a record per step, and a [`checkpoint::Checkpoint`] holds the state
//! after some of them. Both are checked by checksums, so a run that is killed at any moment can
//! resume with the same bits. When the run ends, all other files are made from the journal: the
//! report, the mesh, the trajectory, the tables of energies, forces and contacts, and the step
//! segments.
//!
//! Rules of all files:
//!
//! - A file gets its name when it is complete ([`mod@file`]); until then its name begins with a dot.
//! - Journal and checkpoints carry checksums; those of the mesh, the segments and the tables of
//!   forces are in the report.
//! - Arrays are `.npy` files ([`npy`]), which `NumPy` reads directly; they may be longer than memory.
//! - Readers trust nothing: lengths, indices and checksums are checked before they are used.
//!
//! A [`stored_run::StoredRun`] opens a folder for every command that reads one, and [`baseline`]
//! reduces a run to a few numbers for comparison.

pub mod baseline;
pub mod checkpoint;
pub mod contacts;
pub mod csv;
#[cfg(test)]
mod damage;
pub mod error;
pub mod field_names;
pub mod file;
pub mod folder;
pub mod forces;
pub mod journal;
mod lock;
pub mod mesh_file;
mod names;
pub mod npy;
pub mod pair_numbers;
pub mod place;
mod records;
pub mod report;
mod sealed;
pub mod segments;
pub mod stiffening;
pub mod stored_run;
pub mod table;
pub mod trajectory;
pub mod vtk;

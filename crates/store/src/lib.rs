//! Stored runs: the files of a run's folder, written and read.
//!
//! A [`folder::RunFolder`] holds one run. While the run goes on, a [`journal::Journal`] gets a
//! record per step, and a [`checkpoint::Checkpoint`] holds the state after some of them. Both are
//! checked by checksums, so a run that is killed at any moment can resume with the same bits, and
//! one that has ended can go on. Energies and trajectory [grow](append) beside them, for readers.
//! When the run ends, all other files are made from the journal: the report, the tables of forces
//! and contacts, and the step segments.
//!
//! Rules of all files:
//!
//! - A file gets its name when it is complete ([`mod@file`]); until then its name begins with a
//!   dot. Those that grow are whole up to their last line or state.
//! - Journal and checkpoints carry checksums. The report has those of all files, and one of itself
//!   ([`run_files`]).
//! - Arrays are `.npy` files ([`npy`]), which `NumPy` reads directly; they may be longer than
//!   memory.
//! - Readers trust nothing: lengths, indices and checksums are checked before they are used.
//!
//! A [`stored_run::StoredRun`] opens a folder for every command that reads one, and [`baseline`]
//! reduces a run to a few numbers for comparison.
#![cfg_attr(test, allow(clippy::float_cmp, reason = "exact numbers"))]
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod append;
pub mod baseline;
pub mod body_table;
pub mod build;
pub mod chamber_table;
pub mod checkpoint;
mod checksummed;
pub mod columns;
pub mod contact_table;
pub mod csv;
#[cfg(test)]
mod damage;
pub mod direct_way;
pub mod error;
pub mod events;
pub mod existing_run;
pub mod field_names;
pub mod file;
pub mod flow;
pub mod folder;
pub mod force_table;
pub(crate) mod frame;
pub mod joint_entry;
pub mod joint_table;
pub mod journal;
pub mod ledger;
mod lock;
pub mod measured;
pub mod mesh_file;
mod names;
mod naming;
pub mod npy;
pub mod pair_numbers;
pub mod part;
pub mod place;
mod records;
pub mod report;
pub mod residual_work;
mod rigid_fit;
pub mod rod_entry;
pub mod rows;
pub mod run_files;
mod sealed_text;
pub mod segments;
pub mod stiffening;
pub mod stored_bodies;
pub mod stored_error;
pub mod stored_run;
pub mod study;
pub mod table;
pub mod tables;
#[cfg(test)]
mod testing;
pub mod trajectory;
pub mod vtk;

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

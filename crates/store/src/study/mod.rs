//! Studies: many runs of one scene, each with other values, as `ipcsim sweep` makes them.
//!
//! A [`Plan`] is a file: a scene, keys of it, and the values that these take. A [`Study`] is a plan
//! with all that it names, read into memory. From there on:
//!
//! 1. [`Points`] gives the values of each run by its number alone, so that any worker computes any
//!    run without knowing the others;
//! 2. [`compute`] makes one run and returns its [`Row`], or where it stopped ([`Pause`]);
//! 3. a [`JournalWriter`] appends rows to a file of its own; no file is written by two workers;
//! 4. [`Collected`] merges all journals of a folder, and writes the table.
//!
//! A run is a function of the study and its number, so a row that was computed twice is the same
//! row, and results have the same bytes on any number of workers, killed or not.

mod collect;
mod compute;
mod error;
mod folder;
mod journal;
mod plan;
mod points;
mod row;
mod share;
mod source;

pub use collect::{Collected, Failures, Unfinished};
pub use compute::{Ended, compute};
pub use error::StudyError;
pub use folder::StudyFolder;
pub use journal::{JournalWriter, StudyEntry, Tail};
pub use plan::{Axis, Plan, Scale};
pub use points::{Column, Points};
pub use row::{Numbers, OF_BODY, OF_SCENE, Outcome, Pause, Row, Tally};
pub use share::Share;
pub use source::{Sources, Study};

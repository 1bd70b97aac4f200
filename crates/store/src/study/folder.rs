//! The folder of a study.
//!
//! | entry | contents |
//! |---|---|
//! | `plan.json` | the plan, as it was given |
//! | `journals/` | rows of all workers, one file each |
//! | `runs/` | folders of the runs, unless rows are all that is kept |
//! | `results.csv` | the table, made of the journals |

use super::error::StudyError;
use super::journal::{JournalWriter, Tail};
use super::source::{Sources, Study};
use crate::error::{FolderError, failed};
use crate::file::write_whole;
use std::fs::{self, File};
use std::io::BufReader;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Text of the plan.
const PLAN: &str = "plan.json";
/// Folder of the journals.
const JOURNALS: &str = "journals";
/// Folder of the runs.
const RUNS: &str = "runs";
/// The table.
const TABLE: &str = "results.csv";
/// Entries that a study may write: those above, partial files, and scripts and logs of engines.
const WRITTEN: [&str; 6] = [PLAN, JOURNALS, RUNS, TABLE, "slurm", ".results.csv.partial"];

/// The folder of a study.
#[derive(Clone, Debug)]
pub struct StudyFolder {
    /// Path of the folder.
    path: PathBuf,
    /// Checksum of the study.
    identity: u32,
}

impl StudyFolder {
    /// Makes or reopens the folder of a study.
    ///
    /// # Errors
    /// - [`StudyError::Other`] if it holds rows of another study,
    /// - [`StudyError::Foreign`] if it holds something else,
    /// - [`StudyError::Folder`] if it cannot be created or read.
    pub fn open(path: &Path, study: &Study, sources: &Sources) -> Result<Self, StudyError> {
        fs::create_dir_all(path).map_err(failed("create", path))?;
        for entry in fs::read_dir(path).map_err(failed("read", path))? {
            let entry = entry.map_err(failed("read", path))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if !WRITTEN.contains(&name.as_str()) && name != format!(".{PLAN}.partial") {
                return Err(StudyError::Foreign {
                    folder: path.to_path_buf(),
                    entry: name,
                });
            }
        }

        let journals = path.join(JOURNALS);
        fs::create_dir_all(&journals).map_err(failed("create", &journals))?;
        let folder = Self {
            path: path.to_path_buf(),
            identity: study.identity,
        };
        // Journals of another study are refused before anything is written.
        for journal in folder.journals()? {
            Tail::open(&journal, folder.identity)?;
        }

        // Tasks that start together write the same bytes; one of them may find the file renamed.
        let plan = path.join(PLAN);
        if !plan.exists() {
            let written = write_whole(&plan, |file| file.write_all(sources.plan.as_bytes()));
            if !plan.exists() {
                written?;
            }
        }
        Ok(folder)
    }

    /// Path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Path of the table.
    pub fn table(&self) -> PathBuf {
        self.path.join(TABLE)
    }

    /// Path of the folder of a run.
    pub fn run(&self, run: u64) -> PathBuf {
        self.path.join(RUNS).join(format!("{run:06}"))
    }

    /// Creates a journal for a worker of a task that computes some of these `runs`.
    ///
    /// # Errors
    /// [`FolderError::Io`] if it cannot be created.
    pub fn journal(&self, task: u64, runs: &Range<u64>) -> Result<JournalWriter, FolderError> {
        JournalWriter::create(&self.path.join(JOURNALS), task, self.identity, runs)
    }

    /// Paths of all journals, in ascending order.
    ///
    /// # Errors
    /// [`FolderError::Io`] if the folder cannot be read.
    fn journals(&self) -> Result<Vec<PathBuf>, FolderError> {
        let folder = self.path.join(JOURNALS);
        let mut paths = Vec::new();
        for entry in fs::read_dir(&folder).map_err(failed("read", &folder))? {
            paths.push(entry.map_err(failed("read", &folder))?.path());
        }
        paths.sort_unstable();
        Ok(paths)
    }

    /// All journals that may have some of these `runs`, opened after their heads.
    ///
    /// # Errors
    /// [`StudyError::Folder`] if one cannot be read; [`StudyError::Other`] if one is of another
    /// study.
    pub fn tails(&self, runs: &Range<u64>) -> Result<Vec<Tail<BufReader<File>>>, StudyError> {
        let mut tails = Vec::new();
        for path in self.journals()? {
            let tail = Tail::open(&path, self.identity)?;
            let meets = |own: &Range<u64>| own.start < runs.end && runs.start < own.end;
            tails.extend(tail.filter(|tail| meets(&tail.runs)));
        }
        Ok(tails)
    }
}

//! Guard of the files of a run: each reader compares a file with its checksum first.
//!
//! `run.json` has a checksum of its own text and of every other file of the run, except timings. While a
//! run is under way its files grow; then the report has the checksum of the part that each had at the last
//! checkpoint, and a file may be longer. A command that writes files again after the run does so within
//! a [`Renewal`].

use super::checkpoint;
use super::checksummed;
use super::error::{FolderError, failed};
use super::field_names::FIELDS;
use super::folder::{FRAMES, JOURNAL, RUN, RunFolder, SCENE};
use super::names;
use super::part::Part;
use super::report::RunReport;
use super::rows;
use super::sealed_text;
use super::stored_error::StoredError;
use ipcsim::files::read_text;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Files that the exports of earlier versions replaced without noting their checksums.
const FORMERLY_REPLACED: [&str; 3] = ["fields.pvd", "probes.csv", "sections.csv"];

/// The files in the folder of a run, by the checksums in its report.
#[derive(Clone, Debug)]
pub struct RunFiles {
    /// Folder of the run.
    dir: PathBuf,
    /// Report; `None` if the folder has none. States are verified without one.
    report: Option<RunReport>,
    /// True if the report guards all files, false if an earlier version wrote it.
    is_guarded: bool,
}

impl RunFiles {
    /// Opens the folder `dir` and reads its report, if it has one.
    ///
    /// # Errors
    /// [`StoredError::Malformed`] if the report is damaged or cannot be read.
    pub fn open(dir: &Path) -> Result<Self, StoredError> {
        let mut files = Self {
            dir: dir.to_path_buf(),
            report: None,
            is_guarded: false,
        };
        if dir.join(RUN).exists() {
            let (report, is_guarded) = read(dir)?;
            files.report = Some(report);
            files.is_guarded = is_guarded;
        }
        Ok(files)
    }

    /// Folder of the run.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Report of the run, if the folder has one.
    pub fn report(&self) -> Option<&RunReport> {
        self.report.as_ref()
    }

    /// True if the run is under way or was killed.
    pub fn is_unfinished(&self) -> bool {
        self.report().is_some_and(RunReport::is_unfinished)
    }

    /// True if the report has the checksums of all files, and one of itself.
    pub fn is_guarded(&self) -> bool {
        self.is_guarded
    }

    /// Path of the file called `name`, which agrees with its checksum. A file without a checksum is not
    /// compared.
    ///
    /// # Errors
    /// [`StoredError::Malformed`] if it does not agree; [`StoredError::Folder`] if it cannot be read.
    pub fn compared(&self, name: &str) -> Result<PathBuf, StoredError> {
        let path = self.dir.join(name);
        let Some(report) = self.report() else {
            return Ok(path);
        };
        let Err(error) = self.compare(name, report) else {
            return Ok(path);
        };

        // A run under way may have written both the file and its report since.
        let later = read(&self.dir).ok().filter(|(later, _)| later != report);
        match later {
            Some((later, _)) if self.is_unfinished() => self.compare(name, &later)?,
            _ => return Err(error),
        }
        Ok(path)
    }

    /// Path of the file called `name` as [`RunFiles::compared`]; `None` if there is no such file.
    ///
    /// # Errors
    /// As [`RunFiles::compared`].
    pub fn find(&self, name: &str) -> Result<Option<PathBuf>, StoredError> {
        let is_there = self.dir.join(name).exists();
        is_there.then(|| self.compared(name)).transpose()
    }

    /// Compares all files of the run except some (`but`) that the caller has compared. Returns the names
    /// of missing files; journal and checkpoints may be missing.
    ///
    /// # Errors
    /// As [`RunFiles::compared`], about the first file that does not agree.
    pub fn compare_all(&self, but: &[&str]) -> Result<Vec<String>, StoredError> {
        let Some(report) = self.report() else {
            return Ok(Vec::new());
        };
        let all = report.checksums.keys().chain(report.saved.keys());
        let mut missing = Vec::new();
        for name in all.filter(|name| !but.contains(&name.as_str())) {
            // A run under way removes checkpoints at any moment.
            let found = self.find(name);
            if self.dir.join(name).exists() {
                found?;
            } else if !report.saved.contains_key(name) {
                missing.push(name.clone());
            }
        }
        Ok(missing)
    }

    /// Compares the file called `name` with a report.
    ///
    /// # Errors
    /// As [`RunFiles::compared`].
    fn compare(&self, name: &str, report: &RunReport) -> Result<(), StoredError> {
        let path = self.dir.join(name);
        let (found, expected) = match (report.checksums.get(name), report.saved.get(name)) {
            (Some(_), _) if !self.is_guarded && FORMERLY_REPLACED.contains(&name) => return Ok(()),
            (Some(expected), _) => (checksummed::of_file(&path)?, expected),
            (None, Some(part)) => (part.found(&path)?, &part.checksum),
            (None, None) => return Ok(()),
        };
        if found == *expected {
            return Ok(());
        }
        let message = format!(
            "is damaged or was changed: its checksum is {found}, but {RUN} has {expected}; run the \
             scene again"
        );
        Err(StoredError::malformed(&path, message))
    }
}

/// Reads the report of the run in the folder `dir`.
///
/// # Errors
/// [`StoredError::Malformed`] if there is none, or if it is damaged or no report.
pub fn read_report(dir: &Path) -> Result<RunReport, StoredError> {
    read(dir).map(|(report, _)| report)
}

/// Reads the report of the run in the folder `dir`; true if it guards all files.
///
/// # Errors
/// As [`read_report`].
fn read(dir: &Path) -> Result<(RunReport, bool), StoredError> {
    let path = dir.join(RUN);
    let wrong = |message: String| StoredError::malformed(&path, message);
    let text = read_text(&path).map_err(|error| wrong(format!("cannot be read: {error}")))?;
    let is_guarded = sealed_text::open(&text).map_err(wrong)?;
    let report = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    Ok((report, is_guarded))
}

/// Writes the report of a run, with its checksum.
///
/// # Errors
/// [`FolderError::Io`] if it cannot be written.
pub fn write_report(folder: &RunFolder, report: &RunReport) -> Result<(), FolderError> {
    folder.write(RUN, |out| {
        let text = rows::to_text(report)?;
        out.write_all(sealed_text::close(&text).as_bytes())
    })
}

/// Notes the checksums of the files called `names`, and of all frames and fields, that have none yet.
/// Files that do not exist are passed over.
///
/// # Errors
/// [`FolderError::Io`] if a file cannot be read.
pub fn note_new(
    folder: &RunFolder,
    names: &[&str],
    checksums: &mut BTreeMap<String, String>,
) -> Result<(), FolderError> {
    let mut all: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    all.push(SCENE.to_owned());
    for inner in [FRAMES, FIELDS] {
        all.extend(complete(folder.path(), inner)?);
    }
    for name in all {
        let path = folder.path().join(&name);
        if !checksums.contains_key(&name) && path.is_file() {
            checksums.insert(name, checksummed::of_file(&path)?);
        }
    }
    Ok(())
}

/// Names of the complete files in a folder `inner` of a run, each with the folder; none if there is no
/// such folder.
///
/// # Errors
/// [`FolderError::Io`] if it cannot be listed.
fn complete(dir: &Path, inner: &str) -> Result<Vec<String>, FolderError> {
    let path = dir.join(inner);
    let entries = match fs::read_dir(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(failed("read", &path))?,
    };
    let mut names = Vec::new();
    for entry in entries {
        let name = entry.map_err(failed("read", &path))?.file_name();
        let name = name.to_string_lossy();
        if names::completed(&name).is_none() {
            names.push(format!("{inner}/{name}"));
        }
    }
    Ok(names)
}

/// Notes in the report the whole checkpoints of a run, and the `journal` as it says of itself.
///
/// # Errors
/// [`FolderError::Io`] if a checkpoint cannot be read.
pub fn note_saved(
    folder: &RunFolder,
    journal: Part,
    report: &mut RunReport,
) -> Result<(), FolderError> {
    report
        .saved
        .retain(|name, _| names::step_of(name).is_none());
    report.saved.insert(JOURNAL.to_owned(), journal);
    for step in checkpoint::steps(folder)? {
        let path = checkpoint::path(folder, step);
        let part = Part::whole(checksummed::of_file(&path)?);
        report.saved.insert(names::checkpoint(step), part);
    }
    Ok(())
}

/// True if two paths lead to one folder.
pub fn is_same(a: &Path, b: &Path) -> bool {
    let [a, b] = [a, b].map(fs::canonicalize);
    a.is_ok_and(|a| b.is_ok_and(|b| a == b))
}

/// Files of a run that a command writes again: their checksums leave the report before, and the new ones
/// are noted after it.
pub struct Renewal {
    /// Folder of the run, and its report before; `None` if files go elsewhere, or if the report does not
    /// guard them.
    run: Option<(RunFolder, RunReport)>,
}

impl Renewal {
    /// Begins to write files to the folder `out`. If it is the run's folder `dir`, files whose names
    /// satisfy `is_of` are written again.
    ///
    /// # Errors
    /// [`FolderError::Busy`] if another process writes the run; [`FolderError::Io`] if the report cannot
    /// be written.
    pub fn begin(
        dir: &Path,
        out: &Path,
        is_of: impl Fn(&str) -> bool,
    ) -> Result<Self, FolderError> {
        if !is_same(dir, out) {
            return Ok(Self { run: None });
        }
        let folder = RunFolder::reopen(dir)?;
        match read(dir) {
            Ok((before, true)) => {
                let mut report = before.clone();
                report.checksums.retain(|name, _| !is_of(name));
                write_report(&folder, &report)?;
                let run = Some((folder, before));
                Ok(Self { run })
            }
            // A report of an earlier version, or none.
            _ => Ok(Self { run: None }),
        }
    }

    /// Writes the report as it was: no file is written again.
    ///
    /// # Errors
    /// [`FolderError::Io`] if the report cannot be written.
    pub fn undo(self) -> Result<(), FolderError> {
        let written = self
            .run
            .map(|(folder, before)| write_report(&folder, &before));
        written.unwrap_or(Ok(()))
    }

    /// Notes the checksums of the files called `written`, and of new frames and fields.
    ///
    /// # Errors
    /// [`StoredError`] if a file or the report cannot be read or written.
    pub fn finish(self, written: &[&str]) -> Result<(), StoredError> {
        let Some((folder, _)) = self.run else {
            return Ok(());
        };
        let mut report = read_report(folder.path())?;
        note_new(&folder, written, &mut report.checksums)?;
        Ok(write_report(&folder, &report)?)
    }
}

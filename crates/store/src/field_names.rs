//! Names of the files with fields, in the folder [`FIELDS`] of a run.
//!
//! | file | contents |
//! |---|---|
//! | `000120.vtu` | all fields after step 120, for viewers |
//! | `points-000120.csv`, `triangles-000120.csv` | the same as text |
//! | `cauchy_stress.npy`, `cauchy_stress_triangles.npy` | a field at all vertices or triangles, all states |
//! | `step.npy`, `time.npy` | steps and times (s) of these states |
//!
//! A folder is replaced only if every file in it has a name that a run writes, so names are read as
//! strictly as they are written.

use super::error::{FolderError, failed};
use super::names::completed;
use ipcsim::fields::keys;
use std::fs;
use std::path::Path;

/// Name of the folder.
pub const FIELDS: &str = "fields";

/// Kind of files with fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldFiles {
    /// A grid with data for each state.
    Vtu,
    /// Tables of vertices and of triangles for each state.
    Csv,
    /// An array for each field.
    Npy,
}

/// Names of the arrays with the steps and times of all states.
pub const MOMENTS: [&str; 2] = ["step", "time"];

/// Beginnings of the names of tables: of vertices, of triangles.
pub const TABLES: [&str; 2] = ["points-", "triangles-"];

/// End of the name of an array with a value for each triangle, before `.npy`.
pub const OF_TRIANGLES: &str = "_triangles";

impl FieldFiles {
    /// True if `path`, [`FIELDS`] with a slash and a name, leads to a file of this kind in a run's folder.
    pub fn has_path(self, path: &str) -> bool {
        let inner = path.strip_prefix(FIELDS);
        inner
            .and_then(|inner| inner.strip_prefix('/'))
            .is_some_and(|name| self.has(name))
    }

    /// True if `name` is that of a file of this kind, complete or partial.
    pub fn has(self, name: &str) -> bool {
        let name = completed(name).unwrap_or(name);
        match self {
            Self::Vtu => name.strip_suffix(".vtu").is_some_and(is_number),
            Self::Csv => TABLES.iter().any(|table| {
                let stem = name.strip_prefix(table);
                stem.and_then(|stem| stem.strip_suffix(".csv"))
                    .is_some_and(is_number)
            }),
            Self::Npy => name.strip_suffix(".npy").is_some_and(|stem| {
                let key = stem.strip_suffix(OF_TRIANGLES).unwrap_or(stem);
                MOMENTS.contains(&stem) || keys().any(|known| known == key)
            }),
        }
    }
}

/// True if `name` is that of a file with fields of any kind, complete or partial.
fn is_of_fields(name: &str) -> bool {
    [FieldFiles::Vtu, FieldFiles::Csv, FieldFiles::Npy]
        .into_iter()
        .any(|kind| kind.has(name))
}

/// True if a folder holds nothing but files with fields; also if it is empty.
pub fn only_fields(path: &Path) -> bool {
    fs::read_dir(path).is_ok_and(|mut entries| {
        entries.all(|entry| {
            entry.is_ok_and(|entry| is_of_fields(&entry.file_name().to_string_lossy()))
        })
    })
}

/// Removes the files of a kind from the folder of a run or of an export, if it has any.
///
/// # Errors
/// [`FolderError::Io`] if the folder cannot be listed, or if a file cannot be removed.
pub fn remove(folder: &Path, kind: FieldFiles) -> Result<(), FolderError> {
    let path = folder.join(FIELDS);
    if !path.exists() {
        return Ok(());
    }

    for entry in fs::read_dir(&path).map_err(failed("read", &path))? {
        let entry = entry.map_err(failed("read", &path))?;
        if kind.has(&entry.file_name().to_string_lossy()) {
            let file = entry.path();
            fs::remove_file(&file).map_err(failed("remove", &file))?;
        }
    }
    Ok(())
}

/// True if a text consists of digits.
fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_are_written_are_names_of_files_with_fields() {
        for name in [
            "000120.vtu",
            ".000120.vtu.partial",
            "points-000120.csv",
            "triangles-0.csv",
            "time.npy",
            "cauchy_stress.npy",
            "cauchy_stress_triangles.npy",
        ] {
            assert!(is_of_fields(name), "{name}");
        }
        // Files of a user in that folder must stay where they are.
        for name in [
            "a.vtu",
            ".vtu",
            "points-.csv",
            "cells-1.csv",
            "mine.npy",
            "12",
        ] {
            assert!(!is_of_fields(name), "{name}");
        }
    }
}

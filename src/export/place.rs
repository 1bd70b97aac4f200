//! Folder that an export writes to.

use crate::CommandError;
use crate::export_error::ExportError;
use crate::fields::series::LIST;
use crate::fields::tables::{PROBES, SECTIONS};
use ipcsim_store::error::failed;
use ipcsim_store::field_names::{FIELDS, only_fields};
use ipcsim_store::folder::RunFolder;
use ipcsim_store::run_files::is_same;
use std::fs;
use std::path::Path;

/// Folder for the files: that of the run, or another one, which is created and must not hold other
/// files unless `force` is set.
///
/// # Errors
/// [`ExportError::Foreign`] if it does; an error if it cannot be created or listed.
pub(super) fn folder(
    dir: &Path,
    out: Option<&Path>,
    force: bool,
) -> Result<RunFolder, CommandError> {
    let Some(out) = out.filter(|out| !is_same(dir, out)) else {
        return Ok(RunFolder::existing(dir));
    };

    fs::create_dir_all(out).map_err(failed("create", out))?;
    let mut foreign = Vec::new();
    for entry in fs::read_dir(out).map_err(failed("read", out))? {
        let entry = entry.map_err(failed("read", out))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_own = match name.as_str() {
            FIELDS => only_fields(&entry.path()),
            name => [LIST, PROBES[0], SECTIONS[0]].contains(&name),
        };
        if !is_own {
            foreign.push(name);
        }
    }

    // Folders are listed in any order, and the message must name the same entry.
    foreign.sort_unstable();
    match foreign.into_iter().next() {
        Some(entry) if !force => Err(ExportError::Foreign {
            folder: out.to_path_buf(),
            entry,
        }
        .into()),
        _ => Ok(RunFolder::existing(out)),
    }
}

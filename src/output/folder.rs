//! The folder of a run: files appear in it whole or not at all.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A folder or a file in it cannot be used.
#[derive(Debug, Error)]
pub enum FolderError {
    /// The folder holds something that no run has written.
    #[error(
        "{} holds \"{entry}\", which no run has written; choose another folder with --out, or replace the run in it, leaving \
         other files alone, with --force", folder.display()
    )]
    Foreign {
        /// The folder.
        folder: PathBuf,
        /// The first entry that is foreign.
        entry: String,
    },
    /// A file cannot be read, written or removed.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Why it failed.
        source: io::Error,
    },
}

/// The files that a run writes. `run.json` comes first: a folder without it holds no run.
pub const RUN: &str = "run.json";
/// The effective scene.
pub const SCENE: &str = "scene.json";
/// The mesh.
pub const MESH: &str = "mesh.json";
/// Positions.
pub const TRAJECTORY: &str = "trajectory.npy";
/// Energies and sums.
pub const ENERGIES: &str = "energies.csv";
/// Chart of the energies.
pub const CHART: &str = "energies.png";
/// Seconds per phase.
pub const TIMINGS: &str = "timings.csv";
/// Animation.
pub const ANIMATION: &str = "animation.gif";
/// Folder of the frames.
pub const FRAMES: &str = "frames";

const FILES: [&str; 8] = [RUN, SCENE, MESH, TRAJECTORY, ENERGIES, CHART, TIMINGS, ANIMATION];

/// Start and end of the name of a file that is not complete yet.
const PARTIAL: [&str; 2] = [".", ".partial"];

/// A folder for the files of one run.
#[derive(Clone, Debug)]
pub struct RunFolder {
    path: PathBuf,
}

impl RunFolder {
    /// Makes `path` an empty folder for a run. A run in it is replaced; foreign files are refused, or left alone with
    /// `force`.
    ///
    /// # Errors
    /// [`FolderError`]; then nothing has been removed unless removing itself failed.
    pub fn create(path: &Path, force: bool) -> Result<Self, FolderError> {
        fs::create_dir_all(path).map_err(failed("create", path))?;
        let mut own = Vec::new();
        let mut foreign = Vec::new();
        for entry in fs::read_dir(path).map_err(failed("read", path))? {
            let entry = entry.map_err(failed("read", path))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if is_of_a_run(&entry.path(), &name) { own.push(name) } else { foreign.push(name) }
        }
        foreign.sort_unstable();
        let no_run = !own.is_empty() && !path.join(RUN).exists() && own.iter().any(|name| !is_partial(name));
        if no_run {
            own.sort_unstable();
            foreign.append(&mut own);
        }
        if let (Some(entry), false) = (foreign.first(), force) {
            return Err(FolderError::Foreign { folder: path.to_path_buf(), entry: entry.clone() });
        }
        for name in own {
            let file = path.join(name);
            let removed = if file.is_dir() { fs::remove_dir_all(&file) } else { fs::remove_file(&file) };
            removed.map_err(failed("remove", &file))?;
        }
        Ok(Self { path: path.to_path_buf() })
    }

    /// A folder that holds a run already.
    pub fn existing(path: &Path) -> Self {
        Self { path: path.to_path_buf() }
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a file by `fill`, under another name until it is complete.
    ///
    /// # Errors
    /// [`FolderError::Io`].
    pub fn write(&self, name: &str, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), FolderError> {
        write_whole(&self.path.join(name), fill)
    }

    /// Where a file called `name` is while it is not complete.
    pub fn partial(&self, name: &str) -> PathBuf {
        partial(&self.path.join(name))
    }
}

/// Writes the file `path` by `fill`, under another name until it is complete.
///
/// # Errors
/// [`FolderError::Io`].
pub fn write_whole(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), FolderError> {
    let temporary = partial(path);
    let written = fs::File::create(&temporary).and_then(|file| {
        let mut file = BufWriter::new(file);
        fill(&mut file)?;
        file.flush()
    });
    let done = written.and_then(|()| fs::rename(&temporary, path));
    if done.is_err() {
        // The error that matters is the first one; there may be nothing to remove.
        let _ = fs::remove_file(&temporary);
    }
    done.map_err(failed("write", path))
}

/// An error of the operating system with what was tried.
pub fn failed(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> FolderError {
    move |source| FolderError::Io { action, path: path.to_path_buf(), source }
}

fn partial(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{}{name}{}", PARTIAL[0], PARTIAL[1]))
}

fn is_partial(name: &str) -> bool {
    name.starts_with(PARTIAL[0]) && name.ends_with(PARTIAL[1])
}

fn is_of_a_run(path: &Path, name: &str) -> bool {
    if name == FRAMES {
        return only_frames(path);
    }
    FILES.contains(&name) || (is_partial(name) && FILES.iter().any(|file| name[1..].starts_with(file)))
}

/// Whether a folder holds nothing but numbered pictures.
fn only_frames(path: &Path) -> bool {
    let numbered = |name: &str| {
        let name = name.strip_prefix(PARTIAL[0]).and_then(|name| name.strip_suffix(PARTIAL[1])).unwrap_or(name);
        name.strip_suffix(".png").is_some_and(|stem| !stem.is_empty() && stem.bytes().all(|b| b.is_ascii_digit()))
    };
    fs::read_dir(path).is_ok_and(|mut entries| {
        entries.all(|entry| entry.is_ok_and(|entry| numbered(&entry.file_name().to_string_lossy())))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_replaced_and_foreign_files_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a/b");
        let folder = RunFolder::create(&path, false).unwrap();
        folder.write(RUN, |out| out.write_all(b"{}")).unwrap();
        fs::create_dir(path.join(FRAMES)).unwrap();
        fs::write(path.join(FRAMES).join("000000.png"), "x").unwrap();
        RunFolder::create(&path, false).unwrap();
        assert_eq!(fs::read_dir(&path).unwrap().count(), 0);

        fs::write(path.join("thesis.tex"), "x").unwrap();
        let error = RunFolder::create(&path, false).unwrap_err().to_string();
        assert!(error.contains("thesis.tex") && error.contains("--force"), "{error}");
        RunFolder::create(&path, true).unwrap();
        assert!(path.join("thesis.tex").exists());
    }

    #[test]
    fn a_scene_without_a_run_is_foreign_and_so_are_other_pictures() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join(SCENE), "x").unwrap();
        assert!(RunFolder::create(dir.path(), false).is_err());
        assert!(dir.path().join(SCENE).exists());

        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join(FRAMES)).unwrap();
        fs::write(dir.path().join(FRAMES).join("holiday.png"), "x").unwrap();
        assert!(RunFolder::create(dir.path(), false).is_err());
    }

    #[test]
    fn a_file_that_fails_leaves_nothing_behind() {
        let dir = tempfile::tempdir().unwrap();
        let folder = RunFolder::create(dir.path(), false).unwrap();
        let failed = folder.write(ENERGIES, |out| {
            out.write_all(b"half")?;
            Err(io::Error::other("no space left"))
        });
        assert!(failed.unwrap_err().to_string().contains("no space left"));
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}

//! Names of files: those of checkpoints, and those of files that are not complete yet.
//!
//! A run is replaced only if every file in its folder has a name that a run writes, so names are
//! read as strictly as they are written.

use std::path::{Path, PathBuf};

/// Start and end of a checkpoint's name, with the step between.
const CHECKPOINT: [&str; 2] = ["checkpoint-", ".bin"];

/// Start and end of the name of a file that is not complete yet.
const PARTIAL: [&str; 2] = [".", ".partial"];

/// Name of the checkpoint of `step`: `checkpoint-`, six digits at least, `.bin`.
pub(super) fn checkpoint(step: usize) -> String {
    format!("{}{step:06}{}", CHECKPOINT[0], CHECKPOINT[1])
}

/// Step of the checkpoint called `file`, or `None` if it is no checkpoint's name.
pub(super) fn step_of(file: &str) -> Option<usize> {
    let digits = file
        .strip_prefix(CHECKPOINT[0])?
        .strip_suffix(CHECKPOINT[1])?;
    let step = digits.parse().ok()?;

    // Only one spelling of a step is written: no sign, six digits at least.
    (checkpoint(step) == file).then_some(step)
}

/// Path of the file `path` while it is not complete: `.`, its name, `.partial`.
pub fn partial(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{}{name}{}", PARTIAL[0], PARTIAL[1]))
}

/// Name that the file called `name` gets when it is complete, or `None` if it is complete.
pub(super) fn completed(name: &str) -> Option<&str> {
    name.strip_prefix(PARTIAL[0])?.strip_suffix(PARTIAL[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_are_written_are_names_of_checkpoints() {
        assert_eq!(step_of("checkpoint-000012.bin"), Some(12));
        assert_eq!(step_of("checkpoint-1000000.bin"), Some(1_000_000));
        for other in [
            "checkpoint-12.bin",
            "checkpoint-.bin",
            "checkpoint-+00012.bin",
            ".checkpoint-000012.bin.partial",
        ] {
            assert_eq!(step_of(other), None, "{other}");
        }
    }

    #[test]
    fn a_partial_name_names_the_complete_file() {
        let path = partial(Path::new("a/run.json"));
        assert_eq!(path, Path::new("a/.run.json.partial"));
        assert_eq!(completed(".run.json.partial"), Some("run.json"));
        assert_eq!(completed("run.json"), None);
    }
}

//! Shared by the fuzz targets: runs the program in this process on files with arbitrary contents.

use std::path::PathBuf;

/// Separator between the text files of an input.
const BETWEEN: &[u8] = b"\n----\n";

/// Writes the files of `input` under `names`, the rest of the input to the last of them. Runs the
/// program in their folder, which is written `DIR` in `arguments`. The program must not panic.
pub fn program(arguments: &[&str], names: &[&str], input: &[u8]) {
    let folder = folder();
    let mut rest = input;

    for (k, name) in names.iter().enumerate() {
        let end = rest
            .windows(BETWEEN.len())
            .position(|part| part == BETWEEN)
            .filter(|_| k + 1 < names.len());
        let (file, after) = match end {
            Some(end) => (&rest[..end], &rest[end + BETWEEN.len()..]),
            None => (rest, &[][..]),
        };

        if std::fs::write(folder.join(name), file).is_err() {
            return;
        }

        rest = after;
    }

    let folder = folder.to_string_lossy();
    let arguments = arguments
        .iter()
        .map(|argument| argument.replace("DIR", &folder));
    let _ = ipcsim_cli::run(std::iter::once("ipcsim".to_owned()).chain(arguments));
}

/// The folder of a run of a small scene that is completed and has stored its segments.
pub fn completed() -> PathBuf {
    small(&["--certify"])
}

/// The folder of a run of a small scene that was interrupted after a step.
pub fn interrupted() -> PathBuf {
    small(&["--certify", "--checkpoint-every", "1", "--max-wall", "1e-9"])
}

/// Runs a small scene with some options; returns its folder.
fn small(options: &[&str]) -> PathBuf {
    let scene = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/small.json");
    let fixed = [
        "run",
        scene,
        "--out",
        "DIR",
        "--force",
        "--quiet",
        "--no-frames",
    ];
    program(&[&fixed, options].concat(), &[], &[]);
    folder()
}

/// Folder of this process, in memory if the system has a memory file system.
fn folder() -> PathBuf {
    let memory = PathBuf::from("/dev/shm");
    let base = if memory.is_dir() {
        memory
    } else {
        std::env::temp_dir()
    };
    let folder = base.join(format!("ipcsim-fuzz-{}", std::process::id()));
    let _ = std::fs::create_dir_all(&folder);
    folder
}

//! Where the sources and pages of the project are.

use std::path::{Path, PathBuf};

/// Crates of the library and what stands on it, from the lowest to the highest.
pub(crate) const CRATES: [&str; 16] = [
    "macros", "keys", "math", "mesh", "sparse", "energy", "contact", "core", "scene", "import",
    "ipcsim", "live", "diff", "pictures", "store", "validate",
];

/// Path of something in the project.
pub(crate) fn project(path: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2);
    root.unwrap().join(path)
}

/// Path of a file from the project's folder.
pub(crate) fn shown(file: &Path) -> String {
    let root = project("");
    let own = file.strip_prefix(&root).unwrap_or(file);
    own.display().to_string()
}

/// Adds the Rust files of a folder and of those in it to `found`, without those that are built.
pub(crate) fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("target") {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
    found.sort();
}

/// Folders with the sources of all crates: the program and those in `crates`.
pub(crate) fn source_folders() -> Vec<PathBuf> {
    let crates = CRATES.map(|name| project(&format!("crates/{name}/src")));
    [project("src")].into_iter().chain(crates).collect()
}

/// Rust files of all crates.
pub(crate) fn all_sources() -> Vec<PathBuf> {
    let mut files = Vec::new();
    for folder in source_folders() {
        sources(&folder, &mut files);
    }
    assert!(files.len() > 600, "the sources are not where they were");
    files
}

/// Rust files of crates, tests, benchmarks, examples and bindings.
pub(crate) fn all_rust() -> Vec<PathBuf> {
    let mut files = all_sources();
    for folder in ["benches", "examples", "python/src", "tests"] {
        sources(&project(folder), &mut files);
    }
    files
}

/// Adds the pages of a folder and of those in it.
fn add_pages(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            add_pages(&path, found);
        } else if path.extension().is_some_and(|end| end == "md") {
            found.push(path);
        }
    }
}

/// Pages of the manual.
pub(crate) fn manual() -> Vec<PathBuf> {
    let mut found = Vec::new();
    add_pages(&project("docs"), &mut found);
    found.sort();
    assert!(found.len() > 40, "the manual is not where it was");
    found
}

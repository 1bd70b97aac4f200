//! One place per member of a family: the files that name a law.

use std::path::{Path, PathBuf};

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}

/// Files under `src` that contain `name`, sorted.
fn files_that_name(name: &str) -> Vec<String> {
    let mut files = Vec::new();
    sources(Path::new("src"), &mut files);
    let mut found: Vec<String> = files
        .iter()
        .filter(|file| std::fs::read_to_string(file).unwrap().contains(name))
        .map(|file| file.display().to_string())
        .collect();
    found.sort();
    found
}

#[test]
fn a_law_is_named_in_its_own_file_and_in_the_registration() {
    for (law, file) in [
        ("FixedCorotated", "fixed_corotated"),
        ("StVenantKirchhoff", "st_venant_kirchhoff"),
        ("LinearElastic", "linear"),
    ] {
        let expected = [
            format!("src/material/{file}.rs"),
            "src/material/law.rs".to_owned(),
        ];
        assert_eq!(files_that_name(law), expected);
    }
}

//! Floors: a module uses only those below it.

use std::path::{Path, PathBuf};

/// Modules, from the lowest to the highest.
const FLOORS: [&str; 21] = [
    "math",
    "files",
    "geometry",
    "mesh",
    "pictures",
    "material",
    "sparse",
    "body",
    "energy",
    "contact",
    "constraint",
    "solve",
    "time",
    "forces",
    "fields",
    "scene",
    "simulation",
    "store",
    "study",
    "validate",
    "commands",
];

/// Number of a floor, from the lowest.
fn height(floor: &str) -> usize {
    // The prelude is names of the simulation and of scenes.
    let floor = if floor == "prelude" {
        "simulation"
    } else {
        floor
    };
    FLOORS
        .iter()
        .position(|name| *name == floor)
        .unwrap_or_else(|| panic!("{floor} is not a floor"))
}

/// Adds the Rust files of a folder and of those in it to `found`.
pub(crate) fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}

/// Floors that a text names right after each `crate::`, or in the braces there.
fn used(text: &str) -> impl Iterator<Item = &str> {
    let not_name = |c: char| !c.is_alphanumeric() && c != '_';
    text.split("crate::")
        .skip(1)
        .flat_map(move |rest| match rest.strip_prefix('{') {
            Some(list) => list
                .split(';')
                .next()
                .unwrap()
                .split(not_name)
                .filter(|name| FLOORS.contains(name))
                .collect(),
            None => vec![rest.split(not_name).next().unwrap()],
        })
}

#[test]
fn every_module_uses_only_floors_at_or_below_its_own() {
    let mut files = Vec::new();
    for floor in FLOORS {
        sources(&Path::new("src").join(floor), &mut files);
    }

    assert!(
        files.len() > 50,
        "the sources are not where they were: {files:?}"
    );
    for file in files {
        let own = file
            .components()
            .nth(1)
            .unwrap()
            .as_os_str()
            .to_str()
            .unwrap()
            .to_owned();
        for floor in used(&std::fs::read_to_string(&file).unwrap()) {
            assert!(
                height(floor) <= height(&own),
                "{} uses {floor}, which is above {own}",
                file.display()
            );
        }
    }
}

#[test]
fn pictures_know_numbers_geometry_and_meshes_only() {
    let mut files = Vec::new();
    sources(Path::new("src/pictures"), &mut files);
    assert!(files.len() > 10, "{files:?}");

    for file in files {
        for floor in used(&std::fs::read_to_string(&file).unwrap()) {
            assert!(
                ["math", "geometry", "mesh", "pictures"].contains(&floor),
                "{} uses {floor}",
                file.display()
            );
        }
    }
}

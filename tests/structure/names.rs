//! Names: no public type twice in a crate, no file name more than three times.

use crate::project::{CRATES, project, shown, sources};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// File names that every folder may have.
const COMMON: [&str; 5] = ["error", "lib", "mod", "tests", "tuning"];

/// Largest number of files of one name in a crate.
const MOST: usize = 3;

/// Source folders by the names of their crates.
fn crates() -> Vec<(&'static str, PathBuf)> {
    let below = CRATES.map(|name| (name, project(&format!("crates/{name}/src"))));
    let program = ("program", project("src"));
    below.into_iter().chain([program]).collect()
}

/// Rust files of a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    sources(folder, &mut files);
    files
}

/// Names of the types that a text declares at the start of a line and as public, outside tests.
fn public_types(text: &str) -> Vec<String> {
    let kinds = ["struct", "enum", "trait", "type", "union"];
    let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    code.lines()
        .filter_map(|line| {
            let (kind, rest) = line.strip_prefix("pub ")?.split_once(' ')?;
            let is_name = |c: char| c.is_alphanumeric() || c == '_';
            let name: String = rest.chars().take_while(|c| is_name(*c)).collect();
            kinds.contains(&kind).then_some(name)
        })
        .collect()
}

/// Entries of a table with more than `most` places, as text.
fn repeated(found: &BTreeMap<String, Vec<String>>, most: usize) -> String {
    let mut text = String::new();
    for (name, places) in found.iter().filter(|(_, places)| places.len() > most) {
        writeln!(text, "{name}: {}", places.join(", ")).unwrap();
    }
    text
}

#[test]
fn no_public_type_has_the_name_of_another_one_in_its_crate() {
    let mut faults = String::new();
    for (_, folder) in crates() {
        let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for file in files(&folder) {
            for name in public_types(&std::fs::read_to_string(&file).unwrap()) {
                found.entry(name).or_default().push(shown(&file));
            }
        }
        faults += &repeated(&found, 1);
    }
    assert!(faults.is_empty(), "types of one name:\n{faults}");
}

#[test]
fn no_file_name_stands_more_than_three_times_in_a_crate() {
    let mut faults = String::new();
    for (_, folder) in crates() {
        let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for file in files(&folder) {
            let stem = file.file_stem().unwrap().to_str().unwrap().to_owned();
            if !COMMON.contains(&stem.as_str()) {
                found.entry(stem).or_default().push(shown(&file));
            }
        }
        faults += &repeated(&found, MOST);
    }
    assert!(faults.is_empty(), "files of one name:\n{faults}");
}

#[test]
fn types_of_one_name_are_found_outside_tests() {
    let text = "pub struct A<T> {}\nstruct B;\npub(crate) enum C {}\npub trait D: E {}\n\
                #[cfg(test)]\nmod tests {\npub struct F;\n}\n";
    assert_eq!(public_types(text), ["A", "D"]);
    let twice = [("A".to_owned(), vec!["a.rs".to_owned(), "b.rs".to_owned()])];
    assert_eq!(repeated(&BTreeMap::from(twice), 1), "A: a.rs, b.rs\n");
}

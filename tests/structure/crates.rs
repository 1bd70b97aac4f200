//! Crates of the workspace: members, direction of dependencies, and what a registry needs.

use crate::project::{CRATES, project, shown};
use std::collections::BTreeSet;

/// Text of the manifest of a crate.
fn manifest(name: &str) -> String {
    std::fs::read_to_string(project(&format!("crates/{name}/Cargo.toml"))).unwrap()
}

/// Lines of a table of a manifest, without its head.
fn table<'a>(manifest: &'a str, head: &str) -> Vec<&'a str> {
    let lines = manifest.lines().skip_while(|line| *line != head).skip(1);
    lines.take_while(|line| !line.starts_with('[')).collect()
}

/// Crates of ours that a table of dependencies names, without their prefix.
fn own(lines: &[&str]) -> Vec<String> {
    let names = lines.iter().filter_map(|line| {
        let name = line.split(['.', ' ', '=']).next()?;
        match name.strip_prefix("ipcsim") {
            Some("") => Some("ipcsim".to_owned()),
            Some(rest) => rest.strip_prefix('-').map(str::to_owned),
            None => None,
        }
    });
    names.collect()
}

#[test]
fn folders_of_crates_are_the_known_ones_and_every_member_is_built_by_default() {
    let folders: BTreeSet<String> = std::fs::read_dir(project("crates"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(folders, CRATES.map(str::to_owned).into());

    let root = std::fs::read_to_string(project("Cargo.toml")).unwrap();
    for lines in [
        "members = [\".\", \"crates/*\", \"python\", \"tests/structure\", \"tests/unified\", \"web\"]",
        "default-members = [\".\", \"crates/*\", \"tests/structure\", \"tests/unified\"]",
    ] {
        assert!(root.lines().any(|line| line == lines), "{lines}");
    }
}

#[test]
fn crates_depend_on_lower_ones_only() {
    for (height, name) in CRATES.iter().enumerate() {
        let text = manifest(name);
        let mut used = own(&table(&text, "[dependencies]"));
        used.extend(own(&table(&text, "[dev-dependencies]")));
        for used in used {
            let place = CRATES.iter().position(|other| *other == used);
            assert!(
                place.is_some_and(|place| place < height),
                "{name} depends on {used}, which is not below it"
            );
        }
    }
}

#[test]
fn pictures_know_numbers_geometry_and_meshes_only() {
    let used = own(&table(&manifest("pictures"), "[dependencies]"));
    for used in used {
        assert!(["math", "mesh"].contains(&used.as_str()), "{used}");
    }
}

#[test]
fn the_core_of_scenes_and_simulations_needs_no_reader_schema_or_faer() {
    for name in [
        "macros", "keys", "math", "mesh", "sparse", "energy", "contact", "core", "scene", "ipcsim",
    ] {
        let text = manifest(name);
        for line in table(&text, "[dependencies]") {
            let is_heavy = ["faer", "schemars", "svgtypes", "roxmltree", "ipcsim-import"]
                .iter()
                .any(|heavy| line.split(['.', ' ']).next() == Some(heavy));
            assert!(
                !is_heavy || line.contains("optional = true"),
                "{name}: {line}"
            );
        }
    }
}

#[test]
fn every_crate_has_a_readme_of_one_page_with_an_example_and_metadata() {
    for name in CRATES {
        let readme = project(&format!("crates/{name}/README.md"));
        let text = std::fs::read_to_string(&readme).unwrap();
        let words = text.split_whitespace().count();
        assert!(
            (60..700).contains(&words),
            "{}: {words} words",
            shown(&readme)
        );
        assert!(
            text.contains("```rust"),
            "{} has no example",
            shown(&readme)
        );
        let lib = std::fs::read_to_string(project(&format!("crates/{name}/src/lib.rs"))).unwrap();
        assert!(
            lib.contains("include_str!(\"../README.md\")"),
            "the example of {name} is not tested"
        );

        let text = manifest(name);
        for key in [
            "description",
            "readme",
            "documentation",
            "license",
            "keywords",
            "categories",
        ] {
            let has = text.lines().any(|line| line.starts_with(key));
            assert!(has, "{name} has no {key}");
        }
    }
}

#[test]
fn all_crates_and_the_citation_have_one_version_and_the_release_has_its_files() {
    let root = std::fs::read_to_string(project("Cargo.toml")).unwrap();
    let package = table(&root, "[workspace.package]");
    let version = package
        .iter()
        .find_map(|line| line.strip_prefix("version = "));
    let version = version.unwrap();
    for line in table(&root, "[workspace.dependencies]") {
        if line.contains("path = ") {
            assert!(line.contains(&format!("version = {version}")), "{line}");
        }
    }
    let citation = std::fs::read_to_string(project("CITATION.cff")).unwrap();
    let cited = format!("version: {}", version.trim_matches('"'));
    assert!(citation.lines().any(|line| line == cited), "{cited}");

    // Files that the published sources include are there.
    let lines = root.lines().skip_while(|line| *line != "include = [");
    let included: Vec<&str> = lines
        .skip(1)
        .take_while(|line| *line != "]")
        .map(|line| line.trim().trim_matches([',', '"', '/']))
        .collect();
    for path in included.iter().filter(|path| !path.contains('*')) {
        assert!(project(path).exists(), "{path}");
    }
    assert!(included.contains(&"src"), "{included:?}");

    // The workflow calls the script.
    let workflow = project(".github/workflows/release.yml");
    assert!(
        std::fs::read_to_string(workflow)
            .unwrap()
            .contains("run: .ci/release\n")
    );
}

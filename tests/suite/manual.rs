//! The manual is true: pages, links, names of code, scenes and commands.
//!
//! Blocks of its pages have marks after the language:
//!
//! | block | what a test does with it |
//! |---|---|
//! | `json scene=NAME` | written as `NAME`; `check` accepts it without a warning, or, with `warns`, with one |
//! | `json file=NAME` | written as `NAME` |
//! | `sh` | its commands of the program are run, in order, in one new folder for each page |
//! | `sh exit=1` | the same; the commands end with this code |
//! | `sh long` | the same in a test that is ignored |
//! | `sh illustrative` | not run; its options exist |
//! | `text` right after `sh` | part of what the last command has written |

mod page;

use crate::program::sources;
use crate::program::{Ended, Place, ipcsim, ipcsim_in, project};
use page::{Block, Page, words};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Component, Path, PathBuf};

/// Pages outside of the manual whose links are tested, too.
const BESIDE: [&str; 6] = [
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "README.md",
    "benches/README.md",
    "python/README.md",
    "scenes/README.md",
];

/// Adds the pages of a folder and of those in it.
fn add_pages(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(project("").join(folder)).unwrap() {
        let path = folder.join(entry.unwrap().file_name());
        if project("").join(&path).is_dir() {
            add_pages(&path, found);
        } else if path.extension().is_some_and(|end| end == "md") {
            found.push(path);
        }
    }
}

/// Paths of all pages in `docs`, from the project's folder.
fn manual() -> Vec<PathBuf> {
    let mut found = Vec::new();
    add_pages(Path::new("docs"), &mut found);
    found.sort();
    assert!(found.len() > 40, "the manual is not where it was");
    found
}

/// Pages of the manual, and those with the given paths.
fn pages(others: &[&str]) -> Vec<Page> {
    let mut paths = manual();
    paths.extend(others.iter().map(PathBuf::from));
    paths.into_iter().map(Page::read).collect()
}

/// A path without `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        if part == Component::ParentDir {
            assert!(plain.pop(), "{} leaves the project", path.display());
        } else {
            plain.push(part);
        }
    }
    plain
}

#[test]
fn every_page_of_the_manual_is_in_its_summary_once() {
    let summary = PathBuf::from("docs/SUMMARY.md");
    let links = Page::read(summary.clone()).links();
    let mut listed: Vec<PathBuf> = links
        .iter()
        .map(|link| Path::new("docs").join(&link.target))
        .collect();
    listed.push(summary);
    listed.sort();
    assert_eq!(listed, manual());
}

/// What is wrong with a link, if anything is.
fn fault(folder: &Path, target: &str) -> Option<String> {
    if target.contains("://") {
        return None;
    }
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    let file = plain(&folder.join(path));
    if !project("").join(&file).exists() {
        return Some(format!("{} does not exist", file.display()));
    }

    if anchor.is_empty() {
        return None;
    }
    let known = Page::read(file.clone()).anchors();
    let is_known = known.iter().any(|own| own == anchor);
    (!is_known).then(|| format!("{} has no heading #{anchor}, but {known:?}", file.display()))
}

#[test]
fn links_of_pages_lead_to_files_and_headings() {
    let mut faults = String::new();
    let mut count = 0;
    for page in pages(&BESIDE) {
        for link in page.links() {
            count += 1;
            // A link to a heading of the same page.
            let own = page.path.file_name().unwrap().to_str().unwrap();
            let target = if link.target.starts_with('#') {
                format!("{own}{}", link.target)
            } else {
                link.target
            };
            if let Some(fault) = fault(page.folder(), &target) {
                writeln!(faults, "{}: {fault}", page.at(link.line)).unwrap();
            }
        }
    }
    assert!(faults.is_empty(), "links that lead nowhere:\n{faults}");
    assert!(count > 500, "{count} links");

    let docs = Path::new("docs");
    assert!(fault(docs, "nowhere.md").is_some());
    assert!(fault(docs, "start.md#nothing").is_some());
    assert!(fault(docs, "start.md#install").is_none());
}

/// True if a path is that of a file of Rust.
fn is_rust(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|end| end == "rs")
}

/// True if a file of Rust declares a name.
fn declares(text: &str, name: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let items = ["fn", "struct", "enum", "trait", "type", "const", "mod"];
    let declared = items.iter().any(|item| {
        let mut places = text
            .match_indices(&format!("{item} {name}"))
            .collect::<Vec<_>>();
        places.retain(|(at, found)| !text[at + found.len()..].starts_with(is_name));
        !places.is_empty()
    });
    // A variant of an enumeration.
    declared
        || text
            .lines()
            .any(|line| line.trim().trim_end_matches([',', '(', '{', ' ']) == name)
}

#[test]
fn code_that_pages_name_exists() {
    let mut files = Vec::new();
    for folder in ["benches", "crates", "examples", "src", "tests"] {
        sources(Path::new(folder), &mut files);
    }
    let mut faults = String::new();
    for page in pages(&["README.md", "ARCHITECTURE.md"]) {
        // A name that links to a file is declared there.
        for link in page.links() {
            let names = link
                .text
                .strip_prefix('`')
                .and_then(|text| text.strip_suffix('`'));
            let (Some(names), true) = (names, is_rust(&link.target)) else {
                continue;
            };
            let names = names.split('<').next().unwrap();
            let file = plain(&page.folder().join(&link.target));
            let text = std::fs::read_to_string(project("").join(&file)).unwrap();
            let last = names.rsplit("::").next().unwrap();
            let all_there = names.split("::").all(|name| text.contains(name));
            if !all_there || !declares(&text, last) {
                let file = file.display();
                writeln!(
                    faults,
                    "{}: {file} does not declare {names}",
                    page.at(link.line)
                )
                .unwrap();
            }
        }

        // A file of Rust is somewhere.
        for (line, code) in page.code() {
            let is_file = is_rust(code) && !code.contains(['*', ' ']);
            if is_file && !files.iter().any(|file| file.ends_with(code)) {
                writeln!(faults, "{}: there is no {code}", page.at(line)).unwrap();
            }
        }
    }
    assert!(faults.is_empty(), "names of code:\n{faults}");

    assert!(declares("pub fn a_b(", "a_b") && !declares("fn a_bc()", "a_b"));
    assert!(declares("    Inverse,\n", "Inverse") && !declares("// b", "b"));
}

/// Copies scenes and their shapes, which commands of pages name as `scenes/...`.
fn copy_scenes(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if ["book", "shapes", "showcase"].contains(&name) {
            copy_scenes(&path, &to.join(name));
        } else if path.is_file() {
            std::fs::copy(&path, to.join(name)).unwrap();
        }
    }
}

/// Text with one space between words.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Writes a block of JSON where its mark says, and asks `check` about a scene.
fn write(place: &Place, block: &Block) -> Result<(), String> {
    let named = block.value("scene").or(block.value("file"));
    let Some(name) = named else {
        // A part of a file, with or without braces around it.
        let whole: Result<serde_json::Value, _> = serde_json::from_str(&block.text);
        let braced = serde_json::from_str(&format!("{{{}}}", block.text));
        return whole
            .or(braced)
            .map(drop)
            .map_err(|error| error.to_string());
    };
    std::fs::write(place.path(name), &block.text).unwrap();
    if block.value("scene").is_none() {
        return Ok(());
    }

    let ended = ipcsim_in(place.root(), &["check", name]);
    let warns = ended.stderr.contains("warning");
    if ended.code == 0 && warns == block.has("warns") {
        Ok(())
    } else {
        Err(format!("check: {ended:?}"))
    }
}

/// Runs the commands of a block, and returns the result of the last one.
fn run(place: &Place, block: &Block) -> Result<Option<Ended>, String> {
    let expected = block.value("exit").map_or(0, |code| code.parse().unwrap());
    let mut last = None;
    for command in block.commands() {
        let args: Vec<&str> = command[1..].iter().map(String::as_str).collect();
        let ended = ipcsim_in(place.root(), &args);
        if ended.code != expected {
            return Err(format!("{}: {ended:?}", command.join(" ")));
        }
        last = Some(ended);
    }
    Ok(last)
}

/// Does what a page says, in a new folder. `is_run` says which blocks of commands are run.
fn follow(page: &Page, is_run: impl Fn(&Block) -> bool) -> Result<(), String> {
    let place = Place::new();
    copy_scenes(&project("scenes"), &place.root().join("scenes"));
    let mut last: Option<Ended> = None;
    for block in page.blocks() {
        let at = |fault: String| format!("{}: {fault}\n", page.at(block.line));
        match block.language.as_str() {
            "json" => write(&place, &block).map_err(at)?,
            "sh" if is_run(&block) => last = run(&place, &block).map_err(at)?,
            "text" if block.follows => {
                let written = last
                    .take()
                    .map_or_else(String::new, |ended| ended.stdout + &ended.stderr);
                if !flat(&written).contains(&flat(&block.text)) {
                    return Err(at(format!("the program has written: {written}")));
                }
            }
            _ => {}
        }
    }
    Ok(())
}

#[test]
fn scenes_of_the_manual_are_accepted_and_its_commands_run() {
    let faults: String = pages(&["README.md"])
        .iter()
        .filter_map(|page| {
            follow(page, |block| {
                !block.has("long") && !block.has("illustrative")
            })
            .err()
        })
        .collect();
    assert!(faults.is_empty(), "{faults}");

    // Tests that can fail: a wrong scene, a wrong exit code, other words than those of the program.
    for wrong in [
        "```json scene=a.json\n{}\n```\n",
        "```json\n{,}\n```\n",
        "```sh exit=1\nipcsim --version\n```\n",
        "```sh\nipcsim --version\n```\n```text\nnonsense\n```\n",
    ] {
        assert!(follow(&Page::of(wrong), |_| true).is_err(), "{wrong}");
    }
}

#[test]
#[ignore = "commands of the manual that take minutes"]
fn long_commands_of_the_manual_run() {
    let faults: String = pages(&["README.md"])
        .iter()
        .filter(|page| page.blocks().iter().any(|block| block.has("long")))
        .filter_map(|page| follow(page, |block| !block.has("illustrative")).err())
        .collect();
    assert!(faults.is_empty(), "{faults}");
}

#[test]
fn options_that_pages_name_exist() {
    let mut help: BTreeMap<String, String> = BTreeMap::new();
    let mut known = BTreeSet::new();
    let mut faults = String::new();
    for page in pages(&["README.md"]) {
        let mut commands: Vec<(usize, Vec<String>)> = Vec::new();
        for block in page.blocks() {
            if block.language != "sh" {
                continue;
            }
            commands.extend(block.commands().map(|command| (block.line, command)));
        }
        let spans = page
            .code()
            .into_iter()
            .map(|(line, code)| (line, words(code)));
        commands.extend(spans.filter(|(_, words)| words.len() > 1 && words[0] == "ipcsim"));

        for (line, command) in commands {
            // The help of the command, or that of the program if there is no command.
            let text = help.entry(command[1].clone()).or_insert_with(|| {
                let whole = ["--help"];
                let own = [&command[1], "--help"];
                let is_option = command[1].starts_with('-');
                let ended = ipcsim(if is_option { &whole } else { &own });
                assert_eq!(ended.code, 0, "{}: {command:?}", page.at(line));
                ended.stdout
            });
            for option in command[1..].iter().filter(|word| word.starts_with("--")) {
                let name = option.split('=').next().unwrap();
                known.insert(name.to_owned());
                let mut listed = text.split(|c: char| !c.is_alphanumeric() && c != '-');
                if !listed.any(|word| word == name) {
                    writeln!(faults, "{}: {command:?} has no {name}", page.at(line)).unwrap();
                }
            }
        }
    }
    assert!(faults.is_empty(), "options:\n{faults}");
    assert!(known.len() > 30, "{known:?}");
}

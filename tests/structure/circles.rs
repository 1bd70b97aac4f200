//! No circles between the files of a crate: if a file uses another, the other does not lead back to
//! it.
//!
//! A file uses another if it imports an item that is defined there, or names one by its path. `mod`
//! lines and re-exports (`pub use`) are not uses: a path is followed through them to the file with
//! the definition. What a module takes from the modules that it is inside of does not count either,
//! since a file extends its parent: it may implement methods of the parent's types, and the parent
//! may call it. Unit tests do not count.

mod source;

use crate::project::source_folders;
use source::{Modules, Names, module, read};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// For each module those that it uses, and the items that it names of each.
type Uses = BTreeMap<Names, BTreeMap<Names, BTreeSet<String>>>;

/// The module where the item is defined that `path` names in module `here`, and the item's name;
/// `None` if it is not of this crate, or if a module itself is named.
fn definition(
    modules: &Modules,
    here: &[String],
    path: &[String],
    depth: usize,
) -> Option<(Names, String)> {
    let (first, rest) = path.split_first()?;
    let (mut place, mut rest) = match first.as_str() {
        "crate" => (Vec::new(), rest),
        "self" => (here.to_vec(), rest),
        "super" => (here[..here.len().checked_sub(1)?].to_vec(), rest),
        _ => (here.to_vec(), path),
    };

    while rest.first().is_some_and(|name| name == "super") {
        place.pop();
        rest = &rest[1..];
    }

    while let Some((name, after)) = rest.split_first() {
        let child: Names = place.iter().chain([name]).cloned().collect();
        if modules.contains_key(&child) {
            place = child;
            rest = after;
            continue;
        }

        let module = modules.get(&place)?;
        if module.defined.contains(name) {
            return Some((place, name.clone()));
        }

        // A module may import a name that it has itself in another namespace, thus the bound.
        if depth > 8 {
            return None;
        }

        if let Some(target) = module.imports.get(name) {
            if target.len() == 1 && target[0] == *name {
                return None;
            }
            let whole: Names = target.iter().chain(after).cloned().collect();
            return definition(modules, &place, &whole, depth + 1);
        }

        return module.globs.iter().find_map(|glob| {
            let whole: Names = glob.iter().chain(rest).cloned().collect();
            definition(modules, &place, &whole, depth + 1)
        });
    }

    None
}

/// For each module those that it uses, and the items that it names of each.
fn uses(modules: &Modules) -> Uses {
    let mut uses = Uses::new();
    for (names, module) in modules {
        let mut used: BTreeMap<Names, BTreeSet<String>> = BTreeMap::new();
        for path in &module.named {
            if let Some((place, item)) = definition(modules, names, path, 0)
                && !names.starts_with(&place)
            {
                used.entry(place).or_default().insert(item);
            }
        }

        uses.insert(names.clone(), used);
    }

    uses
}

/// For each module all those that it leads to.
fn reached(uses: &Uses) -> BTreeMap<&Names, BTreeSet<&Names>> {
    let mut reached = BTreeMap::new();
    for start in uses.keys() {
        let mut seen = BTreeSet::new();
        let mut open = vec![start];

        while let Some(names) = open.pop() {
            for next in uses[names].keys() {
                if seen.insert(next) {
                    open.push(next);
                }
            }
        }

        reached.insert(start, seen);
    }

    reached
}

#[test]
fn no_file_uses_one_that_leads_back_to_it() {
    let mut text = String::new();
    for folder in source_folders() {
        let mut modules = Modules::new();
        read(&folder, &[], &mut modules);
        text += &circles(&modules);
    }
    assert!(text.is_empty(), "files use each other in circles:\n{text}");
}

/// Each use that closes a circle, with the items that it names.
fn circles(modules: &Modules) -> String {
    let uses = uses(modules);
    let reached = reached(&uses);
    let mut text = String::new();
    for (names, used) in &uses {
        for (other, items) in used {
            let file = &modules[names].file;
            let other_file = &modules[other].file;
            if reached[other].contains(names) {
                writeln!(text, "{file} uses {other_file} for {items:?}").unwrap();
            }
        }
    }
    text
}

/// The circle that is tried: two files of a folder name each other, one of them through a re-export
/// of the folder.
#[test]
fn a_circle_through_a_re_export_is_found() {
    let files = [
        ("folder", "mod one; mod two; pub use two::Two;"),
        (
            "folder::one",
            "use crate::folder::Two; pub struct One(Two);",
        ),
        (
            "folder::two",
            "pub struct Two; fn make() -> super::one::One {}",
        ),
    ];
    let mut modules = Modules::new();

    for (path, text) in files {
        let names = path.split("::").map(str::to_owned).collect();
        modules.insert(names, module(path, text));
    }

    let uses = uses(&modules);
    let reached = reached(&uses);

    let [folder, one, two] = ["folder", "folder::one", "folder::two"]
        .map(|path| path.split("::").map(str::to_owned).collect::<Names>());
    assert!(reached[&one].contains(&two));
    assert!(reached[&two].contains(&one));
    assert!(uses[&folder].is_empty(), "a re-export is not a use");
}

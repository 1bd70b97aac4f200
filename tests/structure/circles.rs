//! No circles in a crate, neither between files nor between modules: what one uses does not lead back
//! to it.
//!
//! A file uses another if it imports an item that is defined there, or names one by its path. `mod`
//! lines and re-exports (`pub use`) are not uses: a path is followed through them to the file with
//! the definition. A parent is a file as any other: what its parts take from it counts
//! (`use super::Item`, `super::item()`), and what it takes from them. Unit tests do not count, nor do
//! calls of methods, which name no file.
//!
//! A module uses another one beside it if one of its files uses a file of the other. Two modules may
//! use each other without a circle of files; a reader of one must know both all the same.

mod source;

use crate::project::{shown, source_folders};
use source::{Modules, Names, module, read};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

/// Files that still lead back to each other, by the folder of their crate, the first of them and their
/// number, which may only fall. Each is a file with its parts: the parts take types or constants of the
/// file, and the file calls them; but a stage has the start of slip, which friction measures in stages. To
/// mend one, put what both need into a part of its own.
const FILES: [(&str, &str, usize); 22] = [
    ("src", "pictures", 2),
    ("src", "sweep", 2),
    ("src", "verify", 2),
    ("crates/math/src", "formula", 2),
    ("crates/mesh/src", "domain", 3),
    ("crates/mesh/src", "refine", 2),
    ("crates/energy/src", "lib", 5),
    ("crates/energy/src", "damping", 3),
    ("crates/energy/src", "following", 6),
    ("crates/energy/src", "triangle", 2),
    ("crates/contact/src", "broad", 7),
    ("crates/contact/src", "candidates", 2),
    ("crates/contact/src", "ccd", 7),
    ("crates/contact/src", "find", 3),
    ("crates/contact/src", "friction", 4),
    ("crates/contact/src", "pair_forces", 2),
    ("crates/contact/src", "segments", 2),
    ("crates/contact/src", "swept_penetration", 2),
    ("crates/core/src", "solve::newton::arc_length", 3),
    ("crates/ipcsim/src", "simulation", 2),
    ("crates/pictures/src", "chart", 4),
    ("crates/pictures/src", "draw::diagram", 2),
];

/// Modules that still use each other, in the same form.
///
/// - Friction on tangents is measured in stages and between iterates of `newton`, which uses both.
/// - In `newton`, the state of a solve has a part of each of its features, and features work on it.
/// - In `time`, a step asks for options, and some options repeat steps; world, record and report have
///   what options are set to and what they report.
const MODULES: [(&str, &str, usize); 3] = [
    ("crates/core/src", "solve::newton", 3),
    ("crates/core/src", "solve::newton::friction", 3),
    ("crates/core/src", "time::options", 5),
];
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
                && *names != place
            {
                used.entry(place).or_default().insert(item);
            }
        }

        uses.insert(names.clone(), used);
    }

    uses
}

/// Uses between modules that stand beside each other, each with one of their files: modules that two
/// files have no longer in common use each other as the files do. A module and its parts are not beside
/// each other.
fn uses_between_modules(uses: &Uses) -> Uses {
    let mut between = Uses::new();
    for (names, used) in uses {
        for other in used.keys() {
            let common = names.iter().zip(other).take_while(|(a, b)| a == b).count();
            if common == names.len().min(other.len()) {
                continue;
            }
            let [one, two] = [names, other].map(|names| names[..=common].to_vec());
            let example = format!("{} uses {}", path(names), path(other));
            between.entry(two.clone()).or_default();
            let examples = between.entry(one).or_default().entry(two).or_default();
            examples.insert(example);
        }
    }
    between
}

/// Path of a module from the root of its crate.
fn path(names: &[String]) -> String {
    if names.is_empty() {
        return "lib".to_owned();
    }
    names.join("::")
}

/// Number of items that a message lists of one use.
const LISTED: usize = 3;

/// Items of a use in words: the first of them, and the number of the others.
fn listed(items: &BTreeSet<String>) -> String {
    let first: Vec<&str> = items.iter().map(String::as_str).take(LISTED).collect();
    let text = first.join(", ");
    match items.len() - first.len() {
        0 => text,
        others => format!("{text} and {others} more"),
    }
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

/// Modules that lead to each other.
struct Knot {
    /// Path of the first module, in the order of paths.
    first: String,
    /// Number of modules.
    count: usize,
    /// Uses by which they do, one a line.
    uses: String,
}

/// All knots among uses.
fn knots(uses: &Uses) -> Vec<Knot> {
    let reached = reached(uses);
    let mut knots = Vec::new();
    let mut seen = BTreeSet::new();
    for first in uses.keys() {
        let leads_back = |other: &&&Names| reached[**other].contains(first);
        let members: BTreeSet<&Names> = reached[first].iter().filter(leads_back).copied().collect();
        if !members.contains(first) || !seen.insert(first) {
            continue;
        }

        // The uses within the knot.
        seen.extend(&members);
        let mut text = String::new();
        for name in &members {
            for (other, items) in uses[*name]
                .iter()
                .filter(|(other, _)| members.contains(other))
            {
                let items = listed(items);
                writeln!(text, "    {} uses {}: {items}", path(name), path(other)).unwrap();
            }
        }
        knots.push(Knot {
            first: path(first),
            count: members.len(),
            uses: text,
        });
    }
    knots
}

/// What is wrong with the knots of all crates, given those that are allowed: a knot that is new or has
/// grown, with its uses, and an allowance that is too large.
fn faults(allowed: &[(&str, &str, usize)], of: impl Fn(&Uses) -> Vec<Knot>) -> String {
    let mut text = String::new();
    let mut left: BTreeMap<(String, String), usize> = allowed
        .iter()
        .map(|&(folder, first, count)| ((folder.to_owned(), first.to_owned()), count))
        .collect();

    for folder in source_folders() {
        for knot in of(&uses(&modules_of(&folder))) {
            let folder = shown(&folder);
            let Knot { first, count, uses } = knot;
            let most = left.remove(&(folder.clone(), first.clone())).unwrap_or(0);
            if count > most {
                writeln!(text, "{folder}: {count} from {first} on:\n{uses}").unwrap();
            } else if count < most {
                writeln!(text, "{folder}: {first} needs {count}, allow no more").unwrap();
            }
        }
    }
    for ((folder, first), _) in left {
        writeln!(text, "{folder}: {first} needs no allowance any more").unwrap();
    }
    text
}

/// Modules of the crate in a folder.
fn modules_of(folder: &Path) -> Modules {
    let mut modules = Modules::new();
    read(folder, &[], &mut modules);
    modules
}

#[test]
fn no_file_uses_one_that_leads_back_to_it() {
    let text = faults(&FILES, knots);
    assert!(text.is_empty(), "files use each other in circles:\n{text}");
}

#[test]
fn no_module_uses_one_that_leads_back_to_it() {
    let text = faults(&MODULES, |uses| knots(&uses_between_modules(uses)));
    assert!(
        text.is_empty(),
        "modules use each other in circles:\n{text}"
    );
}

/// Modules of a crate with these files, by their paths.
fn crate_of(files: &[(&str, &str)]) -> Modules {
    let names = |path: &str| path.split("::").map(str::to_owned).collect();
    let modules = files.iter();
    modules
        .map(|(path, text)| (names(path), module(text)))
        .collect()
}

/// Paths of the modules in all knots of files, and of modules, of a crate.
fn counts(files: &[(&str, &str)]) -> [Vec<(String, usize)>; 2] {
    let uses = uses(&crate_of(files));
    [knots(&uses), knots(&uses_between_modules(&uses))].map(|knots| {
        let knots = knots.into_iter();
        knots.map(|knot| (knot.first, knot.count)).collect()
    })
}

/// Two files of a folder name each other, one of them through a re-export of the folder.
#[test]
fn a_circle_through_a_re_export_is_found_and_the_re_export_is_no_use() {
    let [files, modules] = counts(&[
        ("folder", "mod one; mod two; pub use two::Two;"),
        (
            "folder::one",
            "use crate::folder::Two; pub struct One(Two);",
        ),
        (
            "folder::two",
            "pub struct Two; fn make() -> super::one::One {}",
        ),
    ]);
    let expected = [("folder::one".to_owned(), 2)];
    assert_eq!(files, expected);
    assert_eq!(modules, expected);
}

/// A part takes an item of its parent by a list of names, and the parent calls the part.
#[test]
fn a_parent_counts_as_any_other_file() {
    let [files, modules] = counts(&[
        (
            "parent",
            "mod part; pub struct Item; fn f() { part::call(1, 2); }",
        ),
        (
            "parent::part",
            "use super::{Item, Other}; pub(super) fn call() -> Item {}",
        ),
    ]);
    assert_eq!(files, [("parent".to_owned(), 2)]);
    assert_eq!(modules, []);
}

/// Two folders use each other's files, without a circle of files.
#[test]
fn modules_that_use_each_other_are_found_without_a_circle_of_files() {
    let [files, modules] = counts(&[
        ("kind", "mod rules; mod rigid; pub use rules::New;"),
        ("kind::rules", "pub struct New;"),
        (
            "kind::rigid",
            "use crate::assemble::outline::Outline; fn f() -> Outline {}",
        ),
        ("assemble", "mod outline;"),
        (
            "assemble::outline",
            "use crate::kind::New; pub struct Outline(New);",
        ),
    ]);
    assert_eq!(files, []);
    assert_eq!(modules, [("assemble".to_owned(), 2)]);
}

/// A field or a method with the name of an import is no use of it.
#[test]
fn fields_and_methods_are_no_uses() {
    let [files, _] = counts(&[
        (
            "one",
            "mod two; pub use two::find; pub struct One { find: u8 } fn f(a: A) { a.find(); }",
        ),
        ("one::two", "use super::One; pub fn find(one: One) {}"),
    ]);
    assert_eq!(files, []);
}

//! No circles between the files of `src`: if a file uses another, the other does not lead back to it.
//!
//! A file uses another if it imports an item that is defined there, or names one by its path. `mod` lines and re-exports
//! (`pub use`) are not uses: a path is followed through them to the file with the definition. What a module takes from
//! the modules that it is inside of does not count either, since a file extends its parent: it may implement methods
//! of the parent's types, and the parent may call it. Unit tests do not count.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

/// Names from the root of the crate to a module or an item.
type Names = Vec<String>;

/// One module, which is one file.
#[derive(Default)]
struct Module {
    file: String,
    /// Name in this module and what it stands for.
    imports: BTreeMap<String, Names>,
    /// Modules of which everything is re-exported.
    globs: Vec<Names>,
    /// Functions, types, traits, constants and macros that begin here.
    defined: BTreeSet<String>,
    /// Paths that the code names.
    named: BTreeSet<Names>,
}

/// Modules by their names from the root.
type Modules = BTreeMap<Names, Module>;

/// For each module those that it uses, and the items that it names of each.
type Uses = BTreeMap<Names, BTreeMap<Names, BTreeSet<String>>>;

/// Uses that close a circle and are still to be removed: each file and the one that it uses.
const EXCEPTIONS: [(&str, &str); 8] = [
    ("math::log", "math::lanes"),
    ("scene::assemble::derive", "scene::assemble::builder"),
    ("scene::schema::copies", "scene::schema::body"),
    ("sparse::cholesky", "sparse"),
    ("sparse::separator", "sparse::dissection"),
    ("store::checkpoint", "store::folder"),
    ("store::journal", "store"),
    ("time::recovery", "time::step"),
];

fn is_excepted(names: &[String], used: &[String]) -> bool {
    let names = names.join("::");
    let used = used.join("::");
    EXCEPTIONS
        .iter()
        .any(|(from, to)| names == *from && used.starts_with(to))
}

/// Words and marks of Rust source, without comments and literals.
fn tokens(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    let is = |at: usize, c: char| characters.get(at) == Some(&c);
    let mut found = Vec::new();
    let mut at = 0;

    while at < characters.len() {
        let start = at;
        let c = characters[at];

        if c == '/' && is(at + 1, '/') {
            while at < characters.len() && !is(at, '\n') {
                at += 1;
            }
        } else if c == '"' {
            at += 1;
            while !is(at, '"') {
                at += if is(at, '\\') { 2 } else { 1 };
            }
            at += 1;
        } else if c == '\'' && is(at + 1, '\\') {
            at += 3;
            while !is(at, '\'') {
                at += 1;
            }
            at += 1;
        } else if c == '\'' && is(at + 2, '\'') {
            at += 3;
        } else if c.is_alphanumeric() || c == '_' {
            while at < characters.len() && (characters[at].is_alphanumeric() || is(at, '_')) {
                at += 1;
            }
            found.push(characters[start..at].iter().collect());
        } else if c == ':' && is(at + 1, ':') {
            at += 2;
            found.push("::".to_owned());
        } else {
            at += 1;
            if !c.is_whitespace() {
                found.push(c.to_string());
            }
        }
    }

    found
}

/// Tokens without the items that stand under `#[cfg(test)]`.
fn without_tests(tokens: &[String]) -> Vec<String> {
    let mark = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if !tokens[at..].iter().take(mark.len()).eq(mark.iter()) {
            kept.push(tokens[at].clone());
            at += 1;
            continue;
        }

        // The item ends with a semicolon or with its braces.
        let mut depth = 0;
        loop {
            at += 1;
            match tokens[at].as_str() {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
            if depth == 0 && (tokens[at] == ";" || tokens[at] == "}") {
                break;
            }
        }
        at += 1;
    }
    kept
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Paths of a `use` tree that begins at `at`, each with the name that it gets; `*` for everything. Returns where the tree ends.
fn use_tree(
    tokens: &[String],
    mut at: usize,
    before: &[String],
    found: &mut Vec<(Names, String)>,
) -> usize {
    let mut names = before.to_vec();
    loop {
        match tokens[at].as_str() {
            "::" => at += 1,
            "{" => {
                at += 1;
                while tokens[at] != "}" {
                    at = use_tree(tokens, at, &names, found);
                    at += usize::from(tokens[at] == ",");
                }
                return at + 1;
            }
            "*" => {
                found.push((names, "*".to_owned()));
                return at + 1;
            }
            "as" => {
                found.push((names, tokens[at + 1].clone()));
                return at + 2;
            }
            "self" if !names.is_empty() => at += 1,
            name if is_name(name) => {
                names.push(name.to_owned());
                at += 1;
            }
            _ => {
                let last = names.last().cloned().unwrap_or_default();
                found.push((names, last));
                return at;
            }
        }
    }
}

/// Reads one file.
fn module(file: &str, text: &str) -> Module {
    let mut module = Module {
        file: file.to_owned(),
        ..Module::default()
    };
    let tokens = without_tests(&tokens(text));
    let kinds = [
        "fn",
        "struct",
        "enum",
        "trait",
        "type",
        "const",
        "static",
        "union",
        "macro_rules",
    ];
    let mut at = 0;

    while at < tokens.len() {
        let token = tokens[at].as_str();
        if token == "use" {
            let is_public = at > 0 && (tokens[at - 1] == "pub" || tokens[at - 1] == ")");
            let mut found = Vec::new();
            at = use_tree(&tokens, at + 1, &[], &mut found);

            for (names, alias) in found {
                if alias == "*" {
                    module.globs.push(names);
                    continue;
                }
                if !is_public {
                    module.named.insert(names.clone());
                }
                module.imports.insert(alias, names);
            }
        } else if is_name(token) {
            if at > 0 && kinds.contains(&tokens[at - 1].as_str()) {
                module.defined.insert(token.to_owned());
            }

            let mut names = vec![token.to_owned()];
            while at + 2 < tokens.len() && tokens[at + 1] == "::" && is_name(&tokens[at + 2]) {
                names.push(tokens[at + 2].clone());
                at += 2;
            }

            module.named.insert(names);
            at += 1;
        } else {
            at += 1;
        }
    }

    module
}

/// Reads the files of a folder into `modules`; `names` are those of the folder's module.
fn read(folder: &Path, names: &[String], modules: &mut Modules) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let mut own = names.to_vec();

        if !["lib", "mod"].contains(&stem.as_str()) {
            own.push(stem.clone());
        }

        if path.is_dir() {
            read(&path, &own, modules);
        } else if path.extension().is_some_and(|end| end == "rs")
            && !["main", "tests"].contains(&stem.as_str())

        {
            let text = std::fs::read_to_string(&path).unwrap();
            modules.insert(own, module(path.to_str().unwrap(), &text));
        }
    }
}

/// The module where the item is defined that `path` names in module `here`, and the item's name; `None` if it is not of this
/// crate, or if a module itself is named.
fn definition(
    modules: &Modules,
    here: &[String],
    path: &[String],
    depth: usize,
) -> Option<(Names, String)> {
    let (first, rest) = path.split_first()?;
    let (mut place, mut rest) = match first.as_str() {
        "crate" | "ipcsim" => (Vec::new(), rest),
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
                && !is_excepted(names, &place)
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
    let mut modules = Modules::new();
    read(Path::new("src"), &[], &mut modules);
    assert!(modules.len() > 150, "the sources are not where they were");

    let uses = uses(&modules);
    let reached = reached(&uses);

    // Each use that closes a circle, with the items that it names.
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

    assert!(text.is_empty(), "files use each other in circles:\n{text}");
}

/// The circle that is tried: two files of a folder name each other, one of them through a re-export of the folder.
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

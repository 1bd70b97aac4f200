//! Reads from the text of a file which items it imports, names and defines.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Names from the root of the crate to a module or an item.
pub(super) type Names = Vec<String>;

/// One module, which is one file.
#[derive(Default)]
pub(super) struct Module {
    /// Name in this module and what it stands for.
    pub(super) imports: BTreeMap<String, Names>,
    /// Modules whose items are all re-exported.
    pub(super) globs: Vec<Names>,
    /// Functions, types, traits, constants and macros that begin here.
    pub(super) defined: BTreeSet<String>,
    /// Paths that the code names.
    pub(super) named: BTreeSet<Names>,
}

/// Modules by their names from the root.
pub(super) type Modules = BTreeMap<Names, Module>;

/// Words and marks of Rust source, without comments, literals and lifetimes.
fn tokens(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    let is = |at: usize, c: char| characters.get(at) == Some(&c);
    let mut found = Vec::new();
    let mut at = 0;

    // Comments, texts, characters and lifetimes are left out.
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
        } else if c == '\'' {
            // A lifetime: `'static` defines no constant.
            at += 1;
            while at < characters.len() && (characters[at].is_alphanumeric() || is(at, '_')) {
                at += 1;
            }
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

/// True if a token is a name.
fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Paths of a `use` tree that begins at `at`, each with the name that it gets; `*` for everything.
/// Returns where the tree ends.
fn use_tree(
    tokens: &[String],
    mut at: usize,
    before: &[String],
    found: &mut Vec<(Names, String)>,
) -> usize {
    let mut names = before.to_vec();

    // Names until the tree branches or ends.
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

/// Words after which a file defines a name.
const KINDS: [&str; 9] = [
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

/// Reads one file: names that it imports, defines and uses.
pub(super) fn module(text: &str) -> Module {
    let mut module = Module::default();
    let tokens = without_tests(&tokens(text));
    let mut at = 0;

    while at < tokens.len() {
        let token = tokens[at].as_str();
        // Imports; those of public names do not count as uses.
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
            // A name that is defined here, or a path that is used.
            let before = if at > 0 { tokens[at - 1].as_str() } else { "" };
            if KINDS.contains(&before) {
                module.defined.insert(token.to_owned());
            }

            let mut names = vec![token.to_owned()];
            while at + 2 < tokens.len() && tokens[at + 1] == "::" && is_name(&tokens[at + 2]) {
                names.push(tokens[at + 2].clone());
                at += 2;
            }

            // A field has a colon behind it, and a point before it, as a method has.
            let after = tokens.get(at + 1).map_or("", String::as_str);
            let is_field = names.len() == 1 && (before == "." || after == ":");
            if !is_field {
                module.named.insert(names);
            }
            at += 1;
        } else {
            at += 1;
        }
    }

    module
}

/// Reads the files of a folder into `modules`; `names` are those of the folder's module.
pub(super) fn read(folder: &Path, names: &[String], modules: &mut Modules) {
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
            modules.insert(own, module(&text));
        }
    }
}

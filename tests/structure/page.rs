//! Pages breathe: long functions have paragraphs, items have documentation, and few closures have
//! names.

use crate::project::{all_sources, project, shown, sources};
use std::path::{Path, PathBuf};

/// Number of lines from which on a body must have a blank line or a comment.
const LONG: usize = 20;

/// Largest share of long bodies that may have neither.
const SHARE: f64 = 0.16;

/// Smallest share of documentation among the lines of documentation and code outside tests.
const DOCUMENTATION: f64 = 0.212;

/// Smallest number of blank lines for a hundred lines of code in bodies.
const BLANK: f64 = 4.0;
/// Smallest number of comments for a hundred lines of code in bodies.
const COMMENTS: f64 = 2.95;

/// Largest number of named closures in a thousand lines of code outside tests.
const CLOSURES: f64 = 6.0;

/// Bodies of the functions of a file: the number of the line where each begins, and its lines.
fn bodies(text: &str) -> Vec<(usize, Vec<&str>)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let indent = &line[..line.len() - line.trim_start().len()];
        let words: Vec<&str> = line.trim_start().split(' ').collect();
        let is_function = words
            .iter()
            .take_while(|word| word.starts_with("pub") || ["const", "fn"].contains(word))
            .any(|word| *word == "fn");
        if is_function && !line.ends_with([';', '}']) {
            let end = format!("{indent}}}");
            let body = lines[number + 1..].iter().take_while(|line| **line != end);
            found.push((number + 1, body.copied().collect()));
        }
    }
    found
}

/// True if a body has neither a blank line nor a comment.
fn is_bare(body: &[&str]) -> bool {
    body.iter()
        .all(|line| !line.trim().is_empty() && !line.trim_start().starts_with("//"))
}

/// Bodies that have neither a blank line nor a comment among the long ones of files, and the number
/// of all long ones.
fn bare_bodies(files: &[PathBuf]) -> (Vec<String>, u32) {
    let mut count = 0;
    let mut bare = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(file).unwrap();
        for (line, body) in bodies(&text) {
            if body.len() >= LONG {
                count += 1;
                if is_bare(&body) {
                    bare.push(format!("{}:{line}", shown(file)));
                }
            }
        }
    }
    (bare, count)
}

#[test]
fn long_functions_have_paragraphs() {
    let others = ["benches", "examples", "python/src", "tests"].map(|folder| {
        let mut files = Vec::new();
        sources(&project(folder), &mut files);
        files
    });
    for files in others.into_iter().chain([all_sources()]) {
        let (bare, count) = bare_bodies(&files);
        assert!(
            bare.len() as f64 <= SHARE * f64::from(count),
            "{} of {count} long bodies have no blank line and no comment: {bare:#?}",
            bare.len()
        );
    }
}

/// True if a file holds tests only.
pub(crate) fn is_tests(file: &Path) -> bool {
    file.ends_with("tests.rs") || file.components().any(|part| part.as_os_str() == "tests")
}

/// Lines of a file before its module of tests.
pub(crate) fn without_tests(text: &str) -> Vec<&str> {
    let lines: Vec<&str> = text.lines().collect();
    let starts = |number: usize| {
        lines[number] == "#[cfg(test)]"
            && lines[number..]
                .iter()
                .take(4)
                .any(|line| line.starts_with("mod ") && line.ends_with('{'))
    };
    let end = (0..lines.len()).find(|&number| starts(number));
    lines[..end.unwrap_or(lines.len())].to_vec()
}

/// True if a line gives a name to a closure.
fn names_a_closure(line: &str) -> bool {
    let Some(rest) = line.trim_start().strip_prefix("let ") else {
        return false;
    };
    let Some((name, value)) = rest.split_once(" = ") else {
        return false;
    };
    let name = name.strip_prefix("mut ").unwrap_or(name);
    let value = value.strip_prefix("move ").unwrap_or(value);
    name.chars().all(|c| c.is_alphanumeric() || c == '_') && value.starts_with('|')
}

/// Number of lines of some kinds outside tests.
#[derive(Debug, Default, PartialEq)]
struct Lines {
    documentation: u32,
    code: u32,
    closures: u32,
}

impl Lines {
    /// Adds the lines of a file.
    fn add(&mut self, text: &str) {
        for line in without_tests(text) {
            let line = line.trim();
            self.documentation += u32::from(line.starts_with("///") || line.starts_with("//!"));
            self.code += u32::from(!line.is_empty() && !line.starts_with("//"));
            self.closures += u32::from(names_a_closure(line));
        }
    }
}

/// Lines of the source outside tests.
fn lines_of_the_source() -> Lines {
    let mut files = all_sources();
    files.retain(|file| !is_tests(file));

    let mut lines = Lines::default();
    for file in &files {
        lines.add(&std::fs::read_to_string(file).unwrap());
    }
    lines
}

#[test]
fn the_source_is_documented() {
    let lines = lines_of_the_source();
    let share = f64::from(lines.documentation) / f64::from(lines.documentation + lines.code);
    assert!(share >= DOCUMENTATION, "{share:.3} of {lines:?}");
}

#[test]
fn bodies_have_paragraphs_and_reasons() {
    let [mut blank, mut comments, mut code] = [0_u32; 3];
    for file in all_sources() {
        let text = std::fs::read_to_string(file).unwrap();
        for line in bodies(&text).into_iter().flat_map(|(_, body)| body) {
            match line.trim() {
                "" => blank += 1,
                line if line.starts_with("//") => comments += 1,
                _ => code += 1,
            }
        }
    }
    let of_hundred = |count: u32| 100.0 * f64::from(count) / f64::from(code);
    let found = [blank, comments].map(of_hundred);
    assert!(found[0] >= BLANK && found[1] >= COMMENTS, "{found:.2?}");
}

#[test]
fn few_closures_have_names() {
    let lines = lines_of_the_source();
    let count = 1000.0 * f64::from(lines.closures) / f64::from(lines.code);
    assert!(
        count <= CLOSURES,
        "{count:.1} in a thousand lines of {lines:?}"
    );
}

#[test]
fn lines_are_counted_up_to_the_tests() {
    let mut lines = Lines::default();
    let text = "//! A.\n\n/// B.\nfn b() {\n    let c = |d| d;\n    let mut e = move || c(1);\n    let f = 1 | 2;\n}\n";
    lines.add(&format!(
        "{text}#[cfg(test)]\nmod tests {{\n    /// G.\n}}\n"
    ));
    let expected = Lines {
        documentation: 2,
        code: 5,
        closures: 2,
    };
    assert_eq!(lines, expected);
}

#[test]
fn a_body_without_paragraphs_is_found() {
    let text =
        "impl A {\n    pub(crate) fn f() {\n        a();\n        b();\n    }\n\n    fn g();\n}\n";
    assert_eq!(bodies(text), [(2, vec!["        a();", "        b();"])]);
    assert!(is_bare(&["a();", "b();"]));
    assert!(!is_bare(&["a();", "", "b();"]));
    assert!(!is_bare(&["// Both.", "a();", "b();"]));
}

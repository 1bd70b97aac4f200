//! Plain English in comments, messages and pages.

use crate::project::{CRATES, all_rust, manual, project, shown, sources};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Phrases that no comment, message or page may have.
const BANNED: [&str; 22] = [
    "as good as",
    "at need",
    "be had",
    "come to its end",
    "comes to its end",
    "go on with",
    "goes on with",
    "going on with",
    "gone on with",
    "has no end",
    "if need be",
    "lest",
    "of which",
    "of whom",
    "shall",
    "so many",
    "to and fro",
    "told",
    "what there is",
    "whence",
    "whoever",
    "whosoever",
];

/// Pages outside of the manual.
const PAGES: [&str; 11] = [
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "README.md",
    "benches/README.md",
    "output/README.md",
    "python/README.md",
    "scenes/README.md",
    "src/view/page/vendor/README.md",
    "tests/extremes.md",
    "tests/fuzz/README.md",
];

/// A word in lower case, and its line.
type Word = (String, usize);

/// Stands for what separates two texts, so that no phrase begins in one and ends in the other.
const BREAK: &str = ".";

/// Appends the words of a text whose first line has the number `line`.
fn add_words(text: &str, line: usize, words: &mut Vec<Word>) {
    for (number, text) in text.lines().enumerate() {
        let own = text
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .filter(|word| !word.is_empty())
            .map(|word| (word.to_lowercase(), line + number));
        words.extend(own);
    }
}

/// Length of the literal that a text begins with.
fn literal(text: &str) -> usize {
    let mut is_escaped = false;
    let end = text[1..].find(|c| {
        let ends = c == '"' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        ends
    });
    end.unwrap() + 2
}

/// Words of the comments and literals of a Rust file. A comment of several lines is one text.
fn words_of_source(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut line = 1;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            let end = rest.find('\n').unwrap_or(rest.len());
            add_words(&rest[..end], line, &mut words);
            end
        } else if c == '"' {
            let end = literal(rest);
            words.push((BREAK.to_owned(), line));
            add_words(&rest[..end], line, &mut words);
            words.push((BREAK.to_owned(), line));
            end
        } else if rest.starts_with("'\"'") {
            3
        } else {
            if !c.is_whitespace() {
                words.push((BREAK.to_owned(), line));
            }
            c.len_utf8()
        };
        line += rest[..length].matches('\n').count();
        rest = &rest[length..];
    }
    words
}

/// Lines of a text in which a banned phrase begins, with the phrase.
fn banned(words: &[Word]) -> Vec<(usize, &'static str)> {
    let mut found = Vec::new();
    for phrase in BANNED {
        let parts: Vec<&str> = phrase.split(' ').collect();
        for window in words.windows(parts.len()) {
            if window
                .iter()
                .map(|word| word.0.as_str())
                .eq(parts.iter().copied())
            {
                found.push((window[0].1, phrase));
            }
        }
    }
    found.sort_unstable();
    found
}

/// Pages of the project, of its crates and of the manual.
fn all_pages() -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> = PAGES.map(project).to_vec();
    pages.extend(CRATES.map(|name| project(&format!("crates/{name}/README.md"))));
    pages.extend(manual());
    pages
}

/// Words of a file: those of comments and literals if it is Rust, all words otherwise.
fn words_of(file: &Path) -> Vec<Word> {
    let content = std::fs::read_to_string(file).unwrap();
    if file.extension().is_some_and(|end| end == "rs") {
        return words_of_source(&content);
    }
    let mut words = Vec::new();
    add_words(&content, 1, &mut words);
    words
}

/// Idioms that a text should rarely have: a reader of the field says the noun.
const IDIOMS: [&str; 16] = [
    "alone",
    "are no",
    "beside",
    "is no",
    "of its own",
    "of their own",
    "that of",
    "those in",
    "those of",
    "those that",
    "those which",
    "way",
    "ways",
    "what acts",
    "what is",
    "what it",
];

/// Idioms in a thousand words of pages, and of comments and messages by crate. A text may have fewer,
/// and then its number here falls.
const BUDGETS: [(&str, f64); 17] = [
    ("pages", 0.41),
    ("macros", 0.0),
    ("keys", 0.0),
    ("math", 0.10),
    ("mesh", 0.05),
    ("sparse", 0.06),
    ("energy", 0.07),
    ("contact", 0.06),
    ("core", 0.09),
    ("scene", 0.60),
    ("import", 0.90),
    ("ipcsim", 1.17),
    ("live", 0.0),
    ("pictures", 0.45),
    ("store", 0.83),
    ("validate", 0.62),
    ("program", 0.72),
];

/// Number of idioms among words.
fn idioms(words: &[Word]) -> usize {
    let count = |phrase: &str| {
        let parts: Vec<&str> = phrase.split(' ').collect();
        let windows = words.windows(parts.len());
        windows
            .filter(|window| {
                window
                    .iter()
                    .map(|word| word.0.as_str())
                    .eq(parts.iter().copied())
            })
            .count()
    };
    IDIOMS.iter().map(|phrase| count(phrase)).sum()
}

/// Folder with the sources of a crate, or of the program.
fn source_folder(name: &str) -> PathBuf {
    match name {
        "program" => project("src"),
        _ => project(&format!("crates/{name}/src")),
    }
}

#[test]
fn idioms_keep_to_their_budgets() {
    let mut text = String::new();
    for (name, budget) in BUDGETS {
        let files = if name == "pages" {
            all_pages()
        } else {
            let mut files = Vec::new();
            sources(&source_folder(name), &mut files);
            files
        };
        let words: Vec<Word> = files.iter().flat_map(|file| words_of(file)).collect();
        let share = 1000.0 * idioms(&words) as f64 / words.len() as f64;
        if share > budget {
            writeln!(
                text,
                "{name}: {share:.2} in a thousand words, {budget} allowed"
            )
            .unwrap();
        }
    }
    assert!(
        text.is_empty(),
        "too many idioms, see CONTRIBUTING.md:\n{text}"
    );
}

#[test]
fn idioms_are_counted_in_comments_and_messages() {
    let words = words_of_source("/// The way of those that move.\nlet alone = \"What is alone?\";");
    assert_eq!(idioms(&words), 4);
}

#[test]
fn comments_messages_and_pages_are_in_plain_english() {
    let mut files = all_pages();
    files.extend(all_rust());
    for folder in ["python/examples", "python/ipcsim", "python/tests"] {
        let entries = std::fs::read_dir(project(folder)).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        files.extend(paths.filter(|path| path.extension().is_some_and(|end| end == "py")));
    }
    files.retain(|file| file.exists() && !file.ends_with("words.rs"));
    assert!(files.len() > 200, "the sources are not where they were");

    let mut text = String::new();
    for file in &files {
        for (line, phrase) in banned(&words_of(file)) {
            writeln!(text, "{}:{line}: \"{phrase}\"", shown(file)).unwrap();
        }
    }
    assert!(text.is_empty(), "phrases to replace:\n{text}");
}

#[test]
fn a_phrase_is_found_across_lines_and_in_messages_but_not_in_code() {
    let found = |text: &str| banned(&words_of_source(text));
    assert_eq!(
        found("/// Steps, so\n/// many.\nlet told = 1;"),
        [(1, "so many")]
    );
    assert_eq!(found("let a = 1; let b = \"It shall\";"), [(1, "shall")]);
    assert!(found("// so\nlet x = 1;\n// many").is_empty());
    assert!(found("'\"'; told; '\"'").is_empty());
    assert!(found("(\"a \\\" b\"); told; \"\"").is_empty());
}

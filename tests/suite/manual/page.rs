//! Pages in Markdown, as far as tests need them: headings, links, code and blocks.

use crate::program::project;
use std::path::{Path, PathBuf};

/// A page of the project.
pub(super) struct Page {
    /// Path from the project's folder.
    pub(super) path: PathBuf,
    text: String,
}

/// A fenced block.
#[derive(Debug, PartialEq)]
pub(super) struct Block {
    /// Number of the line where it begins.
    pub(super) line: usize,
    /// First word after the fence.
    pub(super) language: String,
    /// Other words after the fence.
    pub(super) marks: Vec<String>,
    pub(super) text: String,
    /// True if nothing but blank lines is between the block before and this one.
    pub(super) follows: bool,
}

impl Block {
    pub(super) fn has(&self, mark: &str) -> bool {
        self.marks.iter().any(|own| own == mark)
    }

    /// Value of the mark `key=value`.
    pub(super) fn value(&self, key: &str) -> Option<&str> {
        let mut values = self.marks.iter().filter_map(|mark| mark.split_once('='));
        values.find(|(own, _)| *own == key).map(|(_, value)| value)
    }

    /// Commands of the program `ipcsim`, in words.
    pub(super) fn commands(&self) -> impl Iterator<Item = Vec<String>> + '_ {
        self.text
            .lines()
            .map(words)
            .filter(|words| words.first().is_some_and(|word| word == "ipcsim"))
    }
}

/// A link or picture.
#[derive(Debug, PartialEq)]
pub(super) struct Link {
    pub(super) line: usize,
    pub(super) text: String,
    pub(super) target: String,
}

impl Page {
    pub(super) fn read(path: PathBuf) -> Self {
        let text = std::fs::read_to_string(project("").join(&path)).unwrap();
        Self { path, text }
    }

    #[cfg(test)]
    pub(super) fn of(text: &str) -> Self {
        Self {
            path: PathBuf::from("page.md"),
            text: text.to_owned(),
        }
    }

    /// Where a line is, for messages.
    pub(super) fn at(&self, line: usize) -> String {
        format!("{}:{line}", self.path.display())
    }

    pub(super) fn folder(&self) -> &Path {
        self.path.parent().unwrap()
    }

    /// Lines outside of blocks, with their numbers.
    fn prose(&self) -> Vec<(usize, &str)> {
        let mut is_inside = false;
        let mut prose = Vec::new();
        for (number, line) in self.text.lines().enumerate() {
            let is_fence = line.trim_start().starts_with("```");
            if !is_fence && !is_inside {
                prose.push((number + 1, line));
            }
            is_inside ^= is_fence;
        }
        assert!(!is_inside, "{} ends within a block", self.path.display());
        prose
    }

    /// Fenced blocks in their order.
    pub(super) fn blocks(&self) -> Vec<Block> {
        let mut blocks: Vec<Block> = Vec::new();
        let mut is_inside = false;
        let mut follows = false;
        for (number, line) in self.text.lines().enumerate() {
            let fence = line.trim_start().strip_prefix("```");
            match (fence, is_inside) {
                (Some(info), false) => {
                    let mut words = info.split_whitespace().map(str::to_owned);
                    blocks.push(Block {
                        line: number + 1,
                        language: words.next().unwrap_or_default(),
                        marks: words.collect(),
                        text: String::new(),
                        follows,
                    });
                }
                (Some(_), true) => follows = true,
                (None, true) => {
                    let text = &mut blocks.last_mut().unwrap().text;
                    text.push_str(line);
                    text.push('\n');
                }
                (None, false) => follows &= line.trim().is_empty(),
            }
            is_inside ^= fence.is_some();
        }
        blocks
    }

    /// Anchors of all headings, as GitHub and mdBook name them.
    pub(super) fn anchors(&self) -> Vec<String> {
        let mut anchors: Vec<String> = Vec::new();
        for (_, line) in self.prose() {
            let Some(heading) = line.strip_prefix('#') else {
                continue;
            };
            let anchor = anchor(heading.trim_start_matches('#').trim());
            let twins = anchors.iter().filter(|own| **own == anchor).count();
            anchors.push(if twins == 0 {
                anchor
            } else {
                format!("{anchor}-{twins}")
            });
        }
        anchors
    }

    /// Links and pictures outside of blocks. A link may go on from one line to the next.
    pub(super) fn links(&self) -> Vec<Link> {
        let prose = self.prose();
        let text: String = prose.iter().flat_map(|(_, line)| [*line, "\n"]).collect();
        let mut links = Vec::new();
        for (middle, _) in text.match_indices("](") {
            // The bracket that opens this one; a picture may stand within a link.
            let mut depth = 0;
            let start = text[..middle].rfind(|c| {
                depth += i32::from(c == ']') - i32::from(c == '[');
                depth < 0
            });
            let (Some(start), Some(end)) = (start, text[middle..].find(')')) else {
                continue;
            };
            links.push(Link {
                line: prose[text[..start].matches('\n').count()].0,
                text: text[start + 1..middle].replace('\n', " "),
                target: text[middle + 2..middle + end].to_owned(),
            });
        }
        links
    }

    /// Code within lines, outside of blocks, with the numbers of the lines.
    pub(super) fn code(&self) -> Vec<(usize, &str)> {
        let mut code = Vec::new();
        for (number, line) in self.prose() {
            code.extend(
                line.split('`')
                    .skip(1)
                    .step_by(2)
                    .map(|code| (number, code)),
            );
        }
        code
    }
}

/// Anchor of a heading.
fn anchor(heading: &str) -> String {
    heading
        .to_lowercase()
        .chars()
        .filter_map(|c| match c {
            ' ' => Some('-'),
            '-' | '_' => Some(c),
            _ => c.is_alphanumeric().then_some(c),
        })
        .collect()
}

/// Words of a line as a shell sees them: quotes hold them together, and `#` begins a comment.
pub(super) fn words(line: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut is_quoted = false;
    let mut is_open = false;
    for c in line.chars() {
        match c {
            '\'' => {
                is_quoted = !is_quoted;
                if !is_open {
                    words.push(String::new());
                }
                is_open = true;
            }
            ' ' if !is_quoted => is_open = false,
            '#' if !is_quoted && !is_open => break,
            _ => {
                if !is_open {
                    words.push(String::new());
                }
                is_open = true;
                words.last_mut().unwrap().push(c);
            }
        }
    }
    words
}

#[test]
fn words_are_those_of_a_shell() {
    assert_eq!(
        words("ipcsim run a.json --set 'k={\"a\": 1}' # why"),
        ["ipcsim", "run", "a.json", "--set", "k={\"a\": 1}"]
    );
    assert_eq!(words("a beam#12  b"), ["a", "beam#12", "b"]);
}

#[test]
fn a_page_has_headings_links_code_and_blocks() {
    let page = Page::of(
        "# What's `new`?\n## A b\n## A b\n[x](y.md#z) ![p\nq](r.png) `ipcsim`\n\n```sh exit=1 long\n# no\n\
         ipcsim run a\ncargo b\n```\n\n```text\nout [n](o)\n```\nEnd\n```json\n```\n",
    );
    assert_eq!(page.anchors(), ["whats-new", "a-b", "a-b-1"]);
    let links = page.links();
    let targets: Vec<_> = links
        .iter()
        .map(|link| (link.line, &*link.target))
        .collect();
    assert_eq!(targets, [(4, "y.md#z"), (4, "r.png")]);
    assert_eq!(links[1].text, "p q");
    assert_eq!(page.code(), [(1, "new"), (5, "ipcsim")]);

    let blocks = page.blocks();
    assert_eq!(blocks.len(), 3);
    assert!(blocks[0].has("long") && blocks[0].value("exit") == Some("1"));
    let commands: Vec<_> = blocks[0].commands().collect();
    assert_eq!(commands, [["ipcsim", "run", "a"]]);
    assert!(blocks[1].follows && !blocks[2].follows);
}

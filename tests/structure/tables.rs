//! Tables of pages render on GitHub: a header, a delimiter below it, and rows with as many cells as
//! the header.

use crate::project::{manual, project, shown};
use std::fmt::Write as _;
use std::path::PathBuf;

/// Pages outside of the manual. A page that does not exist is left out.
const PAGES: [&str; 4] = [
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "README.md",
    "benches/README.md",
];

/// Lines one after another that begin with a bar.
struct Table<'a> {
    /// Number of the first line.
    line: usize,
    rows: Vec<&'a str>,
    /// Line after the last row; empty at the end of the page.
    after: &'a str,
}

/// Tables of a page outside of blocks of code.
fn tables(text: &str) -> Vec<Table<'_>> {
    let mut tables: Vec<Table<'_>> = Vec::new();
    let mut is_code = false;
    let mut is_open = false;
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        is_code ^= line.starts_with("```");
        let is_row = !is_code && line.starts_with('|');

        if is_row && !is_open {
            tables.push(Table {
                line: number + 1,
                rows: Vec::new(),
                after: "",
            });
        }
        if let (true, Some(table)) = (is_row || is_open, tables.last_mut()) {
            if is_row {
                table.rows.push(line);
            } else {
                table.after = line;
            }
        }
        is_open = is_row;
    }
    tables
}

/// Texts between the bars of a row. The first one is before the first bar, the last one after the
/// last bar. A bar separates cells in code, too, unless a backslash is before it.
fn between_bars(row: &str) -> Vec<&str> {
    let mut is_escaped = false;
    let bar = |c| {
        let is_bar = c == '|' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        is_bar
    };
    row.split(bar).collect()
}

/// Number of cells of a row.
fn cells(row: &str) -> usize {
    between_bars(row).len().saturating_sub(2)
}

/// True if a row says that the rows below it belong to the header above it.
fn is_delimiter(row: &str) -> bool {
    let texts = between_bars(row);
    let cells = &texts[1..texts.len() - 1];
    let is_dashes = |cell: &&str| {
        let cell = cell.trim();
        let cell = cell.strip_prefix(':').unwrap_or(cell);
        let cell = cell.strip_suffix(':').unwrap_or(cell);
        !cell.is_empty() && cell.chars().all(|c| c == '-')
    };
    !cells.is_empty() && cells.iter().all(is_dashes)
}

/// What is wrong with a row of a table whose header has `count` cells.
fn fault_of_row(row: &str, count: usize) -> Option<String> {
    let texts = between_bars(row);
    let own = cells(row);
    if texts.last().is_some_and(|after| !after.is_empty()) {
        Some("ends without a bar".to_owned())
    } else if texts[1..texts.len() - 1].contains(&"") {
        Some("has two bars side by side; an empty cell has a space".to_owned())
    } else if own != count {
        Some(format!("has {own} cell(s), its header {count}"))
    } else {
        None
    }
}

impl Table<'_> {
    /// What is wrong, with the numbers of the lines.
    fn faults(&self) -> Vec<(usize, String)> {
        if !self.rows.get(1).is_some_and(|row| is_delimiter(row)) {
            let fault = "has no row of dashes below it, so it begins no table";
            return vec![(self.line, fault.to_owned())];
        }

        let count = cells(self.rows[0]);
        let mut faults: Vec<(usize, String)> = self
            .rows
            .iter()
            .enumerate()
            .filter_map(|(place, row)| Some((self.line + place, fault_of_row(row, count)?)))
            .collect();

        // A heading or a block of code ends a table; other text becomes its last row.
        let is_ended = self.after.is_empty() || self.after.starts_with(['#', '`']);
        if !is_ended {
            let fault = "has no empty line before it, so it becomes a row";
            faults.push((self.line + self.rows.len(), fault.to_owned()));
        }
        faults
    }
}

/// What is wrong with the tables of a page, with the numbers of the lines.
fn faults(text: &str) -> Vec<(usize, String)> {
    tables(text).iter().flat_map(Table::faults).collect()
}

#[test]
fn tables_of_pages_render_on_github() {
    let mut pages: Vec<PathBuf> = PAGES.map(project).to_vec();
    pages.retain(|page| page.exists());
    pages.extend(manual());

    let mut count = 0;
    let mut text = String::new();
    for page in &pages {
        let content = std::fs::read_to_string(page).unwrap();
        count += tables(&content).len();
        for (line, fault) in faults(&content) {
            writeln!(text, "{}:{line} {fault}", shown(page)).unwrap();
        }
    }
    assert!(count > 50, "{count} tables in {pages:?}");
    assert!(text.is_empty(), "tables that do not render:\n{text}");
}

#[test]
fn a_table_that_renders_has_no_fault() {
    for text in [
        "| a | b |\n|---|---|\n| 1 | 2 |\n",
        "Text\n\n| a | b |\n| :-- | --: |\n| `1 \\| 2` | |\n| 3 | x\\|y |\n\n| c |\n|---|\n",
        "- item\n\n  | | |\n  |---|---|\n  | 1 | 2 |\n\n## Heading\n",
        "| a |\n|:-:|\n```sh\n| not a row\n```\n",
        "a || b, no table\n",
    ] {
        assert_eq!(faults(text), [], "{text}");
    }
}

#[test]
fn a_fault_of_each_kind_is_found_at_its_line() {
    let head = "| a | b |\n|---|---|\n";
    let found = |rest: &str| {
        let faults = faults(&format!("{head}{rest}"));
        assert_eq!(faults.len(), 1, "{rest}: {faults:?}");
        faults[0].clone()
    };

    let (line, fault) = found("| 1 | 2 |\n| 1 | 2 | 3 |\n");
    assert!(line == 4 && fault.contains("3 cell"), "{line}: {fault}");
    let (line, fault) = found("| 1 |\n");
    assert!(line == 3 && fault.contains("1 cell"), "{line}: {fault}");
    let (line, fault) = found("| `x|y` | 2 |\n");
    assert!(line == 3 && fault.contains("3 cell"), "{line}: {fault}");
    let (line, fault) = found("| 1 || 2 |\n");
    assert!(line == 3 && fault.contains("two bars"), "{line}: {fault}");
    let (line, fault) = found("| 1 ||\n");
    assert!(line == 3 && fault.contains("two bars"), "{line}: {fault}");
    let (line, fault) = found("| 1 | 2\n");
    assert!(line == 3 && fault.contains("without"), "{line}: {fault}");
    let (line, fault) = found("| 1 | 2 |\nText\n");
    assert!(line == 4 && fault.contains("empty line"), "{line}: {fault}");

    // A row after an empty line, as if it still belonged to the table above.
    let (line, fault) = found("| 1 | 2 |\n\n| 3 | 4 |\n");
    assert!(line == 5 && fault.contains("dashes"), "{line}: {fault}");
}

#[test]
fn a_table_without_a_row_of_dashes_that_fits_is_found() {
    for text in [
        "| a | b |\n",
        "| a | b |\n| 1 | 2 |\n",
        "| a | b |\n|---| |\n",
        "| a | b |\n\n|---|---|\n| 1 | 2 |\n",
    ] {
        assert_eq!(faults(text).first().unwrap().0, 1, "{text}");
    }
    assert_eq!(faults("| a | b |\n|---|\n| 1 | 2 |\n")[0].0, 2);
}

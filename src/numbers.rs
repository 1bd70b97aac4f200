//! The numbers of a scene for people: those that a run uses, with their reasons, a line each.

use ipcsim::math::number::short;
use ipcsim::scene::Derived;

/// Usual number of lines for one name. A scene of many bodies may have many values.
pub(super) const LINES: usize = 3;

/// Largest number of bodies that a line names.
const NAMED: usize = 2;

/// A line about a number.
pub(super) struct Line {
    /// Name of the number.
    pub(super) name: String,
    /// Value with its unit.
    pub(super) value: String,
    /// Bodies that have it, and the reason.
    pub(super) reason: String,
}

/// Lines about numbers, at most `most` for each name; beyond that the smallest and the largest
/// value, and how many others there are.
pub(super) fn lines(derived: &[&Derived], most: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    for rows in derived.chunk_by(|a, b| a.name == b.name) {
        if rows.len() <= most {
            lines.extend(rows.iter().map(|row| line(row)));
            continue;
        }

        let mut by_value = rows.to_vec();
        by_value.sort_by(|a, b| a.value.total_cmp(&b.value));
        lines.push(line(by_value[0]));
        lines.push(Line {
            name: String::new(),
            value: "...".to_owned(),
            reason: format!("{} values between", rows.len() - 2),
        });
        lines.push(line(by_value[rows.len() - 1]));
    }
    lines
}

/// Line about one number.
fn line(row: &Derived) -> Line {
    Line {
        name: row.name.clone(),
        value: format!("{} {}", short(row.value), row.unit),
        reason: match whose(&row.of) {
            None => row.reason.clone(),
            Some(whose) => format!("{whose}: {}", row.reason),
        },
    }
}

/// Names of bodies, the first ones if there are many; `None` if there are none.
fn whose(of: &[String]) -> Option<String> {
    let named: Vec<String> = of
        .iter()
        .take(NAMED)
        .map(|name| format!("\"{name}\""))
        .collect();

    let others = of.len() - named.len();
    match (named.is_empty(), others) {
        (true, _) => None,
        (_, 0) => Some(named.join(" and ")),
        (_, 1) => Some(format!("{} and another", named.join(", "))),
        _ => Some(format!("{} and {others} others", named.join(", "))),
    }
}

//! Problems of a scene in words.

use crate::scene::Problem;
use std::path::Path;

/// Number of problems of a kind that are printed at most.
const PRINTED: usize = 100;

/// All problems in words that follow "error: " or, if there are no errors, "warning: ". Where there are several they are
/// numbered, as in the picture.
pub(super) fn list(file: &Path, problems: &[Problem]) -> String {
    let errors = problems.iter().filter(|problem| problem.is_error()).count();
    let (errors, warnings) = problems.split_at(errors);
    let is_alone = problems.len() == 1;
    let group = |group: &[Problem], first: usize, what: &str| {
        let file = file.display();
        match group {
            [only] if is_alone => format!("{file}: {only}"),
            [only] => format!("{file}: 1 {what}\n  {}. {only}", first + 1),
            _ => {
                let lines = group.iter().zip(first + 1..).take(PRINTED);
                let lines: Vec<String> = lines
                    .map(|(problem, number)| format!("\n  {number}. {problem}"))
                    .collect();
                let rest = group.len().saturating_sub(PRINTED);
                let rest = if rest > 0 {
                    format!("\n  and {rest} more")
                } else {
                    String::new()
                };
                format!("{file}: {} {what}s{}{rest}", group.len(), lines.concat())
            }
        }
    };
    match (errors, warnings) {
        (errors, []) => group(errors, 0, "problem"),
        ([], warnings) => group(warnings, 0, "warning"),
        _ => format!(
            "{}\nwarning: {}",
            group(errors, 0, "problem"),
            group(warnings, errors.len(), "warning")
        ),
    }
}

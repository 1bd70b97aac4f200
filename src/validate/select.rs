//! Selection of cases by name, beginning of a name, or pattern.
//!
//! A name selects all cases that begin with it: `rest` selects `rest_gap` and `rest_stack`. With
//! `*`, which stands for any characters or none, the pattern has to match the whole name: `*_bar`
//! selects `impact_bar` and `load_bar`. Several names select the cases of all of them, each case
//! once.

use crate::CommandError;
use ipcsim::scene::nearest;
use ipcsim_validate::Case;

/// Cases that one of `names` selects, in the order of `all`; all of them if `names` is empty.
///
/// # Errors
/// [`CommandError::NoSuchCase`] for a name that selects none.
pub(super) fn selected(all: &[Case], names: &[String]) -> Result<Vec<Case>, CommandError> {
    for name in names {
        if !all.iter().any(|case| selects(name, case.name)) {
            return Err(CommandError::NoSuchCase {
                name: name.clone(),
                near: nearest(name, all.iter().map(|case| case.name)),
            });
        }
    }

    let mut cases = all.to_vec();
    cases.retain(|case| names.is_empty() || names.iter().any(|name| selects(name, case.name)));
    Ok(cases)
}

/// True if `name` selects a case: as a pattern if it contains `*`, else as the beginning.
fn selects(name: &str, case: &str) -> bool {
    let mut parts = name.split('*');
    let Some(mut rest) = parts.next().and_then(|first| case.strip_prefix(first)) else {
        return false;
    };

    // Each part of a pattern stands somewhere after the one before, and the last at the end.
    let mut last = None;
    for part in parts {
        let Some(at) = rest.find(part) else {
            return false;
        };
        rest = &rest[at + part.len()..];
        last = Some(part);
    }
    last.is_none_or(|last| case.ends_with(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_select_by_beginning_and_by_pattern() {
        for (name, case, expected) in [
            ("rest", "rest_gap", true),
            ("rest_gap", "rest_gap", true),
            ("gap", "rest_gap", false),
            ("*gap", "rest_gap", true),
            ("*gap", "rest_gaps", false),
            ("r*_g*", "rest_gap", true),
            ("r*x*", "rest_gap", false),
            ("*", "rest_gap", true),
            ("", "rest_gap", true),
        ] {
            assert_eq!(selects(name, case), expected, "{name} {case}");
        }
    }
}

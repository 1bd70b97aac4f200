//! Check of a pair of names: both exist, and the pair is listed once.

use super::report::Report;
use std::collections::BTreeSet;

/// Checks that a pair names two things that exist, and that it comes once.
///
/// `what` says what the names are of, such as "material". The message about an unknown name
/// suggests the known one that is most like it.
///
/// `seen` holds the pairs before it, each in alphabetical order, and gets this one as well.
pub(super) fn check_pair<'a>(
    report: &mut Report,
    path: &str,
    what: &str,
    pair: &'a [String; 2],
    names: &BTreeSet<&str>,
    seen: &mut BTreeSet<[&'a str; 2]>,
) {
    for name in pair.iter().filter(|name| !names.contains(name.as_str())) {
        report.no_such(path, what, name, names.iter().copied());
    }

    let [a, b] = pair;
    if !seen.insert([a.min(b), a.max(b)]) {
        let message = format!("the pair \"{a}\" and \"{b}\" is given twice; remove one");
        report.add(path, message);
    }
}

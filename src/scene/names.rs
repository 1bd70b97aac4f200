//! Names that are alike, for "did you mean".

/// The known name that is most like `name`; none if no name is like it.
pub(super) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    const ALIKE: f64 = 0.6;
    let scored = known.map(|k| {
        let likeness = strsim::normalized_damerau_levenshtein(name, k);
        (likeness.max(shared_start(name, k)), k)
    });
    scored
        .filter(|(score, _)| *score >= ALIKE)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, k)| k)
}

/// 0.7 where one name begins with the other, as `tol` does for `tolerance`; else 0.
fn shared_start(a: &str, b: &str) -> f64 {
    const LEAST: usize = 3;
    let prefix = a.len().min(b.len()) >= LEAST && (a.starts_with(b) || b.starts_with(a));
    if prefix { 0.7 } else { 0.0 }
}

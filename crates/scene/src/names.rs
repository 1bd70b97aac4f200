//! Names that are alike, for "did you mean".
//!
//! The likeness of two names is 1 minus their distance over the longer length, where the distance
//! counts inserted, removed, replaced and swapped letters (Damerau and Levenshtein). An
//! abbreviation is far from the full name by this measure, so that a shared start counts as well.

/// Likeness (1) from which on a name is suggested.
///
/// Lower, suggestions are arbitrary; higher, a slip in a short name finds nothing.
const ALIKE: f64 = 0.6;

/// Likeness (1) of two names where the longer one begins with the shorter one.
const ABBREVIATED: f64 = 0.7;

/// Length (bytes) from which on a shared start counts.
const LEAST: usize = 3;

/// The known name that is most like `name`; `None` if no name is like it.
///
/// Of names that are equally like it, the last one is chosen.
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let scored = known.map(|k| {
        let likeness = strsim::normalized_damerau_levenshtein(name, k);
        (likeness.max(shared_start(name, k)), k)
    });
    scored
        .filter(|(score, _)| *score >= ALIKE)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, k)| k)
}

/// [`ABBREVIATED`] where one name begins with the other, as `tol` does for `tolerance`; else 0.
fn shared_start(a: &str, b: &str) -> f64 {
    let is_long = a.len().min(b.len()) >= LEAST;
    if is_long && (a.starts_with(b) || b.starts_with(a)) {
        ABBREVIATED
    } else {
        0.0
    }
}

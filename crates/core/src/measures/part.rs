//! Numbers of something that forces act on, by name.

/// A number of something that forces act on.
#[derive(Debug)]
pub struct Part<T> {
    /// Name in scenes.
    pub name: &'static str,
    /// Unit; 1 for a plain number.
    pub unit: &'static str,
    /// Meaning in a sentence.
    pub meaning: &'static str,
    /// Its value; `None` where it is undefined.
    pub of: fn(&T) -> Option<f64>,
}

impl<T> Part<T> {
    /// True if it is a force, a moment, a stress, or made of them.
    pub(super) fn is_force(&self) -> bool {
        self.unit.starts_with('N') || ["W", "Pa"].contains(&self.unit)
    }
}

/// A part.
pub(super) const fn part<T>(
    name: &'static str,
    unit: &'static str,
    meaning: &'static str,
    of: fn(&T) -> Option<f64>,
) -> Part<T> {
    Part {
        name,
        unit,
        meaning,
        of,
    }
}

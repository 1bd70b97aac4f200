//! The motions of a solve, as a person follows them: one for each direction that a line search takes.

/// Motion along a Newton direction to a lower potential.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Descent {
    /// Incremental potential before (J s^2).
    pub before: f64,
    /// Incremental potential after (J s^2).
    pub after: f64,
    /// Share of the direction that was taken (1).
    pub share: f64,
    /// Largest displacement by this share, as a speed (m/s).
    pub speed: f64,
    /// Number of contacts after.
    pub contacts: usize,
    /// Smallest gap after (m); infinite without contacts.
    pub gap: f64,
}

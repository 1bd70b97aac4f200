//! Stretches of time.

/// A stretch of time that is solved as one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// End time of the span (s).
    pub end: f64,
    /// Length of the span (s).
    pub h: f64,
}

impl Span {
    /// The two halves of the span.
    pub(super) fn halves(self) -> [Self; 2] {
        let h = 0.5 * self.h;
        let end = self.end;
        [Self { end: end - h, h }, Self { end, h }]
    }
}

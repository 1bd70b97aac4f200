//! Stretches of time that are solved as one step.
//!
//! A span is a whole time step, or a part of one that was halved. Its end is stored rather than its
//! start, so that halves end exactly where the whole does.

/// A stretch of time that is solved as one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// End time of the span (s).
    pub end: f64,
    /// Length of the span (s).
    pub h: f64,
}

impl Span {
    /// The two halves of the span, the earlier one first. The second one ends at exactly the same
    /// time as the whole.
    pub(super) fn halves(self) -> [Self; 2] {
        let h = 0.5 * self.h;
        let end = self.end;
        [Self { end: end - h, h }, Self { end, h }]
    }
}

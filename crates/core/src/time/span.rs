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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_of_halves_meet_and_end_with_the_whole_to_the_last_bit() {
        let whole = Span { end: 0.7, h: 0.1 };
        let mut parts = vec![whole];
        for depth in 1..=5 {
            parts = parts.into_iter().flat_map(Span::halves).collect();
            let last = parts.last().unwrap();
            assert_eq!(last.end.to_bits(), whole.end.to_bits());
            assert_eq!(parts.len(), 1 << depth);
            for part in &parts {
                let length = part.h * f64::from(1 << depth);
                assert_eq!(length.to_bits(), whole.h.to_bits());
            }
            for pair in parts.windows(2) {
                assert!((pair[1].end - pair[1].h - pair[0].end).abs() < 1e-15);
            }
        }
    }
}

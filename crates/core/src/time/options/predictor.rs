//! Where forces are expected to lead bodies in a stage, from their accelerations in earlier ones.
//!
//! A minimum is found in fewer directions from nearby. Where motion is smooth, accelerations go on as
//! they did, so that two past steps say nearly where the next one ends. It changes where the search for
//! the minimum begins, and not the minimum.

use crate::solve::Stage;
use crate::time::state::State;
use ipcsim_math::Vec2;

/// Number of past states that are needed for the extrapolation of accelerations.
pub(in crate::time) const PAST: usize = 2;

/// Way that forces are expected to lead beyond a flight in a stage of length `h` (s) from `start`
/// (m; of angles rad), `[nodes]`: `s_c a`, with the acceleration of the last two substeps
/// extrapolated to its end. Empty without two past states.
pub(in crate::time) fn expected(start: &State, stage: &Stage, h: f64) -> Vec<Vec2> {
    let [last, before, ..] = &start.memory.history[..] else {
        return Vec::new();
    };
    let ahead = (h + 0.5 * last.h) / (0.5 * (last.h + before.h));
    (0..start.q.len())
        .map(|i| {
            let a = (start.q_dot[i] - last.q_dot[i]) / last.h;
            let earlier = (last.q_dot[i] - before.q_dot[i]) / before.h;
            (a + (a - earlier) * ahead) * stage.contact
        })
        .collect()
}

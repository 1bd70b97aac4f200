//! Predictor of the displacement by forces in a stage, from accelerations in earlier stages.
//!
//! A close initial guess saves Newton directions. Where motion is smooth, accelerations change
//! evenly, so that two past steps predict the end of the next one. The predictor changes where the
//! search for the minimum begins, and not the minimum.

use crate::solve::Stage;
use crate::time::state::State;
use ipcsim_math::Vec2;

/// Number of past states that are needed for the extrapolation of accelerations.
pub(in crate::time) const PAST: usize = 2;

/// Expected displacement by forces in addition to a flight in a stage of length `h` (s) from
/// `start` (m; of angles rad), `[nodes]`: `s_c a`, with the acceleration of the last two substeps
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::integrator::{Bdf2, ImplicitEuler, Integrator};
    use crate::time::memory::Past;
    use crate::time::testing::{circles, stage};

    /// State of a circle at the time 0 whose velocity is this function of time (s), after steps of 0.4 s
    /// and 0.3 s, the later one last.
    fn state(velocity: impl Fn(f64) -> f64) -> State {
        let (_, mut state) = circles(&[[0.0, 0.0]], false, 0.0);
        let at = |t| vec![Vec2::new(velocity(t), -2.0 * velocity(t)), Vec2::zeros()];
        let past = |t, h| Past {
            q: vec![Vec2::zeros(); 2],
            q_dot: at(t),
            h,
        };
        state.q_dot = at(0.0);
        state.memory.history = vec![past(-0.3, 0.3), past(-0.7, 0.4)];
        state
    }

    #[test]
    fn accelerations_that_are_constant_or_grow_evenly_are_extrapolated_exactly() {
        let (world, _) = circles(&[[0.0, 0.0]], false, 0.0);
        let integrators: [&dyn Integrator; 2] = [&ImplicitEuler, &Bdf2];
        for h in [0.1, 0.3, 0.5] {
            for integrator in integrators {
                // Acceleration 3 + j t, at the end of the stage.
                for j in [0.0, 4.0] {
                    let start = state(|t| 7.0 + 3.0 * t + 0.5 * j * t * t);
                    let stage = stage(&world, integrator, &start, &[], h);
                    let way = expected(&start, &stage, h);
                    let along = (3.0 + j * h) * stage.contact;
                    let error = (way[0] - Vec2::new(along, -2.0 * along)).norm();
                    assert!(error < 1e-12, "{h} {j}: {error:e}");
                }
            }
        }
    }

    #[test]
    fn nothing_is_expected_without_two_past_states() {
        let (world, _) = circles(&[[0.0, 0.0]], false, 0.0);
        let mut start = state(|t| t);
        let stage = stage(&world, &ImplicitEuler, &start, &[], 0.1);
        start.memory.history.truncate(PAST - 1);
        assert!(expected(&start, &stage, 0.1).is_empty());
    }
}

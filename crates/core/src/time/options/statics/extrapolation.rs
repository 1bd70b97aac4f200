//! Predictor of an increment: bodies go on as in the last one.
//!
//! Where loads and supports go on evenly, so do all places, in elastic and in plastic equilibrium: the
//! search begins near its end, contacts slide on the side on which they slid, and material flows where it
//! flowed. The predictor changes where the search begins, and not the equilibrium.

use crate::time::span::Span;
use crate::time::state::State;
use crate::time::world::World;
use crate::tuning::EXTRAPOLATED_MOST;
use ipcsim_math::Vec2;

/// Expected displacement of all coordinates in an increment from `start` (m; of angles rad), `[nodes]`:
/// the last one, times the share in which prescribed coordinates go on in its direction, or the ratio of
/// both times where none moves. Empty before the second increment, and where what moves has rested so far.
pub(in crate::time) fn extrapolated(world: &World, start: &State, span: Span) -> Vec<Vec2> {
    let Some(past) = start.memory.history.first() else {
        return Vec::new();
    };
    let moved = |i: usize| start.q[i] - past.q[i];

    // Prescribed motion now, along the last one.
    let [mut along, mut before, mut now] = [0.0; 3];
    for target in world.targets(&start.parameters, span.end, start.time, &start.q) {
        let last = moved(target.node);
        let missing = target.position - start.q[target.node];
        for axis in (0..2).filter(|&axis| target.axes[axis]) {
            along += missing[axis] * last[axis];
            before += last[axis] * last[axis];
            now += missing[axis] * missing[axis];
        }
    }
    let share = if before > 0.0 {
        along / before
    } else if now > 0.0 {
        return Vec::new();
    } else {
        span.h / past.h
    };

    let share = share.clamp(-EXTRAPOLATED_MOST, EXTRAPOLATED_MOST);
    (0..start.q.len()).map(|i| moved(i) * share).collect()
}

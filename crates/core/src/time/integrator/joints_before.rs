//! Forces of joints at the start of a stage, for integrators that take a share of forces as they are
//! there.
//!
//! Springs and dampers have the forces of the start. The force `lambda` of an equation closes it at the
//! end, and cannot be known before. But its direction turns with the bodies: as the mean of both ends
//! it is `1/2 (J_0 + J_1)^T lambda`, and a potential has `J_1^T lambda` only. So the difference
//!
//! `(J_0 - J_1)^T lambda`
//!
//! is taken in advance, with the `lambda` of the last step and with `J_1` where the velocities of the
//! start lead. Both are wrong by `h`, and the difference is as small as `h`, so that the error of the
//! force is of order 2.
//!
//! Only joints with a spring or a damper do so, such as a door. A motor that starts, or a dead centre of
//! a linkage with redundant bars, has a `lambda` that the next step does not have.

use crate::body::Configuration;
use crate::constraint::{WarmStart, have_springs};
use crate::solve::Model;
use crate::time::state::State;
use ipcsim_math::Vec2;

/// Derivatives (N; of angles N m), `[nodes]`, whose share is the part of joints in a stage from a
/// `start` that acts as it was there; empty without springs. `outset` is the start of the joints.
pub(in crate::time) fn joints_before(
    model: &Model,
    start: &State,
    outset: &WarmStart,
) -> Vec<Vec2> {
    let joints = &start.parameters.joints(&model.joints);
    if !have_springs(joints) {
        return Vec::new();
    }
    let mut by_q = vec![Vec2::zeros(); start.q.len()];
    let mut by_x = vec![Vec2::zeros(); start.x.len()];
    let at = start.configuration();
    outset.add_spring_gradient(joints, &at.x, 1.0, &mut by_x);
    outset.add_closed_gradient(joints, &at.x, 1.0, &mut by_x);
    model.coordinates.pull_back(&at, &by_x, &mut by_q);

    // Where bodies are after the step, which is twice as long as the time of velocities.
    let h = 2.0 * outset.beta;
    let ahead = start.q.iter().zip(&start.q_dot).map(|(q, v)| q + v * h);
    let ahead = Configuration::of(&model.coordinates, ahead.collect());
    by_x.fill(Vec2::zeros());
    outset.add_closed_gradient(joints, &ahead.x, -1.0, &mut by_x);
    model.coordinates.pull_back(&ahead, &by_x, &mut by_q);
    by_q
}

//! Energy that springs in joints store.

use super::joint::{ConstraintAction, Joint};
use super::residual::Constraint;
use super::warm_start::near_of;
use ipcsim_math::Vec2;

/// True if a joint has a spring.
pub fn have_springs(joints: &[Joint]) -> bool {
    let mut rows = joints.iter().flat_map(|joint| &joint.rows);
    rows.any(|row| matches!(row.action, ConstraintAction::Sprung(_)))
}

/// Energy (J) of all springs in joints, `k/2 (c - c_0)^2`, where vertices are at `x` (m).
///
/// `turned` are the angles of both bodies of each joint (rad), over turns, and `broken` tells which
/// joints have broken; both are empty where there is nothing to say. Dampers store nothing.
pub fn stored_energy(joints: &[Joint], x: &[Vec2], turned: &[Vec2], broken: &[bool]) -> f64 {
    let mut sum = 0.0;
    for (number, joint) in joints.iter().enumerate() {
        if broken.get(number).copied().unwrap_or(false) {
            continue;
        }
        for row in &joint.rows {
            let ConstraintAction::Sprung(spring) = &row.action else {
                continue;
            };
            let at = row.ends.vertices.map(|i| x[i]);
            let pose = row.ends.pose(&at, near_of(turned, number));
            let way = row.rule.residual(&pose).x - spring.rest;
            sum += 0.5 * spring.stiffness * way * way;
        }
    }
    sum
}

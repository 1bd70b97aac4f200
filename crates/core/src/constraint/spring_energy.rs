//! Energy that springs in joints store.

use super::joint::{ConstraintAction, Joint};
use super::warm_start::near_of;
use ipcsim_math::Vec2;

/// True if a joint has a spring.
pub fn have_springs(joints: &[Joint]) -> bool {
    joints.iter().any(Joint::is_sprung)
}

/// Energy (J) of all springs in joints, `k/2 (c - c_0)^2`, where vertices are at `x` (m).
///
/// `turned` are the angles of both bodies of each joint (rad), over turns, and `broken` tells which
/// joints have broken; both are empty where there is nothing to say. Dampers store nothing.
pub fn stored_energy(joints: &[Joint], x: &[Vec2], turned: &[Vec2], broken: &[bool]) -> f64 {
    let is_whole = |number: &usize| !broken.get(*number).copied().unwrap_or(false);
    let whole: Vec<usize> = (0..joints.len()).filter(is_whole).collect();
    stored_in(joints, &whole, x, turned)
}

/// Energy (J) of the springs in those of all `joints` that have these numbers, with the arguments of
/// [`stored_energy`].
pub fn stored_in(joints: &[Joint], numbers: &[usize], x: &[Vec2], turned: &[Vec2]) -> f64 {
    let mut sum = 0.0;
    for &number in numbers {
        for row in &joints[number].rows {
            let ConstraintAction::Sprung(spring) = &row.action else {
                continue;
            };
            let way = row.first_residual(x, near_of(turned, number)) - spring.rest;
            sum += 0.5 * spring.stiffness * way * way;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::{ConstraintRow, DistanceConstraint, JointFrame, Rule, Spring, Turned};
    use std::f64::consts::TAU;

    /// A joint with one spring between two frames.
    fn sprung(rule: Rule, frames: &[JointFrame; 2], stiffness: f64, rest: f64) -> Joint {
        let damping = 100.0;
        let action = ConstraintAction::Sprung(Spring {
            stiffness,
            rest,
            damping,
        });
        Joint {
            label: "spring".to_owned(),
            bodies: [0, 1],
            rows: vec![ConstraintRow::new(rule, action, frames, 1.0, 1.0)],
            breaks_at: f64::INFINITY,
            twists_at: f64::INFINITY,
        }
    }

    #[test]
    fn springs_store_the_work_of_stretching_and_winding_them() {
        let x = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.7], [0.0, 2.7]].map(Vec2::from);
        let ends = [0, 2].map(JointFrame::vertex);
        let turning = [
            JointFrame::turning([0, 1], [x[0], x[1]], x[0], Vec2::x()),
            // Its arrow is a quarter turn ahead.
            JointFrame::turning([2, 3], [x[2], x[3]], x[2], Vec2::y()),
        ];
        let rod = Rule::Rod(DistanceConstraint { length: 1.0 });
        let joints = [
            sprung(rod, &ends, 30.0, 0.2),
            sprung(Rule::Turned(Turned), &turning, 5.0, 0.1),
        ];
        assert!(have_springs(&joints) && !have_springs(&[]));

        // Sums of small parts of the work, force times distance.
        let work = |stiffness: f64, way: f64| -> f64 {
            let part = way / 1000.0;
            let parts = (0..1000).map(|k| stiffness * (f64::from(k) + 0.5) * part * part);
            parts.sum()
        };
        let turned = [Vec2::zeros(), Vec2::new(0.0, 2.0 * TAU)];
        let expected = [work(30.0, 0.5), work(5.0, 2.25 * TAU - 0.1)];
        let stored = |broken: &[bool]| stored_energy(&joints, &x, &turned, broken);
        let close = |energy: f64, expected: f64| (energy - expected).abs() < 1e-9 * expected;
        assert!(close(stored(&[]), expected[0] + expected[1]));
        assert!(close(stored(&[true, false]), expected[1]));
        assert!(close(stored(&[false, true]), expected[0]));
    }
}

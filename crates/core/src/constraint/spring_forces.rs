//! Forces of springs and dampers at the start of a stage, for integrators that take a share of them.

use super::joint::{ConstraintAction, Joint};
use super::warm_start::WarmStart;
use ipcsim_math::Vec2;

impl WarmStart<'_> {
    /// Forces (N or N m) of the spring and of the damper of each row, `k (c - c_0)` and `b c'`, where
    /// a stage begins with vertices at `x` (m); 0 for all other rows and in broken joints.
    ///
    /// The rate `c' = (c_before - c) / beta` is the one from which that at the end follows.
    pub fn spring_forces(&self, joints: &[Joint], x: &[Vec2]) -> Vec<[f64; 2]> {
        let mut forces = Vec::new();
        for (number, joint) in joints.iter().enumerate() {
            for row in &joint.rows {
                let ConstraintAction::Sprung(spring) = &row.action else {
                    forces.push([0.0; 2]);
                    continue;
                };
                let residual = row.first_residual(x, self.near(number));
                let rate = (self.before(forces.len()) - residual) / self.beta;
                let acting = f64::from(u8::from(!self.is_broken(number)));
                forces.push([
                    acting * spring.stiffness * (residual - spring.rest),
                    acting * spring.damping * rate,
                ]);
            }
        }
        forces
    }

    /// Adds the derivatives by positions (N) of springs and dampers where a stage begins with vertices
    /// at `x` (m), times a factor.
    pub fn add_spring_gradient(&self, joints: &[Joint], x: &[Vec2], factor: f64, out: &mut [Vec2]) {
        let rows = joints.iter().flat_map(|joint| &joint.rows);
        for (row, [spring, damper]) in rows.zip(self.spring_forces(joints, x)) {
            let force = Vec2::new(spring + damper, 0.0);
            if force == Vec2::zeros() {
                continue;
            }
            for (vertex, by) in row.forces_by(x, force) {
                out[vertex] += by * factor;
            }
        }
    }

    /// Adds the derivatives by positions (N) of the last forces of the equations of joints that have a
    /// spring or a damper, where vertices are at `x` (m), times a factor.
    pub fn add_closed_gradient(&self, joints: &[Joint], x: &[Vec2], factor: f64, out: &mut [Vec2]) {
        let mut forces = self.forces.iter();
        for (number, joint) in joints.iter().enumerate() {
            let own = forces.by_ref().take(joint.rows.len());
            let acts = joint.is_sprung() && !self.is_broken(number);
            for (row, force) in joint.rows.iter().zip(own) {
                if !acts || !matches!(row.action, ConstraintAction::Closed) {
                    continue;
                }
                for (vertex, by) in row.forces_by(x, *force) {
                    out[vertex] += by * factor;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::{
        ConstraintRow, Constraints, DistanceConstraint, JointFrame, JointWork, Rule, Spring,
    };

    /// A spring of 30 N/m with a damper of 7 N s/m along the distance of two vertices, free of force at
    /// 1.2 m.
    fn joint() -> Joint {
        let rod = Rule::Rod(DistanceConstraint { length: 1.0 });
        let ends = [0, 1].map(JointFrame::vertex);
        let action = ConstraintAction::Sprung(Spring {
            stiffness: 30.0,
            rest: 0.2,
            damping: 7.0,
        });
        Joint {
            label: "spring".to_owned(),
            bodies: [0, 1],
            rows: vec![ConstraintRow::new(rod, action, &ends, 1.0, 1.0)],
            breaks_at: f64::INFINITY,
            twists_at: f64::INFINITY,
        }
    }

    /// Both vertices at a distance (m).
    fn apart(distance: f64) -> [Vec2; 2] {
        [Vec2::new(0.3, 0.0), Vec2::new(0.3, distance)]
    }

    #[test]
    fn springs_and_dampers_pull_at_the_start_by_their_length_and_its_rate_unless_broken() {
        // The rate of 3 m/s leads from 0.5 m beyond the length to 0.8 m in 0.1 s.
        let outset = WarmStart {
            before: &[0.8],
            beta: 0.1,
            ..WarmStart::START
        };
        let joints = [joint()];
        let x = apart(1.5);
        let [spring, damper] = outset.spring_forces(&joints, &x)[0];
        assert!((spring - 9.0).abs() < 1e-12 && (damper - 21.0).abs() < 1e-12);

        let gradient = |outset: &WarmStart| {
            let mut by = [Vec2::zeros(); 2];
            outset.add_spring_gradient(&joints, &x, 2.0, &mut by);
            by
        };
        let [low, high] = gradient(&outset);
        assert!((high - Vec2::new(0.0, 60.0)).norm() < 1e-12 && (low + high).norm() < 1e-12);
        let broken = WarmStart {
            broken: &[true],
            ..outset
        };
        assert_eq!(gradient(&broken), [Vec2::zeros(); 2]);
    }

    #[test]
    fn half_of_a_damper_at_each_end_makes_the_heat_of_the_mean_rate() {
        // From 1.5 m at 3 m/s to 1.9 m in 0.2 s: the rates are 3 and 1 m/s.
        let outset = WarmStart {
            before: &[0.8],
            beta: 0.1,
            share: 0.5,
            ..WarmStart::START
        };
        let joints = [joint()];
        let constraints = Constraints::new(&joints, &outset);
        let [start, end] = [apart(1.5), apart(1.9)];
        let found = constraints.work(&joints, &outset, [&start, &end]);
        let expected = JointWork {
            dampers: -7.0 * 2.0 * 0.4,
            stored: 15.0 * (0.7 * 0.7 - 0.3 * 0.3),
            ..JointWork::default()
        };
        assert!(
            (found.dampers - expected.dampers).abs() < 1e-12,
            "{found:?}"
        );
        assert!((found.stored - expected.stored).abs() < 1e-12, "{found:?}");

        // A spring that pulls with the mean of both ends loses nothing.
        let pulled = -0.5 * (30.0 * 0.3 + 30.0 * 0.7) * 0.4;
        let on_bodies = pulled + expected.dampers;
        let lost = found.of_integrator(on_bodies);
        assert!(lost.abs() < 1e-12, "{lost}");
    }
}

//! Joints between two bodies: their rows, and the sizes that residuals are compared with.

use super::ends::Ends;
use super::pose::{JointFrame, STENCIL};
use super::residual::Constraint;
use super::rule::Rule;
use super::servo::Servo;
use ipcsim_math::varying::Varying;
use ipcsim_math::{Mat2, Vec2, cross};
use std::collections::BTreeSet;

/// Treatment of the residual of a row. Units follow the residual, m or rad, and its force, N or N
/// m.
#[derive(Clone, Debug, PartialEq)]
pub enum ConstraintAction {
    /// It keeps the residual at zero by a force of any size.
    Closed,
    /// It keeps the first component at zero or below by a force of any size that only pulls.
    Taut,
    /// It keeps the first component between two limits, by a barrier.
    Limited(Limits),
    /// It drives the first component by a force that has a largest size.
    Driven(Motor),
    /// It pulls the first component to a value, and resists its rate.
    Sprung(Spring),
    /// It drives the first component to a value by a stiffness and a damping, up to a largest force.
    Served(Servo),
}

/// Limits that a residual never reaches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Lower and upper limit; infinite where there is none.
    pub range: [f64; 2],
    /// Distance from a limit at which its barrier begins to push.
    pub reach: f64,
    /// Coefficient of restitution (1).
    pub restitution: f64,
}

/// A motor or a brake.
#[derive(Clone, Debug, PartialEq)]
pub struct Motor {
    /// Its action.
    pub aim: Aim,
    /// Size of the unit in which the aim is given (m or rad).
    pub unit: f64,
    /// Largest force (N), or torque (N m), at which it slips.
    pub most: f64,
}

/// Target of a motor.
#[derive(Clone, Debug, PartialEq)]
pub enum Aim {
    /// Move at this speed (units/s), a function of time.
    Speed(Varying),
    /// Be at this place (units), a function of time.
    Place(Varying),
}

/// A spring with a parallel damper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// Stiffness (N/m or N m/rad).
    pub stiffness: f64,
    /// Residual at which it is free of force.
    pub rest: f64,
    /// Damping (N s/m or N m s/rad).
    pub damping: f64,
}

/// One constraint of a joint, or a limit, a motor or a spring in it.
#[derive(Clone, Debug)]
pub struct ConstraintRow {
    /// The residual.
    pub rule: Rule,
    /// Treatment of the residual.
    pub action: ConstraintAction,
    /// Frames of the two bodies.
    pub frames: [JointFrame; 2],
    /// The frames as maps, with the arrows that the rule needs.
    pub(super) ends: Ends,
    /// Inertia of the lighter side that is free to move (kg; of an angle kg m^2).
    pub inertia: f64,
    /// Size that the residual counts relative to: the diameter of the larger body (m), or 1 rad.
    pub unit: f64,
}

impl Motor {
    /// True if it only holds on: a brake, or a motor whose speed is always 0.
    pub fn is_brake(&self) -> bool {
        matches!(&self.aim, Aim::Speed(Varying::Constant(speed)) if *speed == 0.0)
    }
}

impl ConstraintAction {
    /// True for a motor, a servo or a brake.
    pub fn drives(&self) -> bool {
        matches!(self, Self::Driven(_) | Self::Served(_))
    }

    /// True if its force depends on the rate of the residual.
    pub fn has_rate(&self) -> bool {
        match self {
            Self::Driven(motor) => matches!(motor.aim, Aim::Speed(_)),
            Self::Sprung(spring) => spring.damping != 0.0,
            Self::Served(servo) => servo.damping != 0.0,
            Self::Closed | Self::Taut | Self::Limited(_) => false,
        }
    }
}

impl ConstraintRow {
    /// A row between two frames, with the inertia that it is for (kg; of an angle kg m^2) and the
    /// size that its residual counts relative to (m or rad).
    pub fn new(
        rule: Rule,
        action: ConstraintAction,
        frames: &[JointFrame; 2],
        inertia: f64,
        unit: f64,
    ) -> Self {
        let ends = match rule.needs_arrows() {
            [false, false] => Ends::of_points(frames),
            _ => Ends::of(frames),
        };
        Self {
            rule,
            action,
            frames: *frames,
            ends,
            inertia,
            unit,
        }
    }

    /// Vertices of the first frame, then of the second.
    pub fn vertices(&self) -> &[usize; STENCIL] {
        &self.ends.vertices
    }

    /// Derivative of the residual with respect to each vertex where all vertices are at `x` (m), by
    /// which a force on the residual becomes forces on vertices.
    pub fn forces_by(
        &self,
        x: &[Vec2],
        force: Vec2,
    ) -> impl Iterator<Item = (usize, Vec2)> + use<> {
        let forces = self.slopes(x).map(|by| by.tr_mul(&force));
        self.ends.vertices.into_iter().zip(forces)
    }

    /// Force on the first body (N) where all vertices are at `x` (m), by the force in the residual.
    pub fn force_on_first(&self, x: &[Vec2], force: Vec2) -> Vec2 {
        // Gears about one axle feel torques only.
        if self.is_carried() {
            return Vec2::zeros();
        }
        let jacobian = self.slopes(x);

        // The opposite of that on the second body.
        let by_opening = jacobian[3] + jacobian[4] + jacobian[5];
        by_opening.tr_mul(&force)
    }

    /// Derivative of the residual with respect to its vertices, where all vertices are at `x` (m).
    fn slopes(&self, x: &[Vec2]) -> [Mat2; STENCIL] {
        // Slopes of angles do not depend on turns.
        let at = self.ends.vertices.map(|i| x[i]);
        let pose = self.ends.pose(&at, [0.0; 2]);
        self.ends.jacobian(&self.rule.slopes(&pose))
    }

    /// First component of the residual (m or rad) where all vertices are at `x` (m) and the bodies
    /// have turned near these angles (rad).
    pub fn first_residual(&self, x: &[Vec2], near: [f64; 2]) -> f64 {
        let at = self.ends.vertices.map(|i| x[i]);
        self.rule.residual(&self.ends.pose(&at, near)).x
    }

    /// Change of the residual to first order where all vertices, at `x` (m), move `by` displacements
    /// (m).
    pub fn change(&self, x: &[Vec2], by: &[Vec2]) -> Vec2 {
        let slopes = self.slopes(x);
        let parts = slopes.iter().zip(self.ends.vertices);
        parts.map(|(slope, vertex)| slope * by[vertex]).sum()
    }

    /// Moment on the first body (N m) about a point (m), by the force in the residual.
    pub fn moment_on_first(&self, x: &[Vec2], force: Vec2, about: Vec2) -> f64 {
        let own = self
            .forces_by(x, force)
            .take(if self.is_carried() { 2 } else { 3 });
        own.map(|(vertex, by)| -cross(x[vertex] - about, by)).sum()
    }

    /// True if the points of its frames are vertices of a third body, the carrier of two gears.
    pub fn is_carried(&self) -> bool {
        matches!(self.rule, Rule::Epicyclic(_)) && self.frames.iter().all(JointFrame::is_carried)
    }

    /// True if its force has a moment about its point.
    pub fn has_moment(&self) -> bool {
        !matches!(self.rule, Rule::Hinge(_) | Rule::Rod(_) | Rule::Tie(_))
    }
}

/// A joint of a scene between two bodies.
#[derive(Clone, Debug)]
pub struct Joint {
    /// How messages name it.
    pub label: String,
    /// The two bodies, by their numbers in the world.
    pub bodies: [usize; 2],
    /// Its constraints, limits, motors and springs.
    pub rows: Vec<ConstraintRow>,
    /// Largest force (N) that it carries for more than a step; infinite if it never breaks.
    pub breaks_at: f64,
    /// Largest moment (N m) of welds and gears, as [`Self::breaks_at`].
    pub twists_at: f64,
}

impl Joint {
    /// True if these forces of its rows (N) are more than it carries. Torques of motors, limits and
    /// springs about a hinge do not count.
    pub fn breaks_under(&self, forces: &[Vec2]) -> bool {
        self.load(forces) > 1.0
    }

    /// These forces of its rows (N) as a multiple of what it carries (1).
    pub fn load(&self, forces: &[Vec2]) -> f64 {
        let mut sum = 0.0;
        let mut twist = 0.0_f64;
        for (row, force) in self.rows.iter().zip(forces) {
            if let Some(arm) = row.rule.arm() {
                twist = twist.max((arm * force.x).abs() / self.twists_at);
            } else if !matches!(row.rule, Rule::Turned(_)) {
                sum += force.norm_squared();
            }
        }
        twist.max(sum.sqrt() / self.breaks_at)
    }

    /// Key of its kind, such as `hinge`: the first word of its label.
    pub fn kind(&self) -> &str {
        self.label.split(' ').next().unwrap_or_default()
    }

    /// Name by which tables and measures know it, unless another joint has the same: the name that the
    /// scene gives, or its kind and its bodies, as `hinge of frame and crank`.
    pub fn title(&self) -> String {
        let rest = self.label.strip_prefix(self.kind()).unwrap_or_default();
        let given = rest
            .strip_prefix(" \"")
            .and_then(|own| own.strip_suffix('"'));
        given.map_or_else(|| self.label.replace('"', ""), str::to_owned)
    }

    /// True if it ties displacements, without points at which it acts.
    pub fn is_tie(&self) -> bool {
        let mut rows = self.rows.iter();
        rows.any(|row| matches!(row.rule, Rule::Tie(_)))
    }

    /// True if it has a spring or a damper.
    pub fn is_sprung(&self) -> bool {
        let mut rows = self.rows.iter();
        rows.any(|row| matches!(row.action, ConstraintAction::Sprung(_)))
    }

    /// True if it has limits or a servo.
    pub fn is_limited_or_served(&self) -> bool {
        let mut rows = self.rows.iter();
        rows.any(|row| {
            matches!(
                row.action,
                ConstraintAction::Limited(_) | ConstraintAction::Served(_)
            )
        })
    }

    /// True if turns of its bodies are counted.
    pub fn counts_turns(&self) -> bool {
        self.rows.iter().any(|row| row.rule.counts_turns())
    }
}

/// Names of joints, in their order, each different: of those that share a title the second one is
/// called `... 2`, and so on.
pub fn joint_names(joints: &[Joint]) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let mut names = Vec::with_capacity(joints.len());
    for joint in joints {
        let title = joint.title();
        let numbered = (2..).map(|number: usize| format!("{title} {number}"));
        let mut all = std::iter::once(title.clone()).chain(numbered);
        let name = all.find(|name| taken.insert(name.clone()));
        names.push(name.unwrap_or(title));
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::{Alike, Along, DistanceConstraint, Hinge, Slider, Slot, Turned};

    /// Two bodies of two vertices each that have no symmetry, and a row between them.
    fn row(rule: Rule) -> (ConstraintRow, [Vec2; 4]) {
        let x = [[0.0, 0.0], [1.0, 0.2], [0.7, 1.1], [1.9, 0.8]].map(Vec2::from);
        let [at, on] = [[0.4, 0.9], [1.3, 0.5]].map(Vec2::from);
        let frames = [
            JointFrame::turning([0, 1], [x[0], x[1]], at, Vec2::new(0.6, 0.8)),
            JointFrame::turning([2, 3], [x[2], x[3]], on, Vec2::x()),
        ];
        let row = ConstraintRow::new(rule, ConstraintAction::Closed, &frames, 1.0, 1.0);
        (row, x)
    }

    #[test]
    fn forces_of_a_joint_on_both_bodies_are_opposite_and_turn_nothing_as_a_whole() {
        let rules = [
            Rule::Hinge(Hinge),
            Rule::Rod(DistanceConstraint { length: 0.7 }),
            Rule::Slot(Slot),
            Rule::Slider(Slider { arm: 1.3 }),
            Rule::Alike(Alike { arm: 0.8 }),
            Rule::Turned(Turned),
            Rule::Along(Along),
        ];
        let force = Vec2::new(0.7, -1.9);
        let about = Vec2::new(-0.3, 2.0);
        for rule in rules {
            let (row, x) = row(rule);
            let forces: Vec<(usize, Vec2)> = row.forces_by(&x, force).collect();
            let sum = |own: &[(usize, Vec2)]| -> Vec2 { own.iter().map(|(_, force)| force).sum() };
            let moment = |own: &[(usize, Vec2)]| -> f64 {
                let moments = own.iter().map(|&(i, force)| cross(x[i] - about, force));
                moments.sum()
            };
            assert!(sum(&forces).norm() < 1e-13, "{rule:?}");

            // The two points of a hinge that is open are apart, so that its forces are a couple.
            let couple = match rule {
                Rule::Hinge(_) => cross(Vec2::new(-0.9, 0.4), force),
                _ => 0.0,
            };
            assert!((moment(&forces) - couple).abs() < 1e-13, "{rule:?}");

            // Reports have the reaction of the second body.
            let error = row.force_on_first(&x, force) - sum(&forces[3..]);
            assert!(error.norm() < 1e-13, "{rule:?}");
            let on_first = row.moment_on_first(&x, force, about);
            let reaction = moment(&forces[3..]) - couple;
            assert!((on_first - reaction).abs() < 1e-13, "{rule:?}");
        }
    }

    #[test]
    fn every_joint_has_a_name_which_no_other_has() {
        let labels = [
            "hinge \"shaft\"",
            "gear of \"a\" and \"b\"",
            "gear of \"a\" and \"b\"",
            "rod \"gear of a and b 2\"",
        ];
        let joints = labels.map(|label| Joint {
            label: label.to_owned(),
            bodies: [0, 1],
            rows: Vec::new(),
            breaks_at: f64::INFINITY,
            twists_at: f64::INFINITY,
        });
        let expected = [
            "shaft",
            "gear of a and b",
            "gear of a and b 2",
            "gear of a and b 2 2",
        ];
        assert_eq!(joint_names(&joints), expected);
        assert_eq!(joints.map(|joint| joint.kind().len()), [5, 4, 4, 3]);
    }

    #[test]
    fn joints_break_by_the_length_of_all_their_forces_or_by_the_moment_of_a_weld() {
        let rules = [
            Rule::Hinge(Hinge),
            Rule::Slot(Slot),
            Rule::Alike(Alike { arm: 0.5 }),
            Rule::Turned(Turned),
        ];
        let joint = |breaks_at: f64, twists_at: f64| Joint {
            label: "joint".to_owned(),
            bodies: [0, 1],
            rows: rules.map(|rule| row(rule).0).to_vec(),
            breaks_at,
            twists_at,
        };

        // Of 3, 4 and 12 N the length is 13 N; the weld carries 0.5 m times 8 N, the motor does not
        // count.
        let forces = [[3.0, 4.0], [12.0, 0.0], [-8.0, 0.0], [1e6, 0.0]].map(Vec2::from);
        assert!(joint(12.99, 4.01).breaks_under(&forces));
        assert!(joint(13.01, 3.99).breaks_under(&forces));
        assert!(!joint(13.01, 4.01).breaks_under(&forces));
    }
}

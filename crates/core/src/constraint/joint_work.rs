//! Work of joints over a stage, by what their rows are.
//!
//! The force `f` of a row does the work `-f . J dq` on bodies along the displacement `dq`, with the
//! derivative `J` of the residual `c` where the force acts. A damper makes heat of `f dc` and a motor
//! gives it, with the change `dc` of the residual itself. What remains is small: `J dq` is not `dc`
//! where the residual is curved, and a spring stores the change of its energy, which is not `f dc` as
//! long as steps are finite. That is the share of the integrator.

use super::augmented_lagrangian::{Act, Acting, Pull};
use super::joint::{ConstraintAction, ConstraintRow, Joint};
use super::multipliers::Constraints;
use super::warm_start::WarmStart;
use ipcsim_math::Vec2;
use std::ops::AddAssign;

/// Motion of a stage, as its joints see it.
#[derive(Clone, Copy, Debug)]
pub struct Course<'a> {
    /// Positions of all vertices (m) at the start and at the end, `[vertices]`.
    pub x: [&'a [Vec2]; 2],
    /// Displacement of the stage (m) to first order at the start and at the end, `[vertices]`.
    pub by: [&'a [Vec2]; 2],
}

/// Work of joints on bodies and on their springs (J): positive where the energy of both grows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointWork {
    /// Dampers: heat.
    pub dampers: f64,
    /// Brakes: heat.
    pub brakes: f64,
    /// Motors.
    pub motors: f64,
    /// Limits.
    pub limits: f64,
    /// Everything else: what the integrator does by equations that are curved, and in springs.
    pub integrator: f64,
}

/// A row over a stage.
struct Stretch<'a> {
    /// The row of the joint.
    row: &'a ConstraintRow,
    /// Its action in the stage.
    acting: &'a Acting,
    /// First residual (m or rad) at the start.
    from: f64,
    /// Forces (N or N m) of its spring and of its damper at the start.
    before: [f64; 2],
    /// Motion of the stage.
    course: &'a Course<'a>,
}

impl Constraints {
    /// Work of all rows of `joints` over a stage that began as `outset` says.
    pub fn work(&self, joints: &[Joint], outset: &WarmStart, course: &Course) -> JointWork {
        let before = outset.spring_forces(joints, course.x[0]);
        let mut sum = JointWork::default();
        let mut acting = self.rows.elements.iter().zip(before);
        for (number, joint) in joints.iter().enumerate() {
            for (row, (acting, before)) in joint.rows.iter().zip(acting.by_ref()) {
                let stretch = Stretch {
                    row,
                    acting,
                    from: row.first_residual(course.x[0], outset.near(number)),
                    before,
                    course,
                };
                sum += stretch.work(outset.share);
            }
        }
        sum
    }
}

impl Stretch<'_> {
    /// Work of the row, whose spring and damper act with this share as they are at the end.
    fn work(&self, share: f64) -> JointWork {
        let [_, x] = self.course.x;
        let at = self.acting.ends.vertices.map(|i| x[i]);
        let residual = self.acting.residual(&at);
        let change = residual.x - self.from;

        // Work on bodies of the force at the end, and of its first component along the residual.
        let force = self.acting.force(residual);
        let on_bodies = -force.dot(&self.row.change(x, self.course.by[1]));
        let own = -force.x * change;
        let rest = JointWork {
            integrator: on_bodies - own,
            ..JointWork::default()
        };

        match (&self.acting.act, &self.row.action) {
            (Act::Pull(pull), _) => self.pulled(pull, [residual.x, on_bodies], share),
            (Act::Stay(_), _) => JointWork {
                limits: own,
                ..rest
            },
            (Act::Close(_), ConstraintAction::Driven(motor)) if motor.is_brake() => JointWork {
                brakes: own,
                ..rest
            },
            (Act::Close(_), ConstraintAction::Driven(_)) => JointWork {
                motors: own,
                ..rest
            },
            (Act::Close(_), _) => JointWork {
                integrator: on_bodies,
                ..JointWork::default()
            },
        }
    }

    /// Work of a spring and a damper up to a residual, with the work on bodies of the forces at the end.
    fn pulled(&self, pull: &Pull, [residual, on_bodies]: [f64; 2], share: f64) -> JointWork {
        let change = residual - self.from;
        let [spring, damper] = self.before.map(|force| (1.0 - share) * force);
        let [x, _] = self.course.x;
        let at_start = self.row.change(x, self.course.by[0]).x;
        let on_bodies = on_bodies - (spring + damper) * at_start;

        // The spring stores the change of its energy.
        let mean = 0.5 * (self.from + residual) - pull.rest[0];
        let stored = pull.stiffness[0] * mean * change;
        let dampers = -(share * pull.forces(residual)[1] + damper) * change;
        JointWork {
            dampers,
            integrator: on_bodies - dampers + stored,
            ..JointWork::default()
        }
    }
}

impl AddAssign for JointWork {
    fn add_assign(&mut self, other: Self) {
        self.dampers += other.dampers;
        self.brakes += other.brakes;
        self.motors += other.motors;
        self.limits += other.limits;
        self.integrator += other.integrator;
    }
}

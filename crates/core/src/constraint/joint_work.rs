//! Work of joints over a stage, by what their rows are.
//!
//! A damper makes heat of `f dc`, and a motor gives it, with the force `f` of a row and the change `dc`
//! of its residual. A spring stores the change of its energy. The work of joints on bodies is the
//! product of forces and displacements, and differs from all these as long as steps are finite: where
//! residuals are curved, and since a spring pulls with the force of one place. That is the share of the
//! integrator, which [`JointWork::of_integrator`] tells.

use super::augmented_lagrangian::{Act, Pull};
use super::joint::{ConstraintAction, Joint};
use super::multipliers::Constraints;
use super::warm_start::WarmStart;
use ipcsim_math::Vec2;
use std::ops::AddAssign;

/// Work of the rows of joints (J): positive where the energy of bodies grows by it.
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
    /// Energy that springs store.
    pub stored: f64,
}

impl JointWork {
    /// What the integrator adds to the energy of bodies and springs where all joints do the work
    /// `on_bodies` (J).
    pub fn of_integrator(&self, on_bodies: f64) -> f64 {
        let Self {
            dampers,
            brakes,
            motors,
            limits,
            stored,
        } = self;
        on_bodies + stored - (dampers + brakes + motors + limits)
    }
}

impl Constraints {
    /// Work of all rows of `joints` over a stage that began as `outset` says, from the first of two
    /// positions of all vertices (m), `[vertices]`, to the second.
    pub fn work(&self, joints: &[Joint], outset: &WarmStart, x: [&[Vec2]; 2]) -> JointWork {
        let mut sum = JointWork::default();
        let before = outset.spring_forces(joints, x[0]);
        let mut acting = self.rows.elements.iter().zip(before);
        for (number, joint) in joints.iter().enumerate() {
            for (row, (acting, before)) in joint.rows.iter().zip(acting.by_ref()) {
                let from = row.first_residual(x[0], outset.near(number));
                let to = acting.residual(&acting.ends.vertices.map(|i| x[1][i]));
                sum += match &acting.act {
                    Act::Pull(pull) => pulled(pull, [from, to.x], before),
                    _ => held(&row.action, -acting.force(to).x * (to.x - from)),
                };
            }
        }
        sum
    }
}

/// Work of a spring and a damper between two residuals (m or rad), with these forces (N or N m) at the
/// first.
fn pulled(pull: &Pull, [from, to]: [f64; 2], [_, before]: [f64; 2]) -> JointWork {
    let [_, damper] = pull.forces(to);
    let mean = pull.share * damper + (1.0 - pull.share) * before;
    let stretch = 0.5 * (from + to) - pull.rest[0];
    JointWork {
        dampers: -mean * (to - from),
        stored: pull.stiffness[0] * stretch * (to - from),
        ..JointWork::default()
    }
}

/// Work (J) along the residual of a row that is no spring, by what it does.
fn held(action: &ConstraintAction, work: f64) -> JointWork {
    let mut sum = JointWork::default();
    match action {
        ConstraintAction::Limited(_) => sum.limits = work,
        ConstraintAction::Driven(motor) if motor.is_brake() => sum.brakes = work,
        ConstraintAction::Driven(_) | ConstraintAction::Served(_) => sum.motors = work,
        ConstraintAction::Closed | ConstraintAction::Taut | ConstraintAction::Sprung(_) => {}
    }
    sum
}

impl AddAssign for JointWork {
    fn add_assign(&mut self, other: Self) {
        self.dampers += other.dampers;
        self.brakes += other.brakes;
        self.motors += other.motors;
        self.limits += other.limits;
        self.stored += other.stored;
    }
}

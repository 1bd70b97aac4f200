//! What rows begin a stage with: forces and turns that the last step has left, and factors.

use super::augmented_lagrangian::{Act, Multiplier, Pull, Stay};
use super::joint::{Aim, ConstraintAction, ConstraintRow, Motor, Spring};
use super::residual::Constraint;
use super::tuning::{FIRST_STIFFNESS, LIMIT_STIFFNESS};
use ipcsim_math::Vec2;

/// State of the joints where a stage begins, and what turns actions into energies.
#[derive(Clone, Copy, Debug)]
pub struct WarmStart<'a> {
    /// Forces (N) of all rows at the end of the last step; empty before the first.
    pub forces: &'a [Vec2],
    /// Angles (rad) of both bodies of each joint, over turns; empty if none are counted.
    pub turned: &'a [Vec2],
    /// For each joint, true if it has broken; empty if none has.
    pub broken: &'a [bool],
    /// Positions of all vertices at the reference of the stage (m), from which velocities count.
    pub reference: &'a [Vec2],
    /// Time `beta` in `v = (q - q_ref) / beta` (s).
    pub beta: f64,
    /// Time at the end of the stage (s).
    pub end: f64,
    /// Factor of the energies in the potential (s^2).
    pub scale: f64,
}

impl WarmStart<'_> {
    /// The start of a simulation, for a step of 1 s.
    pub const START: WarmStart<'static> = WarmStart {
        forces: &[],
        turned: &[],
        broken: &[],
        reference: &[],
        beta: 1.0,
        end: 1.0,
        scale: 1.0,
    };

    /// Angles of the bodies of a joint (rad), over turns.
    pub(super) fn near(&self, joint: usize) -> [f64; 2] {
        near_of(self.turned, joint)
    }

    /// True if a joint has broken.
    pub(super) fn is_broken(&self, joint: usize) -> bool {
        self.broken.get(joint).copied().unwrap_or(false)
    }

    /// What a row does in the stage, with the force that it had last (N).
    pub(super) fn act(&self, row: &ConstraintRow, near: [f64; 2], force: Vec2) -> Act {
        // The stiffness of the inertia that moves.
        let stiffness = FIRST_STIFFNESS * row.inertia / self.scale;
        let close = |bounds: [f64; 2], aim: f64| {
            Act::Close(Multiplier {
                force: Vec2::new(force.x.clamp(bounds[0], bounds[1]), force.y),
                stiffness,
                bounds,
                aim,
            })
        };
        match &row.action {
            ConstraintAction::Closed => close([f64::NEG_INFINITY, f64::INFINITY], 0.0),
            ConstraintAction::Taut => close([0.0, f64::INFINITY], 0.0),
            ConstraintAction::Limited(limits) => Act::Stay(Stay {
                range: limits.range,
                reach: limits.reach,
                stiffness: LIMIT_STIFFNESS * row.inertia / self.scale,
            }),
            ConstraintAction::Driven(motor) => {
                let aim = self.aim(motor, || self.before(row, near));
                close([-motor.most, motor.most], aim)
            }
            ConstraintAction::Sprung(spring) => {
                Act::Pull(self.pull(*spring, self.before(row, near)))
            }
        }
    }

    /// First component of the residual of a row at the reference.
    fn before(&self, row: &ConstraintRow, near: [f64; 2]) -> f64 {
        let at = row.ends.vertices.map(|i| self.reference[i]);
        row.rule.residual(&row.ends.pose(&at, near)).x
    }

    /// Residual that a motor aims at.
    fn aim(&self, motor: &Motor, before: impl Fn() -> f64) -> f64 {
        let nowhere = Vec2::zeros();
        match &motor.aim {
            Aim::Speed(speed) => before() + self.beta * motor.unit * speed.at(nowhere, self.end),
            Aim::Place(place) => motor.unit * place.at(nowhere, self.end),
        }
    }

    /// A spring, with a damper that resists the change from the residual `before`.
    fn pull(&self, spring: Spring, before: f64) -> Pull {
        Pull {
            stiffness: [spring.stiffness, spring.damping / self.beta],
            rest: [spring.rest, before],
            turns: false,
        }
    }
}

/// Angles of the bodies of a joint (rad), over turns, in a list of all; 0 where none are counted.
pub(super) fn near_of(turned: &[Vec2], joint: usize) -> [f64; 2] {
    let own = turned.get(joint);
    own.map_or([0.0; 2], |turned| [turned.x, turned.y])
}

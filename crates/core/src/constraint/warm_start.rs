//! Warm start of constraints: multipliers and turns of the last step, and factors of the stage.

use super::augmented_lagrangian::{Act, Multiplier, Pull, Stay};
use super::joint::{Aim, ConstraintAction, ConstraintRow, Motor, Spring};
use super::servo::ServoStage;
use crate::tuning::{JOINT_FIRST_STIFFNESS, LIMIT_STIFFNESS};
use ipcsim_math::Vec2;

/// State of the joints where a stage begins, and the factors that turn actions into energies.
#[derive(Clone, Copy, Debug)]
pub struct WarmStart<'a> {
    /// Forces (N) of all rows at the end of the last step; empty before the first.
    pub forces: &'a [Vec2],
    /// Angles (rad) of both bodies of each joint, over turns; empty if none are counted.
    pub turned: &'a [Vec2],
    /// For each joint, true if it has broken; empty if none has.
    pub broken: &'a [bool],
    /// Residuals of all rows from which rates count (m or rad); empty if no row has a rate.
    pub before: &'a [f64],
    /// Positions of all vertices at the start of the stage (m); empty if no row needs them.
    pub start: &'a [Vec2],
    /// Time `beta` in `v = (q - q_ref) / beta` (s).
    pub beta: f64,
    /// Time at the end of the stage (s).
    pub end: f64,
    /// Factor of the energies in the potential (s^2).
    pub scale: f64,
    /// Share (1) with which springs and dampers act as they are at the end of the stage; the rest is
    /// as it was at the start.
    pub share: f64,
}

impl WarmStart<'_> {
    /// The start of a simulation, for a step of 1 s.
    pub const START: WarmStart<'static> = WarmStart {
        forces: &[],
        turned: &[],
        broken: &[],
        before: &[],
        start: &[],
        beta: 1.0,
        end: 1.0,
        scale: 1.0,
        share: 1.0,
    };

    /// Angles of the bodies of a joint (rad), over turns.
    pub(super) fn near(&self, joint: usize) -> [f64; 2] {
        near_of(self.turned, joint)
    }

    /// True if a joint has broken.
    pub(super) fn is_broken(&self, joint: usize) -> bool {
        self.broken.get(joint).copied().unwrap_or(false)
    }

    /// Action in the stage of the row with this number among all, with its last force (N) and the angles of
    /// its bodies (rad).
    pub(super) fn act(
        &self,
        row: &ConstraintRow,
        number: usize,
        near: [f64; 2],
        force: Vec2,
    ) -> Act {
        // The stiffness of the inertia that moves.
        let stiffness = JOINT_FIRST_STIFFNESS * row.inertia / self.scale;
        let close = |bounds: [f64; 2], aim: f64| {
            Act::Close(Multiplier {
                force: Vec2::new(force.x.clamp(bounds[0], bounds[1]), force.y),
                stiffness,
                bounds,
                aim,
                turns: false,
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
                let aim = self.aim(motor, self.before(number));
                close([-motor.most, motor.most], aim)
            }
            ConstraintAction::Sprung(spring) => Act::Pull(self.pull(*spring, self.before(number))),
            ConstraintAction::Served(servo) => Act::Serve(servo.act(&ServoStage {
                start: row.first_residual(self.start, near),
                before: self.before(number),
                beta: self.beta,
                end: self.end,
                share: self.share,
            })),
        }
    }

    /// Residual of the row with this number from which its rate counts.
    pub(super) fn before(&self, number: usize) -> f64 {
        self.before.get(number).copied().unwrap_or_default()
    }

    /// Residual that a motor aims at, from that `before`.
    fn aim(&self, motor: &Motor, before: f64) -> f64 {
        let nowhere = Vec2::zeros();
        match &motor.aim {
            Aim::Speed(speed) => before + self.beta * motor.unit * speed.at(nowhere, self.end),
            Aim::Place(place) => motor.unit * place.at(nowhere, self.end),
        }
    }

    /// A spring, with a damper that resists the change from the residual `before`.
    fn pull(&self, spring: Spring, before: f64) -> Pull {
        Pull {
            stiffness: [spring.stiffness, spring.damping / self.beta],
            rest: [spring.rest, before],
            share: self.share,
            turns: false,
        }
    }
}

/// Angles of the bodies of a joint (rad), over turns, in a list of all; 0 where none are counted.
pub(super) fn near_of(turned: &[Vec2], joint: usize) -> [f64; 2] {
    let own = turned.get(joint);
    own.map_or([0.0; 2], |turned| [turned.x, turned.y])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::{Constraints, DistanceConstraint, Joint, JointFrame, Rule};
    use ipcsim_math::varying::Varying;

    /// A joint that does something about the distance of the vertices 0 and 1 beyond 1 m.
    fn joint(action: ConstraintAction) -> Joint {
        let rod = Rule::Rod(DistanceConstraint { length: 1.0 });
        let ends = [0, 1].map(JointFrame::vertex);
        Joint {
            label: "joint".to_owned(),
            bodies: [0, 1],
            rows: vec![ConstraintRow::new(rod, action, &ends, 3.0, 1.0)],
            breaks_at: f64::INFINITY,
            twists_at: f64::INFINITY,
        }
    }

    /// Both vertices at a distance (m).
    fn apart(distance: f64) -> [Vec2; 2] {
        [Vec2::new(0.3, 0.0), Vec2::new(0.3, distance)]
    }

    /// First component of the force of a joint (N) at a distance (m), by a start.
    fn force(action: ConstraintAction, outset: &WarmStart, distance: f64) -> f64 {
        let constraints = Constraints::new(&[joint(action)], outset);
        constraints.forces(&apart(distance))[0].x
    }

    /// A motor or brake with this aim, units of 2 m, and 6 N at most.
    fn motor(aim: Aim) -> ConstraintAction {
        ConstraintAction::Driven(Motor {
            aim,
            unit: 2.0,
            most: 6.0,
        })
    }

    #[test]
    fn rows_begin_with_their_last_force_as_far_as_bounds_allow() {
        let place = || motor(Aim::Place(Varying::Constant(0.0)));
        for last in [-9.0, -2.0, 0.0, 4.0, 9.0] {
            let forces = [Vec2::new(last, 0.0)];
            let outset = WarmStart {
                forces: &forces,
                ..WarmStart::START
            };
            let closed = |action| force(action, &outset, 1.0);
            assert_eq!(closed(ConstraintAction::Closed), last);
            assert_eq!(closed(ConstraintAction::Taut), last.max(0.0));
            assert_eq!(closed(place()), last.clamp(-6.0, 6.0));
        }

        // A broken joint has none, whatever it had.
        let outset = WarmStart {
            forces: &[Vec2::new(5.0, 0.0)],
            broken: &[true],
            ..WarmStart::START
        };
        assert_eq!(force(ConstraintAction::Closed, &outset, 1.5), 0.0);
    }

    #[test]
    fn the_first_stiffness_is_a_multiple_of_the_inertia_per_square_of_time() {
        let outset = WarmStart {
            scale: 0.25,
            ..WarmStart::START
        };
        let way = 1e-3;
        let expected = JOINT_FIRST_STIFFNESS * 3.0 / 0.25 * way;
        let pull = force(ConstraintAction::Closed, &outset, 1.0 + way);
        assert!((pull - expected).abs() < 1e-9 * expected);
    }

    #[test]
    fn dampers_resist_the_rate_and_springs_the_way() {
        let outset = WarmStart {
            before: &[0.2],
            beta: 0.1,
            ..WarmStart::START
        };
        let sprung = |stiffness, damping| {
            let rest = 0.4;
            ConstraintAction::Sprung(Spring {
                stiffness,
                rest,
                damping,
            })
        };
        // From 1.2 m to 1.5 m in 0.1 s is 3 m/s; 1.4 m is free of force.
        let pull = |stiffness, damping| force(sprung(stiffness, damping), &outset, 1.5);
        assert!((pull(0.0, 7.0) - 21.0).abs() < 1e-12);
        assert!((pull(50.0, 0.0) - 5.0).abs() < 1e-12);
        assert!((pull(50.0, 7.0) - 26.0).abs() < 1e-12);
    }

    #[test]
    fn motors_aim_where_their_speed_or_place_leads() {
        let outset = WarmStart {
            before: &[0.2],
            beta: 0.1,
            ..WarmStart::START
        };
        // Three units of 2 m in a second, for 0.1 s, from 0.2 m beyond the length; or at 0.35 units.
        let aims = [
            (Aim::Speed(Varying::Constant(3.0)), 0.2 + 0.6),
            (Aim::Place(Varying::Constant(0.35)), 0.7),
        ];
        for (aim, expected) in aims {
            let near = |way: f64| force(motor(aim.clone()), &outset, 1.0 + way);
            assert!(near(expected).abs() < 1e-9);
            assert!(near(expected + 1e-5) > 0.0 && near(expected - 1e-5) < 0.0);
        }
    }
}

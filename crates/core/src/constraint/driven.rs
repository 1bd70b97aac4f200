//! Motors, brakes and springs with other numbers than the scene gives them.

use super::joint::{Aim, ConstraintAction, Joint};
use ipcsim_math::varying::Varying;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Numbers of one row of a joint in place of those of the scene.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RowDrive {
    /// Speed of a motor (units/s), or rate of a servo.
    pub speed: Option<f64>,
    /// Place of a motor or servo (units).
    pub place: Option<f64>,
    /// Largest force (N) or torque (N m) of a motor, servo or brake.
    pub most: Option<f64>,
    /// Residual at which a spring is free of force (m or rad).
    pub rest: Option<f64>,
}

impl RowDrive {
    /// Takes over the numbers that `other` has.
    pub fn set(&mut self, other: &Self) {
        self.speed = other.speed.or(self.speed);
        self.place = other.place.or(self.place);
        self.most = other.most.or(self.most);
        self.rest = other.rest.or(self.rest);
    }

    /// All numbers, each with its place in a fixed order.
    pub fn numbers(&self) -> impl Iterator<Item = (usize, f64)> {
        let all = [self.speed, self.place, self.most, self.rest];
        let numbered = all.into_iter().enumerate();
        numbered.filter_map(|(kind, number)| Some((kind, number?)))
    }

    /// Writes the numbers into an action. Numbers without a use there have no effect.
    fn write(&self, action: &mut ConstraintAction) {
        match action {
            ConstraintAction::Driven(motor) => {
                match (&mut motor.aim, self.speed, self.place) {
                    (Aim::Speed(aim), Some(speed), _) => *aim = Varying::Constant(speed),
                    (Aim::Place(aim), _, Some(place)) => *aim = Varying::Constant(place),
                    _ => {}
                }
                motor.most = self.most.unwrap_or(motor.most);
            }
            ConstraintAction::Served(servo) => {
                if let Some(speed) = self.speed {
                    servo.rate = Some(Varying::Constant(speed));
                }
                if let Some(place) = self.place {
                    servo.place = Some(Varying::Constant(place));
                }
                servo.most = self.most.unwrap_or(servo.most);
            }
            ConstraintAction::Sprung(spring) => spring.rest = self.rest.unwrap_or(spring.rest),
            ConstraintAction::Closed | ConstraintAction::Taut | ConstraintAction::Limited(_) => {}
        }
    }
}

/// Joints with the numbers of `drives`, by the number of the row among those of all joints.
pub fn driven<'a>(joints: &'a [Joint], drives: &BTreeMap<usize, RowDrive>) -> Cow<'a, [Joint]> {
    if drives.is_empty() {
        return Cow::Borrowed(joints);
    }
    let mut own = joints.to_vec();
    let rows = own.iter_mut().flat_map(|joint| &mut joint.rows);
    for (number, row) in rows.enumerate() {
        if let Some(drive) = drives.get(&number) {
            drive.write(&mut row.action);
        }
    }
    Cow::Owned(own)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::{ConstraintRow, DistanceConstraint, JointFrame, Motor, Rule, Spring};

    /// A joint with a motor and a spring.
    fn joint() -> Joint {
        let rod = Rule::Rod(DistanceConstraint { length: 1.0 });
        let ends = [0, 1].map(JointFrame::vertex);
        let motor = ConstraintAction::Driven(Motor {
            aim: Aim::Speed(Varying::Constant(3.0)),
            unit: 1.0,
            most: 5.0,
        });
        let spring = ConstraintAction::Sprung(Spring {
            stiffness: 7.0,
            rest: 0.5,
            damping: 0.0,
        });
        let row = |action| ConstraintRow::new(rod, action, &ends, 1.0, 1.0);
        Joint {
            label: "joint".to_owned(),
            bodies: [0, 1],
            rows: vec![row(motor), row(spring)],
            breaks_at: f64::INFINITY,
            twists_at: f64::INFINITY,
        }
    }

    #[test]
    fn rows_take_the_numbers_that_they_have_a_use_for() {
        let joints = [joint(), joint()];
        assert!(matches!(
            driven(&joints, &BTreeMap::new()),
            Cow::Borrowed(_)
        ));

        let mut drive = RowDrive {
            speed: Some(-1.0),
            place: Some(9.0),
            ..RowDrive::default()
        };
        drive.set(&RowDrive {
            most: Some(0.0),
            rest: Some(0.25),
            ..RowDrive::default()
        });
        let drives = BTreeMap::from([(2, drive), (3, drive)]);
        let own = driven(&joints, &drives);
        assert_eq!(own[0].rows[0].action, joints[0].rows[0].action);
        let ConstraintAction::Driven(motor) = &own[1].rows[0].action else {
            panic!("{own:?}")
        };
        assert_eq!(motor.aim, Aim::Speed(Varying::Constant(-1.0)));
        assert_eq!(motor.most, 0.0);
        let ConstraintAction::Sprung(spring) = &own[1].rows[1].action else {
            panic!("{own:?}")
        };
        assert_eq!((spring.rest, spring.stiffness), (0.25, 7.0));
        assert_eq!(drive.numbers().count(), 4);
    }
}

//! Checks of motors, brakes and springs that change between steps.

use super::report::Report;
use crate::schema::{Joint, JointDrive, Motor, Scene, Thrust};

/// What of a joint can be driven.
#[derive(Default)]
struct Drivable {
    /// Keys of its motor; none without one.
    motor: Vec<&'static str>,
    /// True if it has a brake.
    has_brake: bool,
    /// Key of the state without force of its spring; `None` without one.
    spring: Option<&'static str>,
}

/// Keys of a motor of an angle; none without one.
fn turning(motor: Option<&Motor>) -> Vec<&'static str> {
    let keys = motor.map(|motor| {
        let speed = motor.speed_deg.as_ref().map(|_| "speed_deg");
        let place = motor.angle_deg.as_ref().map(|_| "angle_deg");
        [speed, place, Some("torque")]
    });
    keys.into_iter().flatten().flatten().collect()
}

/// Keys of a motor along a line; none without one.
fn moving(motor: Option<&Thrust>) -> Vec<&'static str> {
    let keys = motor.map(|motor| {
        let speed = motor.speed.as_ref().map(|_| "speed");
        let place = motor.place.as_ref().map(|_| "place");
        [speed, place, Some("force")]
    });
    keys.into_iter().flatten().flatten().collect()
}

impl Drivable {
    /// What of a `joint` can be driven.
    fn of(joint: &Joint) -> Self {
        match joint {
            Joint::Hinge(own) => Self {
                motor: turning(own.motor.as_ref()),
                has_brake: own.brake.is_some(),
                spring: own.spring.map(|_| "rest_deg"),
            },
            Joint::Wheel(own) => Self {
                motor: turning(own.motor.as_ref()),
                has_brake: own.brake.is_some(),
                spring: Some("rest"),
            },
            Joint::Cylinder(own) => Self {
                motor: moving(own.motor.as_ref()),
                has_brake: own.brake.is_some(),
                spring: own.spring.map(|_| "rest"),
            },
            Joint::Slider(own) | Joint::Slot(own) => Self {
                motor: moving(own.motor.as_ref()),
                has_brake: own.brake.is_some(),
                spring: own.spring.map(|_| "rest"),
            },
            Joint::Spring(_) => Self {
                spring: Some("length"),
                ..Self::default()
            },
            Joint::Rod(_)
            | Joint::Rope(_)
            | Joint::Weld(_)
            | Joint::Attach(_)
            | Joint::Rack(_)
            | Joint::Gear(_) => Self::default(),
        }
    }
}

/// Checks what a change at `path` drives: that the joint exists, and has what is set.
pub(super) fn check(report: &mut Report, path: &str, drive: &JointDrive, scene: &Scene) {
    let name = drive.name.as_str();
    let mut joints = scene.joints.iter();
    let Some(joint) = joints.find(|joint| joint.common().name == Some(name)) else {
        let known: Vec<&str> = scene
            .joints
            .iter()
            .filter_map(|own| own.common().name)
            .collect();
        if known.is_empty() {
            let message = "the scene has no joint with a name; give the joint a `name`";
            report.add(&format!("{path}.name"), message);
        } else {
            report.no_such(&format!("{path}.name"), "joint", name, known.into_iter());
        }
        return;
    };

    let has = Drivable::of(joint);
    for (key, _) in drive.motor.numbers() {
        if has.motor.is_empty() {
            let message = format!("\"{name}\" has no motor; give it one in `joints`");
            report.add(&format!("{path}.motor"), message);
            break;
        }
        if !has.motor.contains(&key) {
            let keys = has.motor.join("`, `");
            let message =
                format!("the motor of \"{name}\" has no `{key}`; the scene gives it `{keys}`");
            report.add(&format!("{path}.motor.{key}"), message);
        }
    }
    if drive.brake.is_some() && !has.has_brake {
        let message = format!("\"{name}\" has no brake; give it one in `joints`");
        report.add(&format!("{path}.brake"), message);
    }
    for (key, _) in drive.spring.numbers() {
        let message = match has.spring {
            None => format!("\"{name}\" has no spring; give it one in `joints`"),
            Some(own) if own != key => {
                format!("the spring of \"{name}\" has no `{key}`; use `{own}`")
            }
            Some(_) => continue,
        };
        report.add(&format!("{path}.spring.{key}"), message);
    }
    let is_empty = drive.motor.numbers().next().is_none()
        && drive.brake.is_none()
        && drive.spring.numbers().next().is_none();
    if is_empty {
        report.add(path, "sets nothing; give `motor`, `brake` or `spring`");
    }
}

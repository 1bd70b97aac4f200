//! Checks of motors, brakes, springs and limits of joints.

use super::load::check_varying;
use super::report::Report;
use crate::schema::{Cylinder, Guide, Hinge, Motor, Thrust, Varying, Wheel};
use ipcsim_math::Vec2;
use ipcsim_math::number::short;

/// Largest number of turns of a limit (degrees): beyond it angles lose their digits.
const MOST_DEGREES: f64 = 3.6e8;

/// Checks what acts on the angle of a hinge.
pub(super) fn hinge(report: &mut Report, path: &str, hinge: &Hinge) {
    if let Some(limits) = hinge.limits_deg {
        let path = format!("{path}.limits_deg");
        check_limits(report, &path, limits, "degrees");
        if limits.iter().any(|limit| limit.abs() > MOST_DEGREES) {
            report.add(&path, "has more than a million turns; leave limits out");
        }
    }
    if let Some(motor) = &hinge.motor {
        check_motor(report, &format!("{path}.motor"), motor);
    }
}

/// Checks what acts along the line of a guide.
pub(super) fn guide(report: &mut Report, path: &str, guide: &Guide) {
    check_line(report, path, guide.limits, guide.motor.as_ref());
}

/// Checks what acts in a cylinder: something does, and its limits leave it a length.
pub(super) fn cylinder(report: &mut Report, path: &str, cylinder: &Cylinder) {
    let Cylinder {
        limits,
        motor,
        brake,
        spring,
        ..
    } = cylinder;
    check_line(report, path, *limits, motor.as_ref());

    let acts = [
        limits.is_some(),
        motor.is_some(),
        brake.is_some(),
        spring.is_some(),
    ];
    if acts == [false; 4] {
        let message = "does nothing; give it a motor, a brake, a spring or limits, or use a rod";
        report.add(path, message);
    }

    let [a, b] = cylinder.ends.map(Vec2::from);
    let length = (b - a).norm();
    if let Some([least, _]) = *limits
        && least <= -length
    {
        let message = format!(
            "lets the cylinder become {} m shorter, but it is {} m long at the start; raise the first limit \
             above -{}",
            short(-least),
            short(length),
            short(length)
        );
        report.add(&format!("{path}.limits"), message);
    }
}

/// Checks what acts along a line: limits (m) and a motor.
fn check_line(report: &mut Report, path: &str, limits: Option<[f64; 2]>, motor: Option<&Thrust>) {
    if let Some(limits) = limits {
        check_limits(report, &format!("{path}.limits"), limits, "m");
    }
    if let Some(motor) = motor {
        check_thrust(report, &format!("{path}.motor"), motor);
    }
}

/// Checks the limits and the motor of a wheel.
pub(super) fn wheel(report: &mut Report, path: &str, wheel: &Wheel) {
    if let Some(limits) = wheel.limits {
        check_limits(report, &format!("{path}.limits"), limits, "m");
    }
    if let Some(motor) = &wheel.motor {
        check_motor(report, &format!("{path}.motor"), motor);
    }
}

/// Checks that limits are around the start, which is 0.
fn check_limits(report: &mut Report, path: &str, [least, most]: [f64; 2], unit: &str) {
    if !report.ranges(path) {
        return;
    }
    if least >= most {
        let message = format!("is [{least}, {most}] {unit}, but the first must be the smaller one");
        return report.add(path, message);
    }

    // The start is 0, which a positive lower or a negative upper limit leaves out.
    for (limit, beyond) in [(least, least), (most, -most)] {
        if beyond >= 0.0 {
            let message = format!(
                "has the limit {limit} {unit}, so that the joint starts {beyond} {unit} beyond it: \
                 it counts from the start, which is 0; widen it, or start the bodies elsewhere"
            );
            report.add(path, message);
        }
    }
}

/// Keys of a motor, as its checks need them.
struct Aims<'a> {
    /// Key and value of the speed.
    speed: (&'static str, Option<&'a Varying>),
    /// Key and value of the place.
    place: (&'static str, Option<&'a Varying>),
    /// True if it has a stiffness.
    is_stiff: bool,
    /// True if it has a damping.
    is_damped: bool,
}

/// Checks a motor of an angle.
fn check_motor(report: &mut Report, path: &str, motor: &Motor) {
    let aims = Aims {
        speed: ("speed_deg", motor.speed_deg.as_ref()),
        place: ("angle_deg", motor.angle_deg.as_ref()),
        is_stiff: motor.stiffness.is_some(),
        is_damped: motor.damping > 0.0,
    };
    check_aims(report, path, &aims);
}

/// Checks a motor along a line.
fn check_thrust(report: &mut Report, path: &str, motor: &Thrust) {
    let aims = Aims {
        speed: ("speed", motor.speed.as_ref()),
        place: ("place", motor.place.as_ref()),
        is_stiff: motor.stiffness.is_some(),
        is_damped: motor.damping > 0.0,
    };
    check_aims(report, path, &aims);
}

/// Checks that a motor has exactly one aim, or a servo the aims of its stiffness and damping, and that
/// they are numbers.
fn check_aims(report: &mut Report, path: &str, aims: &Aims) {
    let (speed, place) = (aims.speed.0, aims.place.0);
    let given = [aims.speed.1.is_some(), aims.place.1.is_some()];
    match (given, aims.is_stiff, aims.is_damped) {
        ([_, false], true, _) => {
            let message = format!("has a stiffness without a place to drive to; add {place}");
            report.add(path, message);
        }
        ([_, true], false, true) => {
            let message = format!(
                "has damping and {place}, but no stiffness; add stiffness, or replace {place} by {speed}"
            );
            report.add(path, message);
        }
        ([true, true], true, false) => {
            let message =
                format!("has {speed}, which only damping follows; add damping, or remove it");
            report.add(path, message);
        }
        ([true, true], false, false) => {
            let message = format!(
                "has both {speed} and {place}; remove one of them, or add stiffness and damping for a servo"
            );
            report.add(path, message);
        }
        ([false, false], false, _) => {
            report.add(path, format!("has no aim; add {speed} or {place}"));
        }
        _ => {}
    }

    for (key, aim) in [aims.speed, aims.place] {
        if let Some(aim) = aim {
            check_varying(report, &format!("{path}.{key}"), aim, false);
        }
    }
}

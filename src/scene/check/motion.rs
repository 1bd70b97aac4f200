//! Checks of obstacles and of scripted motion.

use super::report::Report;
use super::shape;
use crate::math::Vec2;
use crate::scene::schema::{Body, Interpolation, Keyframe, Obstacle, Script, Shape};

/// Checks the shape, the place and the motion of an obstacle.
pub(super) fn check_obstacle(report: &mut Report, path: &str, obstacle: &Obstacle) {
    shape::check(report, &format!("{path}.shape"), &obstacle.shape);
    report.vector(&format!("{path}.position"), obstacle.position);
    report.finite(&format!("{path}.rotation_deg"), obstacle.rotation_deg);
    let start = match &obstacle.shape {
        Shape::HalfPlane(plane) => {
            check_half_plane(report, path, obstacle);
            (plane.origin, 0.0)
        }
        _ => (obstacle.position, obstacle.rotation_deg),
    };
    check_motion(report, path, &obstacle.script(), start);
}

/// Checks that a half-plane is placed by its own origin and normal only.
fn check_half_plane(report: &mut Report, path: &str, obstacle: &Obstacle) {
    if Vec2::from(obstacle.position) != Vec2::zeros() {
        report.add(
            &format!("{path}.position"),
            "a half-plane has an origin of its own; use shape.half_plane.origin",
        );
    }
    if obstacle.rotation_deg != 0.0 {
        let message = "a half-plane has a direction of its own; use shape.half_plane.normal";
        report.add(&format!("{path}.rotation_deg"), message);
    }
}

/// Checks the script of a rigid body.
pub(super) fn check_script(report: &mut Report, path: &str, script: &Script, body: &Body) {
    check_motion(report, path, script, (body.position, body.rotation_deg));
    if let Some(until) = script.until {
        report.positive(&format!("{path}.until"), until, " s");
    }
}

/// Checks a velocity and the distance after which it ends.
pub(super) fn check_travel(
    report: &mut Report,
    path: &str,
    velocity: [f64; 2],
    travel: Option<f64>,
) {
    report.vector(&format!("{path}.velocity"), velocity);
    if let Some(travel) = travel {
        report.not_negative(&format!("{path}.travel"), travel, " m");
    }
}

/// Position (m) and rotation (degrees) at the start.
type Start = ([f64; 2], f64);

/// Checks motion at constant velocity, or from keyframe to keyframe.
fn check_motion(report: &mut Report, path: &str, motion: &Script, start: Start) {
    check_travel(report, path, motion.velocity, motion.travel);
    report.finite(&format!("{path}.spin_deg"), motion.spin_deg);

    if motion.keyframes.is_empty() {
        if motion.interpolation != Interpolation::default() {
            report.add(
                &format!("{path}.interpolation"),
                "is for keyframes, but there are none; remove it",
            );
        }
    } else if Vec2::from(motion.velocity) != Vec2::zeros()
        || motion.spin_deg != 0.0
        || motion.travel.is_some()
    {
        let message = "give either keyframes or velocity, spin_deg and travel, not both";
        report.add(&format!("{path}.keyframes"), message);
    }

    check_keyframes(
        report,
        &format!("{path}.keyframes"),
        &motion.keyframes,
        start,
    );
}

/// Checks that keyframes follow each other and agree with the start.
fn check_keyframes(report: &mut Report, path: &str, keyframes: &[Keyframe], start: Start) {
    let mut before = None;
    for (k, keyframe) in keyframes.iter().enumerate() {
        let path = format!("{path}[{k}]");
        let Keyframe {
            time,
            position,
            rotation_deg,
        } = *keyframe;
        report.vector(&format!("{path}.position"), position);
        report.finite(&format!("{path}.rotation_deg"), rotation_deg);
        report.not_negative(&format!("{path}.time"), time, " s");
        if let Some(before) = before.filter(|&before| time <= before) {
            let message = format!(
                "is {time} s, but must be later than the {before} s of the keyframe before"
            );
            report.add(&format!("{path}.time"), message);
        }

        if time == 0.0 && (position, rotation_deg) != start {
            let (at, turned) = start;
            let message = format!(
                "is at {position:?} and turned by {rotation_deg} degrees at time 0, but the start is at {at:?} and \
                 turned by {turned}; make them equal, or leave this keyframe out"
            );
            report.add(&path, message);
        }
        before = Some(time);
    }
}

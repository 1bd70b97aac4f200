//! Checks of obstacles and of scripted motion.
//!
//! A script is one of two things: a constant velocity, which may stop after a distance, or a list
//! of keyframes. Both at once is an error, and so are keyframes out of order. A keyframe at time 0
//! must agree with the place in the scene, which says the same thing once more.
//!
//! Obstacles carry the keys of a script themselves. A half-plane is placed by its own origin and
//! normal, and position and rotation of the obstacle must be left out.

use super::report::Report;
use super::shape;
use crate::schema::{Interpolation, Keyframe, Obstacle, Script, Shape};
use ipcsim_math::Vec2;

/// Place of an object at the start, from which its script begins.
#[derive(Clone, Copy)]
pub(super) struct Start {
    /// Position of the shape's origin (m).
    pub position: [f64; 2],
    /// Rotation about that origin, counter-clockwise (degrees).
    pub rotation_deg: f64,
}

/// Checks the shape, the place and the motion of an obstacle.
///
/// Any shape is good for an obstacle if it is sound by itself. Its motion begins at its place; that
/// of a half-plane at the origin of the half-plane, without rotation.
pub(super) fn check_obstacle(report: &mut Report, path: &str, obstacle: &Obstacle) {
    report.ranges(path);
    let place = (obstacle.position, obstacle.rotation_deg);
    shape::check_placed(report, &format!("{path}.shape"), &obstacle.shape, place);

    let start = match &obstacle.shape {
        Shape::HalfPlane(plane) => {
            check_half_plane(report, path, obstacle);
            Start {
                position: plane.origin,
                rotation_deg: 0.0,
            }
        }
        _ => Start {
            position: obstacle.position,
            rotation_deg: obstacle.rotation_deg,
        },
    };
    check_motion(report, path, &obstacle.script(), start);
}

/// Checks that a half-plane is placed by its own origin and normal only.
///
/// Two ways to say the same would leave open how they combine.
fn check_half_plane(report: &mut Report, path: &str, obstacle: &Obstacle) {
    if Vec2::from(obstacle.position) != Vec2::zeros() {
        let message = "a half-plane has an origin of its own; use shape.half_plane.origin";
        report.add(&format!("{path}.position"), message);
    }
    if obstacle.rotation_deg != 0.0 {
        let message = "a half-plane has no rotation; use shape.half_plane.angle_deg";
        report.add(&format!("{path}.rotation_deg"), message);
    }
}

/// Checks motion at constant velocity, or from keyframe to keyframe, that begins at `start`.
///
/// `path` is that of the object with the keys of the script: the script itself, or an obstacle.
pub(super) fn check_motion(report: &mut Report, path: &str, motion: &Script, start: Start) {
    // Either a velocity or keyframes.
    let path_of_keyframes = format!("{path}.keyframes");
    if motion.keyframes.is_empty() {
        if motion.interpolation != Interpolation::default() {
            let message = "is for keyframes, but there are none; remove it";
            report.add(&format!("{path}.interpolation"), message);
        }
    } else if Vec2::from(motion.velocity) != Vec2::zeros()
        || motion.spin_deg != 0.0
        || motion.travel.is_some()
    {
        let message = "give either keyframes or velocity, spin_deg and travel, not both";
        report.add(&path_of_keyframes, message);
    }

    check_keyframes(report, &path_of_keyframes, &motion.keyframes, start);
}

/// Checks that keyframes follow each other and agree with the start.
///
/// Each keyframe is compared with the one before it, so that a single time out of order is one
/// error. A keyframe at time 0 may repeat the start exactly; it is compared without a tolerance.
fn check_keyframes(report: &mut Report, path: &str, keyframes: &[Keyframe], start: Start) {
    let mut before = None;
    for (k, keyframe) in keyframes.iter().enumerate() {
        let path = format!("{path}[{k}]");
        let Keyframe {
            time,
            position,
            rotation_deg,
        } = *keyframe;

        // Times increase.
        if let Some(before) = before.filter(|&before| time <= before) {
            let message = format!(
                "is {time} s, but must be later than the {before} s of the keyframe before"
            );
            report.add(&format!("{path}.time"), message);
        }

        // A keyframe at the start repeats the place in the scene.
        let is_at_start = (position, rotation_deg) == (start.position, start.rotation_deg);
        if time == 0.0 && !is_at_start {
            let message = format!(
                "is at {position:?} and turned by {rotation_deg} degrees at time 0, but the \
                 start is at {:?} and turned by {}; make them equal, or leave this keyframe out",
                start.position, start.rotation_deg
            );
            report.add(&path, message);
        }
        before = Some(time);
    }
}

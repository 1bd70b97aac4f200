//! Checks of joints.
//!
//! A joint needs two different rigid things with an orientation, and at least one must be a body
//! that can move. Names are those of bodies, their copies and obstacles. Each reason against a part
//! is a message of its own, with a way out.

use super::report::Report;
use crate::math::Vec2;
use crate::scene::schema::{Body, Joint, Kind, Scene, Shape};

/// Part of a joint that a name stands for, with what decides whether a joint can hold it.
enum Part<'a> {
    /// A body of this kind.
    Body(&'a Kind, &'a Shape),
    /// An obstacle of this shape.
    Obstacle(&'a Shape),
}

/// Checks position and bodies of all joints of a scene.
pub(super) fn check(report: &mut Report, scene: &Scene) {
    for (k, joint) in scene.joints.iter().enumerate() {
        let path = match joint {
            Joint::Hinge(hinge) => {
                let path = format!("joints[{k}].hinge");
                report.vector(&format!("{path}.at"), hinge.at);
                path
            }
            Joint::Rod(rod) => {
                let path = format!("joints[{k}].rod");
                check_ends(report, &format!("{path}.ends"), rod.ends);
                path
            }
        };
        check_bodies(report, &format!("{path}.bodies"), joint.bodies(), scene);
    }
}

/// Checks that a rod has a length.
fn check_ends(report: &mut Report, path: &str, ends: [[f64; 2]; 2]) {
    for (k, end) in ends.into_iter().enumerate() {
        report.vector(&format!("{path}[{k}]"), end);
    }
    if Vec2::from(ends[0]) == Vec2::from(ends[1]) {
        report.add(path, "are one point; use a hinge");
    }
}

/// Checks that a joint names two different things that a joint can hold, and that one can move.
fn check_bodies(report: &mut Report, path: &str, names: &[String; 2], scene: &Scene) {
    let [first, second] = names;
    if first == second {
        let message = format!("names \"{first}\" twice; name two bodies, or one and an obstacle");
        return report.add(path, message);
    }

    let mut obstacles = 0;
    for name in names {
        let Some(part) = part(name, scene) else {
            let known: Vec<String> = all_names(scene).collect();
            let known = known.iter().map(String::as_str);
            report.no_such(path, "body or obstacle", name, known);
            continue;
        };
        obstacles += usize::from(matches!(part, Part::Obstacle(_)));
        if let Some(reason) = unfit(&part) {
            report.add(path, format!("\"{name}\" {reason}"));
        }
    }

    // Nothing would move.
    if obstacles == 2 {
        let message = "names two obstacles, which no force moves; name a body";
        report.add(path, message);
    }
}

/// The body or obstacle of a name, copies included; `None` if there is none.
fn part<'a>(name: &str, scene: &'a Scene) -> Option<Part<'a>> {
    let mut bodies = scene.bodies.iter();
    if let Some(body) = bodies.find(|body| body.names().any(|own| own == name)) {
        return Some(Part::Body(&body.kind, &body.shape));
    }
    let mut obstacles = scene.obstacles.iter();
    let obstacle = obstacles.find(|obstacle| obstacle.name == name)?;
    Some(Part::Obstacle(&obstacle.shape))
}

/// Names of all bodies, copies included, and obstacles.
pub(super) fn all_names(scene: &Scene) -> impl Iterator<Item = String> {
    let bodies = scene.bodies.iter().flat_map(Body::names);
    let obstacles = scene.obstacles.iter().map(|obstacle| obstacle.name.clone());
    bodies.chain(obstacles)
}

/// Reason why a joint cannot hold something; `None` if it can.
fn unfit(part: &Part) -> Option<&'static str> {
    match part {
        Part::Body(kind, _) if **kind != Kind::Rigid => {
            Some("is not rigid; a joint joins rigid bodies and obstacles")
        }
        Part::Body(_, Shape::Point(_)) | Part::Obstacle(Shape::Point(_)) => {
            Some("is a point, which has no orientation; use a small circle")
        }
        Part::Obstacle(Shape::HalfPlane(_)) => {
            Some("is a half-plane; join the body to an obstacle with an outline")
        }
        _ => None,
    }
}

//! Checks of joints.

use super::report::Report;
use crate::scene::schema::{Hinge, Joint, Kind, Scene, Shape};

/// Part of a joint that a name stands for.
enum Part<'a> {
    /// A body of this kind.
    Body(&'a Kind, &'a Shape),
    /// An obstacle of this shape.
    Obstacle(&'a Shape),
}

/// Checks the joints of a scene.
pub(super) fn check(report: &mut Report, scene: &Scene) {
    for (k, joint) in scene.joints.iter().enumerate() {
        let Joint::Hinge(Hinge { bodies, at, .. }) = joint;
        let path = format!("joints[{k}].hinge");
        report.vector(&format!("{path}.at"), *at);
        check_bodies(report, &format!("{path}.bodies"), bodies, scene);
    }
}

/// Checks that a joint names two different things that a joint can hold, of which one can move.
fn check_bodies(report: &mut Report, path: &str, names: &[String; 2], scene: &Scene) {
    if names[0] == names[1] {
        let message = format!(
            "names \"{}\" twice; name two bodies, or one and an obstacle",
            names[0]
        );
        report.add(path, message);
        return;
    }

    let mut obstacles = 0;
    for name in names {
        match part(name, scene) {
            None => {
                let known: Vec<String> = all_names(scene).collect();
                report.no_such(
                    path,
                    "body or obstacle",
                    name,
                    known.iter().map(String::as_str),
                );
            }
            Some(part) => {
                obstacles += usize::from(matches!(part, Part::Obstacle(_)));
                if let Some(reason) = unfit(&part) {
                    report.add(path, format!("\"{name}\" {reason}"));
                }
            }
        }
    }
    if obstacles == 2 {
        report.add(
            path,
            "names two obstacles, which no force moves; name a body",
        );
    }
}

/// The body or obstacle of a name, copies included.
fn part<'a>(name: &str, scene: &'a Scene) -> Option<Part<'a>> {
    let body = scene
        .bodies
        .iter()
        .find(|body| body.names().any(|own| own == name));
    let obstacle = scene
        .obstacles
        .iter()
        .find(|obstacle| obstacle.name == name);
    body.map(|body| Part::Body(&body.kind, &body.shape))
        .or_else(|| obstacle.map(|obstacle| Part::Obstacle(&obstacle.shape)))
}

/// Names of all bodies, copies included, and obstacles.
fn all_names(scene: &Scene) -> impl Iterator<Item = String> {
    let bodies = scene.bodies.iter().flat_map(|body| body.names());
    let obstacles = scene.obstacles.iter().map(|obstacle| obstacle.name.clone());
    bodies.chain(obstacles)
}

/// Reason why a joint cannot hold something.
fn unfit(part: &Part) -> Option<&'static str> {
    match part {
        Part::Body(kind, _) if **kind != Kind::Rigid => {
            Some("is not rigid; a hinge joins rigid bodies and obstacles")
        }
        Part::Body(_, Shape::Point(_)) | Part::Obstacle(Shape::Point(_)) => {
            Some("is a point, which has no orientation; use a small circle")
        }
        Part::Obstacle(Shape::HalfPlane(_)) => {
            Some("is a half-plane; hinge the body to an obstacle with an outline")
        }
        _ => None,
    }
}

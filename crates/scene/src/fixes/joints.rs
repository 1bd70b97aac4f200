//! Repairs of joints that do not fit at the start.
//!
//! A rope that is too short becomes as long as the distance of its ends. A hinge or a weld whose
//! points are apart is closed by moving one of its bodies, unless something else says where that
//! body is.

use super::movable::may_move;
use crate::error::SceneError;
use crate::locate::with_value;
use crate::schema::{Body, Joint, Scene};
use crate::source::Source;
use ipcsim_math::Vec2;

/// Makes ropes as long as the distance of their ends that are shorter; returns descriptions of the
/// changes.
///
/// # Errors
/// [`SceneError`] if the text is not a scene.
pub(super) fn lengthen(source: &mut Source) -> Result<Vec<String>, SceneError> {
    let scene = source.scene()?;
    let mut changes = Vec::new();
    for (k, joint) in scene.joints.iter().enumerate() {
        let Joint::Rope(rope) = joint else { continue };
        let [a, b] = rope.ends.map(Vec2::from);
        let distance = (a - b).norm();
        let Some(given) = rope.length.filter(|length| *length < distance) else {
            continue;
        };

        let path = format!("joints[{k}].rope.length");
        source.text = with_value(&source.text, &path, &format!("{distance}"));
        changes.push(format!("{path}: made {distance} m, which was {given} m"));
    }
    Ok(changes)
}

/// Moves bodies so that hinges and welds whose points are apart are closed; returns descriptions of
/// the changes.
///
/// The second body moves, or the first one if the second cannot: a body that has a script, a held
/// coordinate, a load at a place, another joint or copies stays where it is.
///
/// # Errors
/// [`SceneError`] if the text is not a scene.
pub(super) fn close(source: &mut Source) -> Result<Vec<String>, SceneError> {
    let scene = source.scene()?;
    let mut changes = Vec::new();
    for (k, joint) in scene.joints.iter().enumerate() {
        let Some([first, second]) = joint.apart() else {
            continue;
        };

        let way = Vec2::from(first) - Vec2::from(second);
        let movers = [(1, way, first), (0, -way, second)];
        let found = movers.into_iter().find_map(|(side, way, met)| {
            let body = mover(&scene, &joint.bodies()[side])?;
            Some((body, way, met))
        });
        let Some((body, way, [x, y])) = found else {
            continue;
        };

        // Both points are where the one that stays is.
        let Body { name, position, .. } = &scene.bodies[body];
        let moved = Vec2::from(*position) + way;
        let path = format!("bodies[{body}].position");
        let text = format!("[{}, {}]", moved.x, moved.y);
        source.text = with_value(&source.text, &path, &text);

        let kind = joint.common().kind;
        for key in ["at", "second_at"] {
            let path = format!("joints[{k}].{kind}.{key}");
            source.text = with_value(&source.text, &path, &format!("[{x}, {y}]"));
        }
        changes.push(format!(
            "{path}: moved \"{name}\" from {position:?} to [{}, {}] m, so that the {} is closed",
            moved.x,
            moved.y,
            joint.label()
        ));
    }
    Ok(changes)
}

/// Number of the body of this name, if nothing but one joint says where it is.
fn mover(scene: &Scene, name: &str) -> Option<usize> {
    let number = scene.bodies.iter().position(|body| body.name == name)?;
    let body = &scene.bodies[number];
    let holds = |joint: &&Joint| joint.bodies().iter().any(|own| own == name);
    let is_free =
        may_move(body, scene) && !body.is_many() && scene.joints.iter().filter(holds).count() == 1;
    is_free.then_some(number)
}

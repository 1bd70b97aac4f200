//! Bodies that repairs may move.

use crate::schema::{Axis, Body, Joint, Scene};

/// True if nothing in the scene fixes where a body starts, such as a load at a place. A fixed angle
/// does not.
pub(super) fn may_move(body: &Body, scene: &Scene) -> bool {
    let mut placed = scene
        .loads
        .iter()
        .filter(|load| load.at.is_some() || load.on.is_some());
    if placed.any(|load| body.names().any(|name| name == load.body)) {
        return false;
    }

    let is_held = body.fixed.iter().any(|axis| *axis != Axis::Angle) || body.rest_on.is_some();
    let has_places = !body.prescribed.is_empty() || !body.selections.is_empty();
    body.script.is_none() && !has_places && !is_held
}

/// True if a body may be moved and turned with the places of joints, loads and probes on it: nothing else
/// of the scene has a place on it, and nothing holds it.
pub(super) fn may_turn(body: &Body, scene: &Scene) -> bool {
    let glued =
        |joint: &Joint| matches!(joint, Joint::Attach(_)) && joint.bodies().contains(&body.name);
    let selects = !body.prescribed.is_empty() || !body.selections.is_empty();
    let mut loads = scene.loads.iter().filter(|load| load.on.is_some());
    let is_held = body.fixed.iter().any(|axis| *axis != Axis::Angle) || body.script.is_some();
    !is_held
        && !selects
        && !body.is_many()
        && body.regions.is_empty()
        && body.rest_on.is_none()
        && !loads.any(|load| load.body == body.name)
        && !scene.joints.iter().any(glued)
}

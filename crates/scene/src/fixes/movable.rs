//! Bodies that repairs may move.

use crate::schema::{Axis, Body, Scene};

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

    let is_held = body.fixed.iter().any(|axis| *axis != Axis::Angle);
    let has_places = !body.prescribed.is_empty() || !body.selections.is_empty();
    body.script.is_none() && !has_places && !is_held
}

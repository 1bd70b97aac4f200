//! Checks of bodies that are put on others at the start.

use super::names::all_names;
use super::report::Report;
use crate::schema::{Body, Scene};
use ipcsim_math::Vec2;

/// Checks what a body rests on.
pub(super) fn check(report: &mut Report, path: &str, body: &Body, scene: &Scene) {
    let Some(rest) = &body.rest_on else { return };
    let path = format!("{path}.rest_on");
    let names: Vec<String> = all_names(scene).collect();
    if body.names().any(|name| name == rest.body) {
        report.add(
            &format!("{path}.body"),
            "is the body itself; name something below it",
        );
    } else if !names.contains(&rest.body) {
        let known = names.iter().map(String::as_str);
        report.no_such(
            &format!("{path}.body"),
            "body or obstacle",
            &rest.body,
            known,
        );
    }
    if Vec2::from(body.stretch) != Vec2::repeat(1.0) {
        let message = "does not know the shape of a stretched body; give it a position instead";
        report.add(&path, message);
    }
    if body.script.is_some() {
        let message =
            "has no meaning with a script, which says where the body is; remove one of them";
        report.add(&path, message);
    }
}

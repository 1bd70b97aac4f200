//! Checks of changes between steps: that what they set exists, can be set, and has a value.

use super::axisymmetric;
use super::friction::check_numbers;
use super::joint_drive;
use super::names::all_names;
use super::report::Report;
use crate::kind::Freedom;
use crate::schema::{Body, BodyForce, Hand, Parameter, Prescribed, Scene, Shape, Shift};

/// Checks all changes of a scene.
pub(super) fn check(report: &mut Report, scene: &Scene) {
    for (k, change) in scene.changes.iter().enumerate() {
        check_parameter(report, &format!("changes[{k}].set"), &change.set, scene);
    }
}

/// Checks what a change at `path` sets.
pub(crate) fn check_parameter(
    report: &mut Report,
    path: &str,
    parameter: &Parameter,
    scene: &Scene,
) {
    axisymmetric::check_parameter(report, path, parameter, scene);
    match parameter {
        Parameter::Gravity(_) => {}
        Parameter::Force(force) => check_force(report, &format!("{path}.force"), force, scene),
        Parameter::Load(load) => {
            let path = format!("{path}.load");
            let loads = scene.loads.iter().enumerate();
            let known: Vec<String> = loads.map(|(k, load)| load.label(k)).collect();
            if known.is_empty() {
                report.add(
                    &format!("{path}.name"),
                    "the scene has no load; add it to `loads`",
                );
            } else if !known.contains(&load.name) {
                let known = known.iter().map(String::as_str);
                report.no_such(&format!("{path}.name"), "load", &load.name, known);
            }
        }
        Parameter::Friction(pair) => {
            let path = format!("{path}.friction");
            for (k, name) in pair.between.iter().enumerate() {
                is_known(report, &format!("{path}.between[{k}]"), name, scene);
            }
            check_numbers(report, &path, pair);
        }
        Parameter::Joint(drive) => {
            joint_drive::check(report, &format!("{path}.joint"), drive, scene);
        }
        Parameter::Target(shift) => check_target(report, &format!("{path}.target"), shift, scene),
        Parameter::Hand(hand) => check_hand(report, &format!("{path}.hand"), hand, scene),
    }
    report.ranges(path);
}

/// True if a body, all its copies, a copy or an obstacle has this name; adds a problem if none has.
fn is_known(report: &mut Report, path: &str, name: &str, scene: &Scene) -> bool {
    let is_body = scene.bodies.iter().any(|body| body.name == name);
    let is_obstacle = scene.obstacles.iter().any(|own| own.name == name);
    if is_body || is_obstacle || all_names(scene).any(|known| known == name) {
        return true;
    }

    let known: Vec<String> = all_names(scene).collect();
    report.no_such(
        path,
        "body or obstacle",
        name,
        known.iter().map(String::as_str),
    );
    false
}

/// The body of a name, also of a copy or of all its copies; `None` for an obstacle.
fn body<'a>(name: &str, scene: &'a Scene) -> Option<&'a Body> {
    let is_named = |body: &&Body| body.name == name || body.names().any(|own| own == name);
    scene.bodies.iter().find(is_named)
}

/// Checks a force on a body.
fn check_force(report: &mut Report, path: &str, force: &BodyForce, scene: &Scene) {
    let name = &force.body;
    let path = format!("{path}.body");
    if !is_known(report, &path, name, scene) {
        return;
    }

    match body(name, scene) {
        None => {
            let message = format!("\"{name}\" is an obstacle, which no force moves");
            report.add(&path, message);
        }
        Some(body) if matches!(body.kind.rules().freedom(), Freedom::Fields(_)) => {
            let message = format!(
                "\"{name}\" has a reduced basis, for which the scene gives the force; use a load"
            );
            report.add(&path, message);
        }
        Some(_) => {}
    }
}

/// Checks a displacement beside a script.
fn check_target(report: &mut Report, path: &str, shift: &Shift, scene: &Scene) {
    let name = &shift.body;
    if !is_known(report, &format!("{path}.body"), name, scene) {
        return;
    }

    // What is prescribed from the start, and whether it turns.
    let mut obstacles = scene.obstacles.iter();
    let (is_prescribed, turns) = if let Some(body) = body(name, scene) {
        // An entry that begins later does not hold its vertices yet.
        let from_the_start = |entry: &Prescribed| entry.from.is_none();
        let is_scripted = body.script.is_some();
        (
            is_scripted || body.prescribed.iter().any(from_the_start),
            is_scripted && body.kind.rules().freedom() == Freedom::Whole,
        )
    } else {
        let obstacle = obstacles.find(|obstacle| &obstacle.name == name);
        let is_plane = |shape: &Shape| matches!(shape, Shape::HalfPlane(_));
        (true, obstacle.is_some_and(|own| !is_plane(&own.shape)))
    };
    if !is_prescribed {
        let message = format!(
            "nothing prescribes \"{name}\" from the start; give it a script or prescribed vertices"
        );
        report.add(&format!("{path}.body"), message);
    } else if shift.turn_deg != 0.0 && !turns {
        let message = format!("\"{name}\" has no angle that a script turns; use `by`");
        report.add(&format!("{path}.turn_deg"), message);
    }
}

/// Checks a hand.
fn check_hand(report: &mut Report, path: &str, hand: &Hand, scene: &Scene) {
    let Some(name) = &hand.body else {
        if hand.stiffness > 0.0 {
            report.add(
                path,
                "has a stiffness and no `body` that it holds; name one, or leave both out to let go",
            );
        }
        return;
    };

    let path = format!("{path}.body");
    if !is_known(report, &path, name, scene) {
        return;
    }

    // Bodies that move, one at a time.
    match body(name, scene) {
        None => {
            let message = format!("\"{name}\" is an obstacle, which no hand moves; use `target`");
            report.add(&path, message);
        }
        Some(body) if body.copies.is_some() && body.name == *name => {
            let message =
                format!("\"{name}\" has copies; name the one to hold, such as \"{name} 1\"");
            report.add(&path, message);
        }
        Some(_) => {}
    }
}

//! Checks of ties: terms that exist, and values that begin at 0.
//!
//! Whether equations repeat or contradict each other is found out once bodies are built, and so is
//! whether terms with several vertices match.
//!
//! Vertices of rigid, affine and reduced bodies are refused: their displacements depend on each other, so
//! that an equation between them would be one between coordinates of a body.

use super::load::check_varying;
use super::report::Report;
use super::selection;
use crate::kind::Freedom;
use crate::schema::{Axis, Body, EnergyTarget, Scene, Tie, Varying};
use ipcsim_core::constraint;
use ipcsim_math::Vec2;
use std::collections::BTreeSet;

/// Largest number of ties of a scene.
const MOST: usize = 1000;

/// Checks all ties of a scene.
///
/// Options that do not know joints are refused once, for all ties.
pub(super) fn check(report: &mut Report, scene: &Scene) {
    if scene.ties.is_empty() {
        return;
    }
    if scene.ties.len() > MOST {
        let message = format!(
            "are {} ties, but at most {MOST} are allowed",
            scene.ties.len()
        );
        report.add("ties", message);
    }
    let absent = [
        (scene.time.arc_length.is_some(), "time.arc_length"),
        (scene.time.energy == EnergyTarget::Kept, "time.energy"),
    ];
    for (is_there, key) in absent {
        if is_there {
            let message =
                format!("are equations that \"{key}\" does not know; leave one of both out");
            report.add("ties", message);
        }
    }

    // Each tie by itself.
    let mut names = BTreeSet::new();
    for (k, tie) in scene.ties.iter().enumerate() {
        let path = format!("ties[{k}]");
        report.ranges(&path);
        if let Some(name) = &tie.name
            && !names.insert(name)
        {
            let message = format!("\"{name}\" is used twice; names must be unique");
            report.add(&format!("{path}.name"), message);
        }
        check_terms(report, &path, tie, scene);
        check_value(report, &format!("{path}.equals"), &tie.equals);
    }
}

/// Checks that terms name vertices of one or two bodies.
///
/// The limit of two is that of joints, whose forces tables have by pairs of bodies.
fn check_terms(report: &mut Report, path: &str, tie: &Tie, scene: &Scene) {
    let most = constraint::Tie::MOST;
    let count = tie.terms.len();
    if count == 0 || count > most {
        let message = format!("are {count}, but a tie has from 1 to {most}");
        report.add(&format!("{path}.terms"), message);
    }
    let bodies = tie.bodies().len();
    if bodies > 2 {
        let message = format!("name {bodies} bodies, but a tie is between two at most");
        report.add(&format!("{path}.terms"), message);
    }

    for (k, term) in tie.terms.iter().enumerate() {
        let path = format!("{path}.terms[{k}]");
        let body = scene
            .bodies
            .iter()
            .find(|body| body.names().any(|own| own == term.body));
        let Some(body) = body else {
            let known: Vec<String> = scene.bodies.iter().flat_map(Body::names).collect();
            let known = known.iter().map(String::as_str);
            report.no_such(&format!("{path}.body"), "body", &term.body, known);
            continue;
        };
        if body.kind.rules().freedom() != Freedom::Vertices {
            let message = format!(
                "\"{}\" is {:?}, whose vertices do not move by themselves; tie a deformable body, or use a \
                 joint",
                term.body,
                body.kind.rules().name()
            );
            report.add(&format!("{path}.body"), message);
        }

        // Whether anything is selected shows in built meshes.
        selection::check(
            report,
            &format!("{path}.vertices"),
            &term.vertices,
            &body.selection_names(),
        );
        if term.axis == Axis::Angle {
            report.add(
                &format!("{path}.axis"),
                "a vertex has no angle; use \"x\" or \"y\"",
            );
        }
        if term.factor == 0.0 {
            let message = "is 0, so that the term has no effect; remove the term";
            report.add(&format!("{path}.factor"), message);
        }
    }
}

/// Checks that the value of a tie begins at 0.
///
/// At the start nothing has moved, and a value that jumps would ask for a motion without a path. A
/// number other than 0 is therefore a value that begins too late.
fn check_value(report: &mut Report, path: &str, value: &Varying) {
    check_varying(report, path, value, false);
    let Ok(number) = value.read() else { return };
    let first = number.at(Vec2::zeros(), 0.0);
    if !number.has_place() && first.abs() > 0.0 {
        let message = format!(
            "is {first} m at the start, but must begin at 0, where nothing has moved; give a table or a \
             formula of t"
        );
        report.add(path, message);
    }
}

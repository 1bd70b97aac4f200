//! Checks of names: their length, and characters that are no part of a name.
//!
//! Names stand in pictures, tables and messages. A very long one would take more time and memory
//! there than the simulation, and a control character could move the cursor of a terminal.

use super::report::Report;
use crate::schema::Scene;

/// Largest number of characters of a name.
const LONGEST: usize = 200;

/// Checks all names that a scene gives.
pub(super) fn check(report: &mut Report, scene: &Scene) {
    if let Some(name) = &scene.name {
        check_name(report, "name", name);
    }
    for name in scene.materials.keys() {
        check_name(report, "materials", name);
    }

    for (k, body) in scene.bodies.iter().enumerate() {
        let path = format!("bodies[{k}]");
        check_name(report, &format!("{path}.name"), &body.name);
        for name in body.group.iter().chain(body.selections.keys()) {
            check_name(report, &path, name);
        }
    }
    for (k, obstacle) in scene.obstacles.iter().enumerate() {
        let path = format!("obstacles[{k}].name");
        for name in obstacle.group.iter().chain([&obstacle.name]) {
            check_name(report, &path, name);
        }
    }
    for (k, load) in scene.loads.iter().enumerate() {
        if let Some(name) = &load.name {
            check_name(report, &format!("loads[{k}].name"), name);
        }
    }

    for (k, chamber) in scene.chambers.iter().enumerate() {
        check_name(report, &format!("chambers[{k}].name"), &chamber.name);
    }

    let output = &scene.output;
    for (k, probe) in output.probes.iter().enumerate() {
        check_name(report, &format!("output.probes[{k}].name"), &probe.name);
    }
    for (k, section) in output.sections.iter().enumerate() {
        check_name(report, &format!("output.sections[{k}].name"), &section.name);
    }
}

/// Checks a name that is at the JSON path `path`, or is a key there.
fn check_name(report: &mut Report, path: &str, name: &str) {
    let count = name.chars().count();
    if count > LONGEST {
        // The whole name would fill the message.
        let start: String = name.chars().take(20).collect();
        let message = format!(
            "the name \"{start}...\" has {count} characters; at most {LONGEST} are allowed"
        );
        report.add(path, message);
    }

    if let Some((c, number)) = name.chars().zip(1..).find(|(c, _)| is_hidden(*c)) {
        let message = format!(
            "character {number} of the name is {}, which cannot be seen; remove it",
            c.escape_unicode()
        );
        report.add(path, message);
    }
}

/// True for characters that command a terminal, begin a line or turn the direction of writing.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

//! Checks of the names of measures. What they measure is checked in the world of the scene.

use super::report::Report;
use crate::schema::Scene;
use ipcsim_core::quantities::of_scene;
use std::collections::BTreeSet;

/// Names that mean something else in conditions and tables.
const TAKEN: [&str; 13] = [
    "t", "x", "y", "e", "pi", "rest", "and", "run", "step", "time", "status", "reason", "message",
];

/// Checks the names and numbers of all measures.
pub(super) fn check(report: &mut Report, scene: &Scene) {
    let mut names = BTreeSet::new();
    for (k, own) in scene.measure.iter().enumerate() {
        let path = format!("measure[{k}]");
        report.ranges(&path);
        let path = format!("{path}.name");
        let name = own.name.as_str();
        let starts = name.starts_with(|c: char| c.is_ascii_alphabetic());
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if !starts || !name.chars().all(is_word) {
            let message = format!(
                "\"{name}\" must be a word of letters, digits and _ that begins with a letter, so that \
                 conditions can name it"
            );
            report.add(&path, message);
        } else if TAKEN.contains(&name) || of_scene(name).is_some() {
            let message = format!(
                "\"{name}\" is a name of conditions or tables already; take another, such as {name}_1"
            );
            report.add(&path, message);
        } else if !names.insert(name) {
            report.add(
                &path,
                format!("\"{name}\" is used twice; names must be unique"),
            );
        }
    }
}

//! Checks of the files and frames that a run writes.

use super::report::Report;
use crate::schema::{Bounds, Output, Probe, Scene, Section};
use ipcsim_core::fields;
use ipcsim_math::Vec2;
use std::collections::BTreeSet;

/// Checks everything about the output of a scene.
pub(super) fn check(report: &mut Report, scene: &Scene) {
    let output = &scene.output;
    for key in ["every", "frames_every", "width", "height", "vtu"] {
        report.ranges(&format!("output.{key}"));
    }
    check_view(report, output);
    if let Some(vtu) = &output.vtu {
        for (k, key) in vtu.fields.iter().enumerate() {
            check_field(report, &format!("output.vtu.fields[{k}]"), key);
        }
    }

    // Probes and sections name rows.
    let mut names = BTreeSet::new();
    for (k, probe) in output.probes.iter().enumerate() {
        let path = format!("output.probes[{k}]");
        check_name(report, &path, &probe.name, &mut names);
        check_body(report, &path, &probe.body, scene);
        check_probe(report, &path, probe);
    }

    let mut names = BTreeSet::new();
    for (k, section) in output.sections.iter().enumerate() {
        let path = format!("output.sections[{k}]");
        check_name(report, &path, &section.name, &mut names);
        check_body(report, &path, &section.body, scene);
        check_section(report, &path, section);
    }
}

/// Checks that the area that frames show has a width and a height.
fn check_view(report: &mut Report, output: &Output) {
    if let Some(view) = output.view {
        let Bounds { min, max } = view;
        if !(min[0] < max[0] && min[1] < max[1]) {
            let message =
                format!("its min {min:?} must be to the left of and below its max {max:?}");
            report.add("output.view", message);
        }
    }
}

/// Checks that a field exists, and that a run knows it.
fn check_field(report: &mut Report, path: &str, key: &str) {
    const MEAN: &str = "mean_velocity";
    if key == MEAN {
        let message = "is for ipcsim export of runs without velocities; write \"velocity\"";
        report.add(path, message);
    } else if fields::by_key(key).is_none() {
        let known = fields::keys().filter(|key| *key != MEAN);
        report.no_such(path, "field", key, known);
    }
}

/// Checks that no row has the name of another one.
fn check_name<'a>(report: &mut Report, path: &str, name: &'a str, names: &mut BTreeSet<&'a str>) {
    if !names.insert(name) {
        let message = format!("\"{name}\" is used twice; names must be unique");
        report.add(&format!("{path}.name"), message);
    }
}

/// Checks that a body or obstacle of this name exists.
fn check_body(report: &mut Report, path: &str, name: &str, scene: &Scene) {
    let known: Vec<String> = super::names::all_names(scene).collect();
    if !known.iter().any(|other| other == name) {
        let known = known.iter().map(String::as_str);
        report.no_such(&format!("{path}.body"), "body or obstacle", name, known);
    }
}

/// Checks that a probe is either a place or vertices.
fn check_probe(report: &mut Report, path: &str, probe: &Probe) {
    if probe.at.is_some() == probe.vertices.is_some() {
        let message = "must have either \"at\", a place at rest, or \"vertices\"";
        report.add(path, message);
    }
}

/// Checks that the line of a section has a length.
fn check_section(report: &mut Report, path: &str, section: &Section) {
    if Vec2::from(section.from) == Vec2::from(section.to) {
        let message = "begins and ends at one point; use a probe";
        report.add(path, message);
    }
}

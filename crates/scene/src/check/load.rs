//! Checks of loads, and of numbers that vary.
//!
//! A load has one kind of force, and keys that mean nothing for this kind are refused. Its body
//! must exist and must be no half-plane. What it selects is found out once the body is built.

use super::names::all_names;
use super::report::Report;
use super::selection;
use crate::moments::{first_wrong, not_finite};
use crate::schema::{Body, Load, Scene, Shape, Table, Varying};
use std::collections::BTreeSet;

/// Body or obstacle that a load acts on.
struct Target<'a> {
    /// Its shape.
    shape: &'a Shape,
    /// Names of its selections.
    names: Vec<&'a str>,
}

/// Checks all loads of a scene.
pub(super) fn check(report: &mut Report, scene: &Scene) {
    let mut names = BTreeSet::new();
    for (k, load) in scene.loads.iter().enumerate() {
        let path = format!("loads[{k}]");
        // A name may repeat the label of a load without one.
        if !names.insert(load.label(k)) {
            let message = format!("\"{}\" is used twice; names must be unique", load.label(k));
            report.add(&format!("{path}.name"), message);
        }

        let Some(target) = target(&load.body, scene) else {
            let known: Vec<String> = all_names(scene).collect();
            let known = known.iter().map(String::as_str);
            report.no_such(
                &format!("{path}.body"),
                "body or obstacle",
                &load.body,
                known,
            );
            continue;
        };

        report.ranges(&path);
        check_kind(report, &path, load, &target);
        check_keys(report, &path, load);
        check_numbers(report, &path, load);
        if let Some(on) = &load.on {
            selection::check(report, &format!("{path}.on"), on, &target.names);
        }
    }
}

/// The body or obstacle of a name, copies included; `None` if there is none.
fn target<'a>(name: &str, scene: &'a Scene) -> Option<Target<'a>> {
    let mut bodies = scene.bodies.iter();
    if let Some(body) = bodies.find(|body| body.names().any(|own| own == name)) {
        return Some(Target {
            shape: &body.shape,
            names: body.selection_names(),
        });
    }
    let mut obstacles = scene.obstacles.iter();
    let obstacle = obstacles.find(|obstacle| obstacle.name == name)?;
    Some(Target {
        shape: &obstacle.shape,
        names: obstacle.shape.names(),
    })
}

/// Checks that a load has one kind of force, which its body can feel.
fn check_kind(report: &mut Report, path: &str, load: &Load, target: &Target) {
    let kinds: Vec<&str> = load.kinds().collect();
    match kinds[..] {
        [_] => {}
        [] => {
            let message =
                "has no force; add one of force, traction, pressure, torque and body_force";
            report.add(path, message);
        }
        _ => {
            let message = format!("has {}; make each a load of its own", kinds.join(" and "));
            report.add(path, message);
        }
    }

    if let Shape::HalfPlane(_) = target.shape {
        let message = format!(
            "\"{}\" is a half-plane, which feels no load; remove it",
            load.body
        );
        report.add(&format!("{path}.body"), message);
    }
    if load.torque.is_some() && matches!(target.shape, Shape::Point(_)) {
        report.add(
            &format!("{path}.torque"),
            "a point does not turn; use a force",
        );
    }
}

/// Checks that no key is given which means nothing for the kind of the load.
fn check_keys(report: &mut Report, path: &str, load: &Load) {
    if load.at.is_some() && load.force.is_none() {
        let message = "is the point of a force; use on to select where this load acts";
        report.add(&format!("{path}.at"), message);
    }
    if load.at.is_some() && load.on.is_some() {
        report.add(
            &format!("{path}.at"),
            "is given beside on; remove one of them",
        );
    }
    if load.on.is_some() && load.body_force.is_some() {
        let message = "is for parts of a body, but a body_force acts on all of it; remove it";
        report.add(&format!("{path}.on"), message);
    }
    if load.dead && load.pressure.is_none() {
        let message = "is for pressure; all other forces keep their direction anyway; remove it";
        report.add(&format!("{path}.dead"), message);
    }
}

/// Checks the numbers of a load.
fn check_numbers(report: &mut Report, path: &str, load: &Load) {
    let vectors = [
        ("force", &load.force),
        ("traction", &load.traction),
        ("body_force", &load.body_force),
    ];
    for (key, vector) in vectors {
        for (axis, number) in vector.iter().flatten().enumerate() {
            check_varying(report, &format!("{path}.{key}[{axis}]"), number, true);
        }
    }

    if let Some(pressure) = &load.pressure {
        check_varying(report, &format!("{path}.pressure"), pressure, true);
    }
    if let Some(torque) = &load.torque {
        check_varying(report, &format!("{path}.torque"), torque, false);
    }
}

/// Checks a number that varies: a formula can be read, and times of a table ascend. Unless it
/// `may_vary_in_place`, it depends on time alone. What does is finite at all times of the run; what
/// depends on the place is looked at where its places are known.
pub(super) fn check_varying(
    report: &mut Report,
    path: &str,
    number: &Varying,
    may_vary_in_place: bool,
) {
    match number {
        Varying::Constant(_) => {}
        Varying::Table(table) => check_table(report, path, table),
        Varying::Formula(text) => match number.read() {
            Err(error) => report.add(path, format!("\"{text}\" is no formula, {error}")),
            Ok(read) if read.has_place() && !may_vary_in_place => {
                let message = format!("\"{text}\" depends on the place; use t alone");
                report.add(path, message);
            }
            Ok(read) if read.has_place() => {}
            Ok(read) => {
                let time = report.time.as_ref();
                let found = time.and_then(|time| first_wrong(time, &read, &[], f64::is_finite));
                if let Some(found) = found {
                    report.add(path, not_finite(&found));
                }
            }
        },
    }
}

/// Checks that a table has as many values as times, and that times ascend.
fn check_table(report: &mut Report, path: &str, Table { times, values }: &Table) {
    if times.len() != values.len() || times.is_empty() {
        let [a, b] = [times.len(), values.len()];
        let message =
            format!("has {a} times and {b} values, but must have one value for each time");
        return report.add(path, message);
    }

    for (k, pair) in times.windows(2).enumerate() {
        if pair[1] <= pair[0] {
            let message = format!(
                "is {} s, but must be later than the time before, {} s",
                pair[1], pair[0]
            );
            report.add(&format!("{path}.times[{}]", k + 1), message);
        }
    }
}

/// Checks the selections that a body gives names. They may not use names themselves.
pub(super) fn check_named(report: &mut Report, path: &str, body: &Body) {
    let in_shape = body.shape.names();
    for (name, own) in &body.selections {
        let path = format!("{path}.{name}");
        if in_shape.contains(&name.as_str()) {
            report.add(&path, "is a name in the shape already; choose another name");
        }
        if ["all", "boundary"].contains(&name.as_str()) {
            report.add(&path, "has a meaning already; choose another name");
        }
        selection::check(report, &path, own, &[]);
    }
}

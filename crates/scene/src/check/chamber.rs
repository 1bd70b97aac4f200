//! Checks of chambers and pipes: names, walls that exist, and one meaning for each number.
//!
//! Whether walls enclose an area is found out once bodies are built.
//!
//! Each message names the entry by its path in the scene, the value that is wrong, and what to
//! write instead. Checks do not stop at the first fault, so that a user sees all of them at once.

use super::load::check_varying;
use super::names::all_names;
use super::report::Report;
use super::selection;
use crate::schema::{Body, Chamber, Filling, Pipe, Scene, Shape};
use ipcsim_math::groups::Groups;
use std::collections::BTreeSet;

/// Largest number of chambers: solutions with the matrix are needed for each of them.
const MOST: usize = 200;

/// Checks all chambers and pipes of a scene.
///
/// Names must be unique, since pipes, measures and conditions refer to them.
pub(super) fn check(report: &mut Report, scene: &Scene) {
    if scene.chambers.len() > MOST {
        let message = format!(
            "are {} chambers, but at most {MOST} are allowed: each costs a solution in every iteration",
            scene.chambers.len()
        );
        report.add("chambers", message);
    }

    let mut names = BTreeSet::new();
    for (k, chamber) in scene.chambers.iter().enumerate() {
        let path = format!("chambers[{k}]");
        report.ranges(&path);
        if !names.insert(&chamber.name) {
            let message = format!("\"{}\" is used twice; names must be unique", chamber.name);
            report.add(&format!("{path}.name"), message);
        }
        if chamber.walls.is_empty() {
            report.add(
                &format!("{path}.walls"),
                "are none; name the bodies that enclose the gas",
            );
        }
        check_walls(report, &path, chamber, scene);
        check_pressure(report, &path, chamber, scene);
        if let Some(fill) = &chamber.fill {
            check_fill(report, &format!("{path}.fill"), fill);
        }
    }
    check_pipes(report, scene);
}

/// Checks that the bodies of walls exist and have edges.
///
/// Half-planes, exact circles and points have no edges that could enclose gas.
fn check_walls(report: &mut Report, path: &str, chamber: &Chamber, scene: &Scene) {
    for (k, wall) in chamber.walls.iter().enumerate() {
        let path = format!("{path}.walls[{k}]");
        let body = scene
            .bodies
            .iter()
            .find(|body| body.names().any(|own| own == wall.body));
        let obstacle = scene.obstacles.iter().find(|own| own.name == wall.body);
        let (shape, names) = match (body, obstacle) {
            (Some(body), _) => (&body.shape, Body::selection_names(body)),
            (None, Some(obstacle)) => (&obstacle.shape, obstacle.shape.names()),
            (None, None) => {
                let known: Vec<String> = all_names(scene).collect();
                let known = known.iter().map(String::as_str);
                report.no_such(
                    &format!("{path}.body"),
                    "body or obstacle",
                    &wall.body,
                    known,
                );
                continue;
            }
        };
        if matches!(
            shape,
            Shape::HalfPlane(_) | Shape::Circle(_) | Shape::Point(_)
        ) {
            let message = format!(
                "\"{}\" has no edges, which a wall is made of; use a shape with edges",
                wall.body
            );
            report.add(&format!("{path}.body"), message);
        }

        // Selections are looked up in built meshes.
        if let Some(on) = &wall.on {
            selection::check(report, &format!("{path}.on"), on, &names);
        }
    }
}

/// Checks that the pressure at the start is absolute or over the ambient one, and not negative.
///
/// Pressures are in Pa. An absolute pressure is the sum of the gauge pressure and the ambient
/// one.
fn check_pressure(report: &mut Report, path: &str, chamber: &Chamber, scene: &Scene) {
    let Some(pressure) = &chamber.pressure else {
        return;
    };

    let path = format!("{path}.pressure");
    match (pressure.gauge, pressure.absolute) {
        (Some(gauge), None) if gauge + scene.ambient_pressure < 0.0 => {
            let message = format!(
                "is {gauge} Pa over the ambient pressure of {} Pa, so that the absolute one would be \
                 negative",
                scene.ambient_pressure
            );
            report.add(&format!("{path}.gauge"), message);
        }
        (Some(_), None) | (None, Some(_)) => {}
        (None, None) => report.add(
            &path,
            "has no value; give \"gauge\", over the ambient pressure, or \"absolute\"",
        ),
        (Some(_), Some(_)) => report.add(&path, "is given twice; remove gauge or absolute"),
    }
}

/// Checks that one thing is filled in, by time alone.
fn check_fill(report: &mut Report, path: &str, fill: &Filling) {
    let given = [
        ("amount", &fill.amount),
        ("gauge", &fill.gauge),
        ("absolute", &fill.absolute),
    ];
    let given: Vec<(&str, _)> = given
        .into_iter()
        .filter_map(|(key, number)| Some((key, number.as_ref()?)))
        .collect();
    if given.len() != 1 {
        let message = "must have one of \"amount\", and the pressures \"gauge\" and \"absolute\"";
        report.add(path, message);
    }

    // Numbers, and the window of a regulator.
    for (key, number) in given {
        check_varying(report, &format!("{path}.{key}"), number, false);
    }
    if fill.amount.is_some() && (fill.from.is_some() || fill.until.is_some()) {
        let message = "from and until are for a pressure that is held; an amount says in its table when it \
                       grows";
        report.add(path, message);
    }
    check_window(report, path, [fill.from, fill.until]);
}

/// Checks that a window of time has a length.
///
/// Times are in s; a window without one end is open there.
fn check_window(report: &mut Report, path: &str, [from, until]: [Option<f64>; 2]) {
    if let (Some(from), Some(until)) = (from, until)
        && until <= from
    {
        let message = format!("is {until} s, but must be later than from, {from} s");
        report.add(&format!("{path}.until"), message);
    }
}

/// Checks that pipes join two chambers of the same gas, and at most one regulator.
///
/// Chambers are joined through pipes at any time, whatever their windows: two regulators that are
/// never connected at the same time are refused as well.
fn check_pipes(report: &mut Report, scene: &Scene) {
    let chambers = &scene.chambers;
    let mut groups = Groups::new(chambers.len());
    for (k, pipe) in scene.pipes.iter().enumerate() {
        let path = format!("pipes[{k}]");
        let Pipe {
            between,
            from,
            until,
            resistance,
        } = pipe;
        report.ranges(&path);
        check_window(report, &path, [*from, *until]);
        let found = between.each_ref().map(|name| {
            let found = chambers.iter().position(|chamber| chamber.name == *name);
            if found.is_none() {
                let known = chambers.iter().map(|chamber| chamber.name.as_str());
                report.no_such(&format!("{path}.between"), "chamber", name, known);
            }
            found
        });
        let [Some(a), Some(b)] = found else { continue };
        if a == b {
            report.add(&format!("{path}.between"), "names one chamber twice");
            continue;
        }

        // One gas has one exponent.
        let [first, second] = [a, b].map(|k| chambers[k].gamma);
        if first.to_bits() != second.to_bits() {
            let message = format!(
                "joins chambers with the exponents {first} and {second}; one gas has one \"gamma\""
            );
            report.add(&format!("{path}.between"), message);
        }
        if resistance.is_none() {
            groups.join(a, b);
        }
    }

    // Two regulators in one net would hold one gas at two pressures.
    let mut held: BTreeSet<usize> = BTreeSet::new();
    for (k, chamber) in chambers.iter().enumerate() {
        let fill = chamber.fill.as_ref();
        let holds = fill.is_some_and(|fill| fill.amount.is_none());
        if holds && !held.insert(groups.root(k)) {
            let message = format!(
                "holds the pressure of \"{}\", but pipes join it with another chamber whose pressure is held; \
                 keep one of them",
                chamber.name
            );
            report.add(&format!("chambers[{k}].fill"), message);
        }
    }
}

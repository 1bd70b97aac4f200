//! Checks of names, of pairs of names, and of contact.

use super::report::Report;
use crate::scene::schema::{Contact, Scene};
use std::collections::BTreeSet;

/// Checks that names of bodies and obstacles are unique, and that pairs name them.
pub(super) fn check_names(report: &mut Report, scene: &Scene) {
    let mut names = BTreeSet::new();
    let bodies = scene
        .bodies
        .iter()
        .enumerate()
        .flat_map(|(k, body)| body.names().map(move |name| ("bodies", k, name)));
    let obstacles = scene
        .obstacles
        .iter()
        .enumerate()
        .map(|(k, obstacle)| ("obstacles", k, obstacle.name.clone()));

    for (list, k, name) in bodies.chain(obstacles) {
        if names.contains(&name) {
            report.add(
                &format!("{list}[{k}].name"),
                format!("\"{name}\" is used twice; names must be unique"),
            );
        }
        names.insert(name);
    }

    // Pairs with friction of their own.
    let names: BTreeSet<&str> = names.iter().map(String::as_str).collect();
    let mut seen = BTreeSet::new();
    for (k, pair) in scene.contact.friction.pairs.iter().enumerate() {
        let path = format!("contact.friction.pairs[{k}]");
        check_pair(
            report,
            &format!("{path}.between"),
            &pair.between,
            &names,
            &mut seen,
        );
        report.not_negative(&format!("{path}.coefficient"), pair.coefficient, "");
    }

    // Pairs that pass through each other.
    let mut seen = BTreeSet::new();
    for (k, pair) in scene.contact.exclude.iter().enumerate() {
        let path = format!("contact.exclude[{k}]");
        check_pair(report, &path, pair, &names, &mut seen);
        if pair[0] == pair[1] {
            report.add(
                &path,
                format!("names \"{}\" twice; name two bodies or obstacles", pair[0]),
            );
        }
    }
}

/// Checks that a pair names two bodies or obstacles that exist, and that it comes once.
fn check_pair<'a>(
    report: &mut Report,
    path: &str,
    pair: &'a [String; 2],
    names: &BTreeSet<&str>,
    seen: &mut BTreeSet<[&'a str; 2]>,
) {
    for name in pair.iter().filter(|name| !names.contains(name.as_str())) {
        report.no_such(path, "body or obstacle", name, names.iter().copied());
    }

    let [a, b] = pair;
    if !seen.insert([a.min(b), a.max(b)]) {
        report.add(
            path,
            format!("the pair \"{a}\" and \"{b}\" is given twice; remove one"),
        );
    }
}

/// Checks the numbers of contact and friction.
pub(super) fn check(report: &mut Report, contact: &Contact) {
    if let Some(d_hat) = contact.d_hat {
        report.positive("contact.d_hat", d_hat, " m");
    }
    if let Some(kappa) = contact.kappa {
        report.positive("contact.kappa", kappa, " Pa");
    }
    report.not_negative("contact.min_separation", contact.min_separation, " m");
    report.not_negative("contact.friction.default", contact.friction.default, "");
    if let Some(eps_v) = contact.friction.eps_v {
        report.positive("contact.friction.eps_v", eps_v, " m/s");
    }
    report.at_least_one(
        "contact.friction.lag_iterations",
        contact.friction.lag_iterations,
    );
}

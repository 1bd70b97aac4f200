//! Checks of names, of pairs of names, and of contact.
//!
//! Friction and excluded pairs refer to bodies and obstacles by name, so that names must be unique
//! and pairs must name things that exist. An entry with copies stands for several names. Pairs have
//! no order: `["a", "b"]` and `["b", "a"]` are the same pair, and each may be listed once.

use super::friction;
use super::interference;
use super::pairs::check_pair;
use super::report::Report;
use crate::kind::{Freedom, names_of};
use crate::schema::{Body, Contact, Scene};
use ipcsim_contact::ContactModel;
use ipcsim_contact::barrier::BarrierShape;
use std::collections::{BTreeMap, BTreeSet};

/// Largest number of pairs that names of copies stand for.
const MOST_PAIRS: usize = 1_000_000;

/// Checks that names of bodies and obstacles are unique, and that pairs name them.
///
/// A body may have friction with itself, as a pair of one name. It cannot be excluded from itself.
pub(super) fn check_names(report: &mut Report, scene: &Scene) {
    let names = unique_names(report, scene);
    let stems = scene.stems();
    let names = names.iter().chain(stems.keys());
    let names: BTreeSet<&str> = names.map(String::as_str).collect();
    check_count(report, scene, &stems);

    friction::check_pairs(report, scene, &names);

    // Pairs with restitution of their own.
    check_restitution(report, scene, &names);

    // Pairs that overlap on purpose.
    interference::check(report, scene, &names);

    // Pairs that pass through each other.
    let mut seen = BTreeSet::new();
    for (k, pair) in scene.contact.exclude.iter().enumerate() {
        let path = format!("contact.exclude[{k}]");
        check_pair(report, &path, "body or obstacle", pair, &names, &mut seen);
        if pair[0] == pair[1] {
            let message = format!("names \"{}\" twice; name two bodies or obstacles", pair[0]);
            report.add(&path, message);
        }
    }
}

/// Checks that pairs that name copies together are not too many.
fn check_count(report: &mut Report, scene: &Scene, stems: &BTreeMap<String, Vec<String>>) {
    let contact = &scene.contact;
    let friction = contact.friction.pairs.iter().map(|pair| &pair.between);
    let restitution = contact.restitution.pairs.iter().map(|pair| &pair.between);
    // A name without copies counts once.
    let mut count = 0_usize;
    let fits = contact.interference.iter().map(|pair| &pair.between);
    for pair in friction
        .chain(restitution)
        .chain(fits)
        .chain(&contact.exclude)
    {
        let [a, b] = pair
            .each_ref()
            .map(|name| stems.get(name).map_or(1, Vec::len));
        // Products of numbers of copies must not overflow.
        count = count.saturating_add(a.saturating_mul(b));
    }

    if count > MOST_PAIRS && !stems.is_empty() {
        let message = format!(
            "names {count} pairs of copies, more than {MOST_PAIRS}; use fewer copies, materials or groups"
        );
        report.add("contact", message);
    }
}

/// Checks coefficients of restitution, and that no body of their pairs deforms.
fn check_restitution(report: &mut Report, scene: &Scene, names: &BTreeSet<&str>) {
    let restitution = &scene.contact.restitution;
    let deforms = |body: &&Body| body.kind.rules().freedom() != Freedom::Whole;
    let soft: Vec<&Body> = scene.bodies.iter().filter(deforms).collect();

    if restitution.default.is_some() {
        let path = "contact.restitution.default";
        report.ranges(path);
        if let Some(body) = soft.first() {
            let message = format!(
                "is for all pairs, but \"{}\" deforms and rebounds by its own elasticity; leave \
                 the default out and name pairs of {} bodies and obstacles",
                body.name,
                names_of(|kind| kind.freedom() == Freedom::Whole)
            );
            report.add(path, message);
        }
    }

    // A pair may name all copies together, or one of them.
    let soft: BTreeSet<String> = soft
        .iter()
        .flat_map(|body| body.names().chain([body.name.clone()]))
        .collect();

    let mut seen = BTreeSet::new();
    for (k, pair) in restitution.pairs.iter().enumerate() {
        let path = format!("contact.restitution.pairs[{k}]");
        let path_of_pair = format!("{path}.between");
        let what = "body or obstacle";
        check_pair(report, &path_of_pair, what, &pair.between, names, &mut seen);
        if let Some(name) = pair.between.iter().find(|name| soft.contains(*name)) {
            let message = format!(
                "\"{name}\" deforms and rebounds by its own elasticity; remove the pair, or make \
                 the body {}",
                names_of(|kind| kind.freedom() == Freedom::Whole).replace(" and ", " or ")
            );
            report.add(&path_of_pair, message);
        }
        report.ranges(&path);
    }
}

/// Checks that nothing is said of vertices where contact is a sum over edges.
fn check_model(report: &mut Report, contact: &Contact) {
    if contact.model != ContactModel::Edges {
        return;
    }
    let is_other = |shape| shape != BarrierShape::Inverse;
    let of_vertices = [
        ("contact.barrier", contact.barrier.is_some_and(is_other)),
        ("contact.shared_vertices", contact.shared_vertices.is_some()),
    ];
    for (path, _) in of_vertices.into_iter().filter(|(_, is_given)| *is_given) {
        let message = "is for contact at vertices; remove it, or set contact.model to \"vertices\"";
        report.add(path, message.to_owned());
    }
}

/// Names of all bodies, copies and obstacles. A name that is used again is reported at its second
/// place.
fn unique_names(report: &mut Report, scene: &Scene) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (k, body) in scene.bodies.iter().enumerate() {
        for name in body.names() {
            add_name(report, &mut names, &format!("bodies[{k}].name"), name);
        }
    }
    for (k, obstacle) in scene.obstacles.iter().enumerate() {
        let path = format!("obstacles[{k}].name");
        add_name(report, &mut names, &path, obstacle.name.clone());
    }
    names
}

/// Adds a name to those in use, or reports that it is in use already.
fn add_name(report: &mut Report, names: &mut BTreeSet<String>, path: &str, name: String) {
    if names.contains(&name) {
        let message = format!("\"{name}\" is used twice; names must be unique");
        report.add(path, message);
    }
    names.insert(name);
}

/// Checks the numbers of contact and friction, and what belongs to one model only.
pub(super) fn check(report: &mut Report, contact: &Contact) {
    report.ranges("contact");
    check_model(report, contact);
    friction::check(report, &contact.friction);
}

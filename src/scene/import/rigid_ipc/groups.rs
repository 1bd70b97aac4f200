//! Groups of bodies that pass through each other.

use super::format::Kind;
use super::placed::Placed;
use std::collections::{BTreeMap, BTreeSet};

/// Name of the group of all static and kinematic bodies.
const STILL: &str = "static";

/// Group of each body; none if no other body is in it. As in rigid-ipc, static and kinematic bodies are
/// one group, together with every body whose group contains one of them.
pub(super) fn groups(bodies: &[Placed]) -> Vec<Option<String>> {
    let without_dynamics = |body: &&Placed| body.kind != Kind::Dynamic;
    let still: BTreeSet<i64> = bodies
        .iter()
        .filter(without_dynamics)
        .map(|body| body.group_id)
        .collect();

    let name = |body: &Placed| match body.group_id {
        _ if body.kind != Kind::Dynamic => Some(STILL.to_owned()),
        id if id < 0 => None,
        id if still.contains(&id) => Some(STILL.to_owned()),
        id => Some(format!("group_{id}")),
    };
    let names: Vec<Option<String>> = bodies.iter().map(name).collect();

    // Groups of one body are none.
    let mut members: BTreeMap<&String, usize> = BTreeMap::new();
    for name in names.iter().flatten() {
        *members.entry(name).or_default() += 1;
    }
    names
        .iter()
        .map(|name| name.clone().filter(|name| members[name] > 1))
        .collect()
}

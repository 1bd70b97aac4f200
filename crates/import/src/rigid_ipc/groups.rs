//! Groups of bodies that pass through each other.
//!
//! rigid-ipc numbers its groups, and a negative number is no group. Bodies that do not react to
//! forces never collide with each other there, so that they form one group, whatever their numbers.
//! Groups here have names, and a group of one body is left out.

use super::format::Kind;
use super::placed::Placed;
use std::collections::{BTreeMap, BTreeSet};

/// Name of the group of all static and kinematic bodies.
const STILL: &str = "static";

/// Group of each body, `[bodies]`; `None` if no other body is in it.
///
/// As in rigid-ipc, static and kinematic bodies are one group, together with every body whose group
/// contains one of them.
pub(super) fn groups(bodies: &[Placed]) -> Vec<Option<String>> {
    let without_dynamics = bodies.iter().filter(|body| body.kind != Kind::Dynamic);
    let still: BTreeSet<i64> = without_dynamics.map(|body| body.group_id).collect();
    let names: Vec<_> = bodies.iter().map(|body| name(body, &still)).collect();

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

/// Name of a body's group, given the numbers of the groups that contain a static or kinematic body.
fn name(body: &Placed, still: &BTreeSet<i64>) -> Option<String> {
    let id = body.group_id;
    if body.kind != Kind::Dynamic {
        Some(STILL.to_owned())
    } else if id < 0 {
        None
    } else if still.contains(&id) {
        Some(STILL.to_owned())
    } else {
        Some(format!("group_{id}"))
    }
}

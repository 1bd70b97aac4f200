//! Notes about joints that repeat each other at the start: least forces serve them, so that they are no
//! mistake, but a linkage may move less freely than its author thinks.

use crate::assemble::Setup;
use crate::problem::Problem;

/// Largest number of notes; a crowd of doors needs no more.
const NOTES: usize = 5;

/// Largest number of joints that a note names.
const NAMED: usize = 12;

/// Notes about joints whose equations repeat each other. `warnings` about the same joints count more.
pub(super) fn notes(setup: &Setup, warnings: &[Problem]) -> Vec<Problem> {
    let world = &setup.world;
    let sets = world.repeated_joints(&setup.state).into_iter();
    let path = |number: &usize| format!("joints[{number}]");
    let unknown = sets.filter(|set| {
        let mut paths = set.joints.iter().map(path);
        !paths.any(|path| warnings.iter().any(|warning| warning.path == path))
    });
    let notes = unknown.take(NOTES).map(|set| {
        let text = world.tell_repeated(&set, NAMED);
        let end = match set.everywhere {
            Some(false) => "no finite force holds a load across them there, and the linkage may leave it on several ways",
            _ => "their forces are the least that hold the loads; leave one out to know them from statics alone",
        };
        Problem::warning(path(&set.joints[0]), format!("{text}; {end}"))
    });
    notes.collect()
}

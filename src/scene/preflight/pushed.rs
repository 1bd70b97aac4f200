//! Bodies that the barrier pushes apart at the start.
//!
//! A pair nearer than `d_hat` has energy in its barrier. A little of it carries bodies that start at
//! rest on each other. More of it throws them apart in the first steps, and its friction acts with
//! forces that nothing in the scene explains.

use super::super::assemble::Setup;
use super::super::problem::Problem;
use crate::contact::{Candidates, Contacts};
use crate::math::Vec2;
use crate::math::number::short;
use std::collections::BTreeMap;

/// Ratio of a pair's force to the weight of all bodies (1) above which the pair is reported.
///
/// A stack that starts at rest carries its weight and no more; rounding of positions in a scene adds
/// a little.
const HEAVY: f64 = 1.5;

/// Largest number of pairs that are reported. More would hide other problems.
const LISTED: usize = 5;

/// Warnings of pairs of bodies between which the barrier pushes with more than the weight of all
/// bodies together, the strongest first. None without gravity.
pub(super) fn warnings(setup: &Setup) -> Vec<Problem> {
    let world = &setup.world;
    let bodies = world.bodies.iter();
    let mass: f64 = bodies.map(|body| body.mass(&world.model.mass)).sum();
    let weight = mass * world.loading.gravity.norm();
    if weight <= 0.0 {
        return Vec::new();
    }

    let forces = forces(setup).into_iter();
    let mut strong: Vec<([usize; 2], f64)> = forces
        .map(|(pair, force)| (pair, force.norm()))
        .filter(|(_, force)| *force > HEAVY * weight)
        .collect();
    strong.sort_by(|a, b| b.1.total_cmp(&a.1));

    let problems = strong.into_iter().take(LISTED);
    problems
        .map(|([a, b], force)| {
            let message = format!(
                "\"{}\" starts so near to \"{}\" that the barrier pushes them apart with {} N, \
                 more than the weight of all bodies, {} N; move them apart by contact.d_hat, {} m, \
                 or lower contact.d_hat",
                world.bodies[a].name,
                world.bodies[b].name,
                short(force),
                short(weight),
                short(world.model.surface.d_hat)
            );
            let place = setup.state.x[world.bodies[a].vertices.start];
            Problem::warning(&setup.paths[a], message).at(place)
        })
        .collect()
}

/// Sum of the normal forces on the first body of each pair at the start (N), by the numbers of both
/// bodies.
fn forces(setup: &Setup) -> BTreeMap<[usize; 2], Vec2> {
    let world = &setup.world;
    let surface = &world.model.surface;
    let x = &setup.state.x;
    let candidates = Candidates::find(surface, x, |_| 0.0);

    // Pairs that touch are errors of their own.
    let contacts = Contacts::find(surface, world.barrier, &candidates, x).unwrap_or_default();
    let mut sums = BTreeMap::new();
    for normal in contacts.forces(surface, x) {
        let [a, b] = normal.bodies;
        let force = normal.normal * normal.force;
        let on_first = if a < b { force } else { -force };
        if a != b {
            *sums.entry([a.min(b), a.max(b)]).or_insert(Vec2::zeros()) += on_first;
        }
    }
    sums
}

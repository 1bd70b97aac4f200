//! Bodies that the barrier pushes apart at the start.
//!
//! A pair nearer than `d_hat` has energy in its barrier. A little of it carries bodies that start
//! at rest on each other. More of it throws them apart in the first steps, and its friction acts
//! with forces that nothing in the scene explains.

use super::super::assemble::Setup;
use super::super::problem::Problem;
use super::clearance;
use ipcsim_math::Vec2;
use ipcsim_math::number::short;
use ipcsim_math::sort::sort_by;
use std::collections::BTreeMap;

/// Ratio of a pair's force to the weight of all bodies (1) above which the pair is reported.
///
/// A stack that starts at rest carries its weight and no more; rounding of positions in a scene
/// adds a little.
const HEAVY: f64 = 1.5;

/// Largest number of pairs that are reported. More would hide other problems.
const LISTED: usize = 5;

/// A pair of bodies that the barrier pushes apart.
pub(super) struct Pushed {
    /// Numbers of the bodies, the smaller one first.
    pub(super) bodies: [usize; 2],
    /// Force between them (N).
    force: f64,
}

/// Warnings of pairs that the barrier pushes apart with more than the weight of all bodies, the
/// strongest first. Pairs that have a warning of their gap already are left out.
pub(super) fn warnings(setup: &Setup) -> Vec<Problem> {
    let world = &setup.world;
    let weight = short(weight(setup));
    let mut all = pushed(setup);
    if all.is_empty() {
        return Vec::new();
    }

    let reported = clearance::hard(setup);
    all.retain(|pair| !reported.contains(&pair.bodies));

    let listed = all.into_iter().take(LISTED);
    listed
        .map(|Pushed { bodies, force }| {
            let [a, b] = bodies.map(|body| &world.bodies[body].name);
            let force = short(force);
            let d_hat = short(world.model.surface.reach.usual(bodies[0], bodies[1]));
            let message = format!(
                "\"{a}\" starts so near to \"{b}\" that the barrier pushes them apart with {force} N, \
                 more than the weight of all bodies, {weight} N; move them apart by {d_hat} m{}",
                lower(setup)
            );
            let place = setup.state.x[world.bodies[bodies[0]].vertices.start];
            Problem::warning(&setup.paths[bodies[0]], message).at(place)
        })
        .collect()
}

/// Advice to lower the numbers that the scene gives; empty if it gives none.
fn lower(setup: &Setup) -> &'static str {
    let contact = &setup.scene.contact;
    match (contact.d_hat.is_some(), contact.kappa.is_some()) {
        (true, true) => ", or lower contact.d_hat or contact.kappa",
        (true, false) => ", or lower contact.d_hat",
        (false, true) => ", or lower contact.kappa",
        (false, false) => "",
    }
}

/// Pairs that the barrier pushes apart with more than [`HEAVY`] times the weight of all bodies, the
/// strongest first. None without gravity.
pub(super) fn pushed(setup: &Setup) -> Vec<Pushed> {
    let most = HEAVY * weight(setup);
    if most <= 0.0 {
        return Vec::new();
    }

    let forces = forces(setup).into_iter();
    let mut strong: Vec<Pushed> = forces
        .map(|(bodies, force)| Pushed {
            bodies,
            force: force.norm(),
        })
        .filter(|pair| pair.force > most)
        .collect();
    sort_by(&mut strong, |a, b| b.force.total_cmp(&a.force));
    strong
}

/// Weight of all bodies (N).
fn weight(setup: &Setup) -> f64 {
    let world = &setup.world;
    let bodies = world.bodies.iter();
    let mass: f64 = bodies.map(|body| body.mass(&world.model.mass)).sum();
    mass * world.loading.gravity.norm()
}

/// Sum of the normal forces on the first body of each pair at the start (N), by the numbers of both
/// bodies.
fn forces(setup: &Setup) -> BTreeMap<[usize; 2], Vec2> {
    let world = &setup.world;
    let surface = &world.model.surface;
    let x = &setup.state.x;

    // Pairs that touch are errors of their own.
    let contacts = world.contacts_at(x, &[]);
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

//! Barriers of the next step: barriers that bodies press hard become stiffer, and bodies have one
//! reach over all that they can slide onto.
//!
//! [`stiffen`] decides by how much, from gaps and forces at the end of a step, and
//! [`reaches_over_seams`] how far barriers act, from places and the motion of the step.

use crate::body::Body;
use crate::solve::Model;
use crate::time::options::sleeping::Sleeping;
use crate::time::state::State;
use crate::time::step::stage_end::StageEnd;
use crate::time::world::World;
use ipcsim_contact::{
    AdaptedPair, AtRest, Barriers, Contacts, Motion, Stiffened, Surface, keep_doublings,
    reaches_differ, reaches_over_seams, stiffen,
};
use ipcsim_math::Vec2;

/// Barriers between all bodies in a step from `start`, as the steps before have adapted them.
pub(in crate::time) fn barriers(world: &World, start: &State) -> Barriers {
    world
        .barriers
        .with(&start.memory.options.stiffening.adapted)
}

/// Barriers for the step after one of length `h` (s) from `start` to a landing. What restitution makes
/// of velocities is not a motion under forces, and does not count. Nothing is adapted within a step,
/// without `h`, and nothing stiffens in statics, whose forces are the same functions at all times.
/// Bodies that sleep keep the barriers that they had between each other.
pub(in crate::time) fn stiffened(
    world: &World,
    barriers: &Barriers,
    start: &State,
    landing: StageEnd,
    sleeping: &Sleeping,
    h: Option<f64>,
) -> Stiffened {
    let Some(h) = h else {
        return Stiffened::default();
    };
    let StageEnd {
        stage,
        at,
        contacts,
        ..
    } = landing;
    let surface = &world.model.surface;
    let is_static = world.integrator.is_static();
    let motion = || motion(world, start, &stage.velocity(&at.q), h);
    let mut adapted = if is_static {
        keep_doublings(barriers, surface, contacts)
    } else {
        stiffen(barriers, surface, contacts, &at.x, motion)
    };

    let ways = start.x.iter().zip(&at.x).map(|(from, to)| to - from);
    adapted.join(next_reaches(world, barriers, &at.x, ways, h));
    if !is_static {
        let resting = AtRest::of(barriers, surface, contacts, &at.x, motion);
        adapted.gap_at_rest = resting.widest();
        if world.options.rests_closely {
            adapted.draw_closer(surface, &resting.closer());
        }
    }
    sleeping.keep(&mut adapted, &start.memory.options.stiffening.adapted);
    if adapted.changes_reach(barriers) {
        let found = world.contacts_at(&at.x, &adapted.adapted);
        let energy = |contacts| energy(contacts, surface, &at.x, sleeping);
        adapted.energy = energy(&found) - energy(contacts);
    }
    adapted
}

/// Barriers of the first step from a start: bodies have one reach over all that they can slide onto.
pub fn first_reaches(world: &World, start: &State) -> Vec<AdaptedPair> {
    let ways = start.v.iter().map(|v| v * world.h);
    next_reaches(world, &world.barriers, &start.x, ways, world.h)
}

/// Reaches of pairs in a step of length `h` (s) from positions `x` (m, `[vertices]`), before which vertices
/// have moved by `ways` (m, `[vertices]`).
fn next_reaches(
    world: &World,
    barriers: &Barriers,
    x: &[Vec2],
    ways: impl Iterator<Item = Vec2>,
    h: f64,
) -> Vec<AdaptedPair> {
    let surface = &world.model.surface;
    if !reaches_differ(surface, barriers) {
        return Vec::new();
    }

    // Each vertex may move twice as far, and fall.
    let fall = world.loading.gravity.norm() * h * h;
    let margins: Vec<f64> = ways.map(|way| 2.0 * way.amax() + fall).collect();
    let bodies = world.bodies.iter();
    let moves: Vec<bool> = bodies.map(|body| !body.kind.is_obstacle()).collect();
    reaches_over_seams(surface, barriers, x, &margins, &moves)
}

/// Energy of the barriers of contacts at `x` (J), without those between two bodies that stay.
fn energy(contacts: &Contacts, surface: &Surface, x: &[Vec2], sleeping: &Sleeping) -> f64 {
    let forces = contacts.forces(surface, x);
    let between_moving = forces.filter(|contact| !sleeping.both(contact.bodies));
    between_moving.map(|contact| contact.energy).sum()
}

/// Motion of all bodies from the velocities of `start` to `q_dot` within `h` (s), by the momentum
/// of their nodes.
fn motion(world: &World, start: &State, q_dot: &[Vec2], h: f64) -> Motion {
    let Model {
        coordinates,
        mass,
        joints,
        ..
    } = &world.model;
    let force = |body: &Body| {
        let nodes = body.nodes.clone();
        let gained = nodes.map(|node| {
            let impulse = mass[node].component_mul(&(q_dot[node] - start.q_dot[node]));
            coordinates.lift(node).tr_mul(&impulse)
        });
        (!body.kind.is_obstacle()).then(|| gained.sum::<Vec2>().norm() / h)
    };
    Motion {
        accelerating: world.bodies.iter().map(force).collect(),
        joined: joints.iter().map(|joint| joint.bodies).collect(),
    }
}

//! Warnings of pressures: those whose force is not that of the end of each step, and those that may
//! press a body flat.
//!
//! A pressure that follows edges has a potential if the edges are closed, or end where vertices are
//! held, and if it is the same everywhere. Elsewhere the force that is missing at the ends is taken
//! from the start of the step, and a reader has to know. Statics takes it from the end.
//!
//! A law without a barrier at `J = 0` of its own resists pressure by a bounded force: beyond it
//! triangles lose most of their area, and the law no longer tells what the material does.

use crate::assemble::Setup;
use crate::problem::Problem;
use ipcsim_core::body::{
    Action, Applied, Displacement, Prescribed, Pressing, ScriptedMotion, Strength,
};
use ipcsim_core::time::World;
use ipcsim_math::Vec2;
use ipcsim_math::number::short;
use ipcsim_math::varying::Varying;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Warnings of all pressures that have no potential.
pub(super) fn warnings(setup: &Setup) -> Vec<Problem> {
    let world = &setup.world;
    let mut found = Vec::new();
    if world.integrator.is_static() {
        return found;
    }
    for applied in &world.loading.applied {
        let Action::Pressing(pressing) = &applied.action else {
            continue;
        };
        let Some((reason, vertex)) = lagged(world, pressing) else {
            continue;
        };

        let message = format!(
            "\"{}\" {reason}, so that it has no potential: its force at the ends of edges is that of \
             the start of each step; {}",
            applied.name,
            "select a closed outline or hold its ends, or choose shorter steps if that matters"
        );
        let path = format!("loads[{}].pressure", applied.entry);
        found.push(Problem::warning(path, message).at(setup.state.x[vertex]));
    }
    found
}

/// Share of its stiffness (1) from which on a pressure may press a material without a barrier flat.
///
/// Higher: silence where the law of Saint Venant and Kirchhoff gives way, at 0.19 of the modulus of
/// uniaxial strain. Lower: warnings of loads that every law bears.
const CRUSHING: f64 = 0.1;

/// Multiple of its stiffness (1) from which on a pressure is none that a body of any law bears.
///
/// Higher: silence about a modulus given in megapascals next to a pressure in Pa. Lower: warnings of rubber deep in
/// water.
const OVERWHELMING: f64 = 100.0;

/// Times (s) at which a displacement is looked at.
const LOOKED_AT: [f64; 5] = [0.0, 0.013, 0.17, 1.9, 23.0];

/// Number of times of a run at which a pressure is looked at.
const LOOKS: usize = 64;

/// Warnings of pressures that may press a body flat, since its law has no barrier at `J = 0`, or that are
/// beyond what any body bears.
pub(super) fn crushing(setup: &Setup) -> Vec<Problem> {
    let Setup { scene, world, .. } = setup;
    let mut found = Vec::new();
    for applied in &world.loading.applied {
        let name = &world.bodies[applied.body].name;
        let entry = scene.bodies.iter().find(|body| body.name == *name);
        let material = entry.and_then(|entry| scene.materials.get(&entry.material));
        let Some(law) = material.and_then(|material| material.law.as_ref()) else {
            continue;
        };

        let law = law.summary();
        let end = scene.time.step * scene.time.steps as f64;
        let most = highest(applied, end);
        let share = most / law.stiffness;
        let crushes = law.is_solid && !law.has_barrier && share > CRUSHING;
        if !crushes && share <= OVERWHELMING {
            continue;
        }

        let remedy = if share > OVERWHELMING {
            "which no body bears: look at the units of both, or choose a lower pressure".to_owned()
        } else {
            format!(
                "and `{}` has no barrier of its own against being pressed flat; take neo_hookean, \
                 mooney_rivlin or yeoh, or a lower pressure",
                law.name
            )
        };
        let message = format!(
            "\"{}\" reaches {} Pa, which is {} times the stiffness of \"{name}\", {remedy}",
            applied.name,
            short(most),
            short(share),
        );
        let path = format!("loads[{}].pressure", applied.entry);
        found.push(Problem::warning(path, message));
    }
    found
}

/// Highest pressure (Pa) of a load up to the time `end` (s); 0 of a load that is no pressure.
fn highest(applied: &Applied, end: f64) -> f64 {
    let (pressure, places): (&Varying, Vec<Vec2>) = match &applied.action {
        Action::Pressing(pressing) => {
            let middles = pressing.edges.iter().map(|edge| edge.middle);
            (&pressing.pressure, middles.collect())
        }
        Action::Spread(spread) => match &spread.strength {
            Strength::Normal(pressure) => {
                let places = spread.samples.iter().map(|sample| sample.place);
                (pressure, places.collect())
            }
            Strength::Vector(_) => return 0.0,
        },
        Action::Turning(_) => return 0.0,
    };

    let mut most = 0.0_f64;
    for k in 0..=LOOKS {
        let t = end * k as f64 / LOOKS as f64;
        most = places
            .iter()
            .map(|&place| pressure.at(place, t))
            .fold(most, f64::max);
    }
    most
}

/// Reason why a pressure has no potential, and a vertex that shows it; `None` if it has one.
fn lagged(world: &World, pressing: &Pressing) -> Option<(&'static str, usize)> {
    let mut ends: BTreeMap<usize, i32> = BTreeMap::new();
    // In a closed chain each vertex is a first end as often as a last one.
    for edge in &pressing.edges {
        *ends.entry(edge.ends[0]).or_default() -= 1;
        *ends.entry(edge.ends[1]).or_default() += 1;
    }
    let free = |vertex: &usize| !is_held(world, *vertex);
    let is_loose = |vertex: usize| !is_held(world, vertex) && !is_guided(world, vertex);

    let end = ends
        .iter()
        .find(|(vertex, net)| **net != 0 && is_loose(**vertex));
    if let Some((&vertex, _)) = end {
        return Some(("acts on edges whose ends are free", vertex));
    }
    let any = ends.keys().copied().find(|vertex| free(vertex))?;
    let varies = pressing.pressure.has_place();
    varies.then_some(("is not the same everywhere", any))
}

/// True if all nodes that move a vertex are prescribed, now and later.
fn is_held(world: &World, vertex: usize) -> bool {
    let mut nodes = world.model.coordinates.nodes_of(vertex);
    nodes.all(|node| held(world, node) == [true; 2] || world.model.mass[node] == Vec2::zeros())
}

/// True if a vertex slides along a straight line at rest, such as a line of symmetry.
///
/// The force that is missing at the end of a chain is a quarter turn of its place, by a factor. Along such
/// a line it is constant, so that the start of a step has the force of its end.
fn is_guided(world: &World, vertex: usize) -> bool {
    let mut nodes = world.model.coordinates.nodes_of(vertex);
    match (nodes.next(), nodes.next()) {
        (Some(node), None) => {
            let mut own = world.prescribed.iter().filter(|p| p.node == node);
            held(world, node).contains(&true) && own.all(is_at_rest)
        }
        _ => false,
    }
}

/// True if a prescribed node stays where it is, as far as its coordinates are prescribed.
fn is_at_rest(prescribed: &Prescribed) -> bool {
    let mut times = LOOKED_AT.into_iter();
    let still =
        |own: &Arc<Displacement>| times.all(|t| own.at(prescribed.start, t) == Vec2::zeros());
    prescribed.motion == ScriptedMotion::REST && prescribed.displacement.as_ref().is_none_or(still)
}

/// True for each coordinate of a node that is prescribed, now and later.
fn held(world: &World, node: usize) -> [bool; 2] {
    let mut held = [false; 2];
    for prescribed in world.prescribed.iter().filter(|p| p.node == node) {
        if prescribed.motion.until.is_infinite() && prescribed.from <= 0.0 {
            held = [0, 1].map(|axis| held[axis] || prescribed.axes[axis]);
        }
    }
    held
}

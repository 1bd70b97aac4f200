//! Warnings of loads whose force is not that of the end of each step.
//!
//! A pressure that follows edges has a potential if the edges are closed, or end where vertices are
//! held, and if it is the same everywhere. Elsewhere the force that is missing at the ends is taken
//! from the start of the step, and a reader has to know.

use crate::body::{Action, Pressing};
use crate::math::Vec2;
use crate::scene::assemble::Setup;
use crate::scene::problem::Problem;
use crate::time::World;
use std::collections::BTreeMap;

/// Warnings of all pressures that have no potential.
pub(super) fn warnings(setup: &Setup) -> Vec<Problem> {
    let world = &setup.world;
    let mut found = Vec::new();
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

/// Reason why a pressure has no potential, and a vertex that shows it; `None` if it has one.
fn lagged(world: &World, pressing: &Pressing) -> Option<(&'static str, usize)> {
    let mut ends: BTreeMap<usize, i32> = BTreeMap::new();
    for edge in &pressing.edges {
        *ends.entry(edge.ends[0]).or_default() -= 1;
        *ends.entry(edge.ends[1]).or_default() += 1;
    }
    let free = |vertex: &usize| !is_held(world, *vertex);

    let end = ends.iter().find(|(vertex, net)| **net != 0 && free(vertex));
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
    nodes.all(|node| {
        let mut held = [false; 2];
        for prescribed in world.prescribed.iter().filter(|p| p.node == node) {
            if prescribed.motion.until.is_infinite() && prescribed.from <= 0.0 {
                held = [0, 1].map(|axis| held[axis] || prescribed.axes[axis]);
            }
        }
        held == [true; 2] || world.model.mass[node] == Vec2::zeros()
    })
}

//! Even motion of a scene that repeats, from which inertia counts where periods are prescribed.
//!
//! What the periods move beyond their flight, all bodies are taken along evenly, by their places. Then a
//! body and its image have the same acceleration, whichever of both is drawn. Where periods are free, inertia
//! itself counts so ([`crate::solve::CellInertia`]).

use super::Departure;
use crate::body::Configuration;
use crate::solve::Stage;
use ipcsim_math::Vec2;

/// Lets the inertia of a `stage` count from the mean motion of a scene that repeats: what prescribed periods
/// move beyond their flight, all bodies are taken along evenly, by their places `at` a time of the stage
/// (`[nodes]`).
pub(super) fn move_with_periods(from: Departure, at: &[Vec2], stage: &mut Stage) {
    let coordinates = &from.model.coordinates;
    if coordinates.lattice().is_none() {
        return;
    }
    let mut q = stage.predicted.q.clone();
    let beyond = beyond_flight(from, stage.end, &q);
    for (q, way) in q.iter_mut().zip(carried(from, at, &beyond)) {
        *q += way;
    }
    for (q, own) in q.iter_mut().zip(beyond) {
        *q += own;
    }
    stage.predicted = Configuration::of(coordinates, q);
}

/// What prescribed components of the periods move beyond their flight to `flown` (m) in a stage to the
/// time `end` (s), `[nodes]`; 0 for other nodes.
pub(super) fn beyond_flight(from: Departure, end: f64, flown: &[Vec2]) -> Vec<Vec2> {
    let start = from.start;
    let mut beyond = vec![Vec2::zeros(); flown.len()];
    let Some(lattice) = from.model.coordinates.lattice() else {
        return beyond;
    };
    // Only what the scene prescribes: free components fly.
    for (entry, own) in from.prescribed.iter().enumerate() {
        let node = own.node;
        if !lattice.periods().contains(&node) {
            continue;
        }
        let shift = start.parameters.shift(entry);
        let Some(goal) = own.goal(end, start.time, start.q[node], shift) else {
            continue;
        };
        for axis in (0..2).filter(|&axis| own.axes[axis]) {
            beyond[node][axis] = goal[axis] - flown[node][axis];
        }
    }
    beyond
}

/// Even motion of bodies with the motion `beyond` of the periods, at the places `at` (m; all `[nodes]`);
/// 0 for other nodes than places of bodies.
pub(super) fn carried(from: Departure, at: &[Vec2], beyond: &[Vec2]) -> Vec<Vec2> {
    let coordinates = &from.model.coordinates;
    let mut ways = vec![Vec2::zeros(); at.len()];
    let Some(lattice) = coordinates.lattice() else {
        return ways;
    };
    let even = lattice.mean_motion(at, beyond);
    for (node, way) in ways.iter_mut().enumerate() {
        let is_of_body = from.model.mass[node] != Vec2::zeros() && coordinates.is_place(node);
        if is_of_body && !lattice.periods().contains(&node) {
            *way = even * at[node];
        }
    }
    ways
}

//! Pressure of a block between plates, edge by edge.
//!
//! A lid moves down on a soft block without Poisson's effect, 1 m wide, and presses it on the
//! ground. The block is under one stress everywhere, so that the ground's force on each of 32 edges
//! is the pressure times the width of the edge. A method that gives corners half or double of their
//! share fails here.
//!
//! Pressures are shares of their own mean. That in the middle and that at the corner agree with 1
//! to 1 %, for barriers ten times stiffer and ten times softer than the block.

use crate::scenes::{Exact, RUBBER, after, ground, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "rest_patch",
    title: "Contact patch test: uniform pressure under a block",
    proves: "A uniform stress gives a uniform contact pressure, up to the corners.",
    formula: "F_i = p w_i with the width w_i of an edge",
    source: "Taylor, Papadopoulos 1991, On a patch test for contact problems in two dimensions",
    weight: Weight::Quick,
    run,
};

/// Edges of a side, modulus (Pa).
const EDGES: usize = 32;
const YOUNG: f64 = 1e6;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("x (m)", "pressure / mean"));
    outcome.plot.curve("uniform", [-0.5, 0.5], |_| 1.0);

    for (label, kappa) in [("kappa 10 E", 10.0 * YOUNG), ("kappa E / 10", 0.1 * YOUNG)] {
        let pressures = pressures(kappa)?;
        let [corner, middle] = [pressures[0][1], pressures[EDGES / 2][1]];
        let name = format!("pressure in the middle / mean, {label}");
        outcome.relative(name, "1", 1.0, middle, 0.01);

        let name = format!("pressure at the corner / mean, {label}");
        outcome.relative(name, "1", 1.0, corner, 0.01);
        outcome.plot.points(label, pressures);
    }
    Ok(outcome)
}

/// Pressure of each lower edge as a share of the mean, over its place (m).
fn pressures(kappa: f64) -> Result<Vec<[f64; 2]>, Error> {
    let d_hat = 1e-3;
    let lid = HalfPlane::new([0.0, -1.0], [0.0, 1.0 + 2.0 * d_hat]);
    let mut lid = Obstacle::new("lid", lid).with_velocity([0.0, -1e-3]);
    lid.travel = Some(1e-2);
    let block = Body::deformable("block", Square::new(1.0, EDGES), RUBBER);
    let scene = scene(1.0, 20)
        .weightless()
        .elastic(Law::linear(YOUNG, 0.0))
        .barrier(d_hat, kappa)
        .with_body(block.at([0.0, 0.5 + d_hat]))
        .with_obstacle(ground())
        .with_obstacle(lid);

    let simulation = after(scene, 20)?;
    let below = simulation
        .contacts()
        .filter(|contact| contact.bodies[1] == "ground");
    let forces: Vec<[f64; 2]> = below.map(|c| [c.point.x, c.normal_force]).collect();

    // Each edge below has one force; side faces that are within reach of the ground have a little.
    let mean = forces.iter().map(|point| point[1]).sum::<f64>() / EDGES as f64;
    let mut pressures: Vec<[f64; 2]> = forces
        .iter()
        .filter(|point| point[1] > 0.1 * mean)
        .map(|point| [point[0], point[1] / mean])
        .collect();
    pressures.sort_by(|a, b| a[0].total_cmp(&b[0]));
    Ok(pressures)
}

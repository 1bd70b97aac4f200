//! A disk that two plates press along its diameter: the Brazilian test.
//!
//! Under the force `P` per thickness a disk of the diameter `D` has the same tension `2 P / (pi D)` across the
//! whole diameter between the plates, except near them, and the compression along it is
//! `2 P / (pi D) (4 D^2 / (D^2 - 4 x^2) - 1)` at the distance `x` from the centre: `6 P / (pi D)` there.
//!
//! The plates are flat and touch within 0.03 `D`. Stresses are judged to 1 % in the centre and at 0.3 `D / 2`
//! from it, as means over the triangles at these vertices.

use crate::scenes::{Exact, RUBBER, force_between, statics};
use crate::six_nodes::disk;
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::fields::{Known, Snapshot, Subject};
use ipcsim::prelude::*;
use ipcsim::scene::schema::Plane;
use std::f64::consts::PI;

pub(super) const CASE: Case = Case {
    name: "elastic_brazilian",
    title: "Brazilian test: a disk between two plates",
    proves: "A disk that is pressed along its diameter has the tension across it that splits it.",
    formula: "sigma_y = 2 P/(pi D), sigma_x = -6 P/(pi D) in the centre",
    source: "Hertz 1883; Timoshenko, Goodier, Theory of Elasticity, article 41",
    weight: Weight::Quick,
    run,
};

/// Radius (m), rings of triangles, Young's modulus (Pa), Poisson's ratio (1).
const RADIUS: f64 = 1.0;
const RINGS: usize = 20;
const ELASTIC: [f64; 2] = [1e9, 0.3];
/// Reach of the barrier, and displacement of each plate (m).
const D_HAT: f64 = 1e-5;
const TRAVEL: f64 = 1e-3;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("x / R", "stress pi D / 2 P"));
    let along = |x: f64| 1.0 - 4.0 / (1.0 - x * x);
    outcome
        .plot
        .curve("across the diameter", [-0.8, 0.8], |_| 1.0);
    outcome.plot.curve("along it", [-0.8, 0.8], along);

    let mut simulation = Simulation::new(scene())?;
    simulation.run(2)?;
    let force = force_between(&simulation, "right", "disk").x;
    let unit = force / (PI * RADIUS);
    let [mut across, mut down] = [Vec::new(), Vec::new()];
    for [x, sigma_x, sigma_y] in stresses(&simulation) {
        across.push([x / RADIUS, sigma_y / unit]);
        down.push([x / RADIUS, sigma_x / unit]);
    }
    for place in [0.0, 0.3] {
        let at = across.iter().position(|at| (at[0] - place).abs() < 1e-6);
        let value = |list: &[[f64; 2]]| at.map_or(f64::NAN, |k| list[k][1]);
        let name = format!("stress across / (2 P / pi D), x = {place} R");
        outcome.relative(name, "1", 1.0, value(&across), 0.01);
        let name = format!("stress along / (2 P / pi D), x = {place} R");
        outcome.relative(name, "1", along(place), value(&down), 0.01);
    }
    outcome.plot.points("across, measured", across);
    outcome.plot.points("along, measured", down);
    Ok(outcome)
}

/// Distance from the centre (m) and stresses along x and y (Pa) of vertices on the diameter.
fn stresses(simulation: &Simulation) -> Vec<[f64; 3]> {
    let world = simulation.world();
    let subject = Subject::new(world, Plane::Strain, 1.0, vec![None; world.bodies.len()]);
    let state = simulation.state();
    let snapshot = Snapshot::new(&subject, Known::positions(&state.x, state.conditions()));
    let stresses = snapshot.stress();
    let both = world.rest.iter().zip(&stresses.vertices);
    let on_diameter = both.filter(|(x, _)| x.y.abs() < 1e-9 * RADIUS && x.x.abs() < 0.8 * RADIUS);
    on_diameter
        .map(|(x, stress)| [x.x, stress.xx, stress.yy])
        .collect()
}

/// The disk between two plates that close.
fn scene() -> Scene {
    let mut axis = Prescribed::held(Selection::within([-RADIUS, -1e-6], [RADIUS, 1e-6]));
    axis.axis = Some(Axis::Y);
    let body = Body::deformable("disk", disk(RADIUS, RINGS), RUBBER).quadratic();
    let [young, poisson] = ELASTIC;
    let mut scene = statics(2)
        .weightless()
        .elastic(Law::linear(young, poisson))
        .barrier(D_HAT, young)
        .with_body(body.with_prescribed(axis));
    for (name, side) in [("right", 1.0), ("left", -1.0)] {
        let plate = HalfPlane::new([-side, 0.0], [side * (RADIUS + D_HAT), 0.0]);
        let plate = Obstacle::new(name, plate).with_velocity([-side * TRAVEL, 0.0]);
        scene = scene.with_obstacle(plate);
    }
    scene
}

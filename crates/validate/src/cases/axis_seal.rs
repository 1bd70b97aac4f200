//! Bodies of revolution: an O-ring squeezed in its gland.
//!
//! A ring of rubber lies between two plates that come nearer, and the wall of its gland. No
//! closed form exists. A mesh of half the size has the same force to 1 %. A ring that is large compared with its
//! section has the force of a straight one in plane strain for each length.

use crate::perturb::simulated;
use crate::scenes::Exact;
use crate::scenes::{RUBBER, force_on, statics};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::{Area, Curve, Plane};
use std::f64::consts::TAU;

pub(super) const CASE: Case = Case {
    name: "axis_seal",
    title: "Bodies of revolution: an O-ring in its gland",
    proves: "The force of an O-ring does not depend on its mesh, and is that of a straight seal for each length of a large ring.",
    formula: "F(h) = F(h/2); F/(2 pi R) of plane strain",
    source: "meshes of half the size; plane strain of this program",
    weight: Weight::Full,
    run,
};

/// Radius of the section (m), share of its height by which it is squeezed (1), Young's modulus (Pa), Poisson's ratio (1).
const RADIUS: f64 = 1.77e-3;
const SQUEEZED: f64 = 0.2;
const ELASTIC: [f64; 2] = [5e6, 0.49];
/// Number of increments.
const INCREMENTS: usize = 4;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("squeeze (1)", "force (N)"));
    let fine = forces(Plane::Axisymmetric, 6.0 * RADIUS, RADIUS / 12.0)?;
    let coarse = forces(Plane::Axisymmetric, 6.0 * RADIUS, RADIUS / 6.0)?;
    let share = |k: usize| SQUEEZED * (k + 1) as f64 / INCREMENTS as f64;
    for (k, (coarse, fine)) in coarse.iter().zip(&fine).enumerate() {
        let percent = 100.0 * share(k);
        outcome.relative(
            format!("force at {percent} % against a fine mesh"),
            "N",
            *fine,
            *coarse,
            0.02,
        );
    }
    let points = |forces: &[f64]| {
        let both = forces.iter().enumerate();
        both.map(|(k, force)| [share(k), *force]).collect()
    };
    outcome.plot.points("fine", points(&fine));
    outcome.plot.points("coarse", points(&coarse));

    let large = 60.0 * RADIUS;
    let ring = forces(Plane::Axisymmetric, large, RADIUS / 6.0)?;
    let straight = forces(Plane::Strain, large, RADIUS / 6.0)?;
    for (k, (ring, straight)) in ring.iter().zip(&straight).enumerate() {
        let percent = 100.0 * share(k);
        let name =
            format!("force for each length of a large ring at {percent} %, against plane strain");
        outcome.relative(name, "N/m", *straight, ring / (TAU * large), 0.005);
    }
    Ok(outcome)
}

/// Forces (N, in the plane N/m) on the upper plate, of a seal whose section is at the radius `at` (m), with edges of
/// this size (m).
fn forces(plane: Plane, at: f64, size: f64) -> Result<Vec<f64>, Error> {
    let section = Curve::circle([0.0, 0.0], RADIUS);
    let ring = Body::deformable("ring", Area::new(section).with_size(size), RUBBER)
        .at([at, 0.0])
        .mean_dilatation();
    let gap = 1e-3 * RADIUS;
    let plate = |name: &str, side: f64, speed: f64| {
        let place = [0.0, -side * (RADIUS + gap)];
        Obstacle::new(name, HalfPlane::new([0.0, side], place)).with_velocity([0.0, speed])
    };

    // Squeezed by the upper plate, and held back by the wall of the gland.
    let travel = 2.0 * RADIUS * SQUEEZED + gap;
    let wall = HalfPlane::new([-1.0, 0.0], [at + 1.15 * RADIUS, 0.0]);
    let [young, nu] = ELASTIC;
    let mut scene = statics(INCREMENTS)
        .weightless()
        .elastic(Law::neo_hookean(young, nu))
        .with_body(ring)
        .with_obstacle(plate("lower", 1.0, 0.0))
        .with_obstacle(plate("upper", -1.0, -travel))
        .with_obstacle(Obstacle::new("wall", wall))
        .with_friction(0.2);
    scene.plane = plane;
    let mut simulation = simulated(scene)?;
    let mut found = Vec::new();
    for _ in 0..INCREMENTS {
        simulation.step()?;
        found.push(force_on(&simulation, "upper").y);
    }
    Ok(found)
}

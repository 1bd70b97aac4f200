//! Plane strain and plane stress of the linear law.
//!
//! A block of side 1 m is pressed by a strain `e` between frictionless plates. In plane stress the
//! third direction is free and the block answers with `E` and `nu`. In plane strain it is held,
//! which stiffens the block to `E/(1 - nu^2)` and widens it by `nu/(1 - nu)` of the strain.

use crate::scenes::{Exact, RUBBER, force_on, ground, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::Plane;

pub(super) const CASE: Case = Case {
    name: "elastic_plane",
    title: "Modulus and lateral strain in plane strain and plane stress",
    proves: "The linear law has the moduli of both assumptions across the plane.",
    formula: "stress: E and nu; strain: E / (1 - nu^2) and nu / (1 - nu)",
    source: "Timoshenko, Goodier, Theory of Elasticity, section 2.1",
    weight: Weight::Quick,
    run,
};

/// Modulus (Pa) and strain (1).
const YOUNG: f64 = 1e6;
/// Strain along the load (1).
const STRAIN: f64 = 0.01;

/// Judges force over `E e` and lateral strain over `e`, both to 2e-4, at three Poisson's ratios.
///
/// The reach of the barrier, 1e-6 m, is 1e-4 of the shortening of 0.01 m; what gaps change stays
/// within the tolerance. The linear law has no error of finite strain.
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("Poisson's ratio", "modulus / E"));
    outcome
        .plot
        .curve("strain", [0.0, 0.5], |nu| 1.0 / (1.0 - nu * nu));
    outcome.plot.curve("stress", [0.0, 0.5], |_| 1.0);

    for (label, plane) in [
        ("plane strain", Plane::Strain),
        ("plane stress", Plane::Stress),
    ] {
        let mut measured = Vec::new();
        for nu in [0.1, 0.3, 0.45] {
            let [modulus, lateral] = match plane {
                Plane::Strain | Plane::Axisymmetric => [1.0 / (1.0 - nu * nu), nu / (1.0 - nu)],
                Plane::Stress => [1.0, nu],
            };
            let [force, widened] = pressed(plane, nu)?;
            let name = format!("modulus / E, {label}, nu {nu}");
            outcome.relative(name, "1", modulus, force, 2e-4);
            let name = format!("lateral strain / strain, {label}, nu {nu}");
            outcome.relative(name, "1", lateral, widened, 2e-4);
            measured.push([nu, force]);
        }
        outcome.plot.points(format!("{label}, measured"), measured);
    }
    Ok(outcome)
}

/// Force over `E` times strain, and lateral strain over strain, of a pressed block.
fn pressed(plane: Plane, nu: f64) -> Result<[f64; 2], Error> {
    // The lid moves in 10 of 20 steps.
    let d_hat = 1e-6;
    let start = 1.0 + 2.0 * d_hat;
    let lid = Obstacle::new("lid", HalfPlane::new([0.0, -1.0], [0.0, start]));
    let mut lid = lid.with_velocity([0.0, -0.1 * STRAIN]);
    lid.travel = Some(STRAIN);
    let mut scene = scene(1.0, 20)
        .weightless()
        .elastic(Law::linear(YOUNG, nu))
        .barrier(d_hat, 1e8)
        .with_body(Body::deformable("block", Square::new(1.0, 2), RUBBER).at([0.0, 0.5 + d_hat]))
        .with_obstacle(ground())
        .with_obstacle(lid);
    scene.plane = plane;

    let mut simulation = Simulation::new(scene)?;
    let rest = simulation.body("block")?.x().to_vec();
    simulation.run(20)?;
    let x = simulation.body("block")?.x();
    let last = x.len() - 1;
    let widened = (x[last].x - x[0].x) - (rest[last].x - rest[0].x);
    Ok([
        force_on(&simulation, "lid").y / (YOUNG * STRAIN),
        widened / STRAIN,
    ])
}

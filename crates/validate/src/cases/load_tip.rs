//! A cantilever with a force at its end.
//!
//! A force `F` acts at the free end of a beam of the length `L` and height `H`. Bending gives
//! `F L^3 / 3 E' I` with `I = H^3 / 12` and the modulus of plane strain `E' = E / (1 - nu^2)`;
//! shear adds `F L / k G H` with Cowper's coefficient `k`. Equilibrium alone gives the moment `F L`
//! at the root, whatever the mesh.
//!
//! The moment agrees to 1e-6. The deflection has a tolerance of 0.5 % and a known miss: linear
//! triangles are too stiff in bending, by up to 15 % with 4 cells through the height and 2 % with
//! 16. Extrapolated with order 2, it agrees to 1 %.

use crate::formulas::shear_stiffness;
use crate::scenes::{Exact, RUBBER, after, scene};
use crate::{Case, Outcome, Plot, Quantity, Weight};
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "load_tip",
    title: "A cantilever with a force at its end",
    proves: "A force at the end, as a traction or on the vertices there, bends a beam as the theory says, and so much moment is at its root.",
    formula: "w = F L^3 / 3 E' I + F L / k G H, E' = E / (1 - nu^2)",
    source: "Timoshenko 1921; shear coefficient of Cowper 1966",
    weight: Weight::Quick,
    run,
};

/// Length and height (m); Young's modulus (Pa) and Poisson's ratio (1); force (N).
const SIZE: [f64; 2] = [1.0, 0.1];
const ELASTIC: [f64; 2] = [1e9, 0.3];
const FORCE: f64 = 1e3;

fn run() -> Result<Outcome, Error> {
    let [length, height] = SIZE;
    let [young, poisson] = ELASTIC;
    let bending = young / (1.0 - poisson * poisson) * height.powi(3) / 12.0;
    let shear = shear_stiffness(height, ELASTIC);
    let expected = FORCE * length.powi(3) / (3.0 * bending) + FORCE * length / shear;
    let mut outcome = Outcome::new(Plot::new("cells through the height", "deflection / exact"));
    outcome.plot.curve("theory of beams", [2.0, 16.0], |_| 1.0);

    for (label, load) in [
        ("traction", Load::traction("beam", [0.0, -FORCE / height])),
        ("force", Load::force("beam", [0.0, -FORCE])),
    ] {
        let mut measured = Vec::new();
        for (cells, within) in [(4, 0.15), (8, 0.05), (16, 0.02)] {
            let deflection = bent(cells, load.clone(), &mut outcome, label)?;
            let name = format!("deflection, {} x {cells} cells, {label}", 10 * cells);
            let quantity = Quantity::relative(name, "m", expected, deflection, 0.005);
            let reason =
                "linear triangles are too stiff in bending, with an error of order 2 in the size";
            outcome.check(quantity.known_miss(reason, within));
            measured.push([cells as f64, deflection / expected]);
        }

        // The two finest meshes, extrapolated with order 2.
        let limit = expected * (4.0 * measured[2][1] - measured[1][1]) / 3.0;
        let name = format!("deflection, extrapolated, {label}");
        outcome.relative(name, "m", expected, limit, 0.01);
        outcome.plot.points(label, measured);
    }
    Ok(outcome)
}

/// Deflection (m) of the end of a beam with this number of cells through its height under a load
/// there. The reaction at the root is checked as well.
fn bent(cells: usize, load: Load, outcome: &mut Outcome, label: &str) -> Result<f64, Error> {
    let beam = Body::deformable("beam", Rectangle::new(SIZE, [10 * cells, cells]), RUBBER)
        .with_prescribed(Prescribed::held(Selection::side(Side::Left)));
    let scene = scene(10.0, 6)
        .tolerance(1e-12)
        .weightless()
        .elastic(Law::linear(ELASTIC[0], ELASTIC[1]))
        .with_body(beam)
        .with_load(load.on(Selection::side(Side::Right)));
    let simulation = after(scene, 6)?;

    // Force and moment at the root, about the middle there.
    if let Some(root) = simulation.reactions().next() {
        let name = format!("moment at the root, {cells} cells, {label}");
        let moment = FORCE * SIZE[0];
        outcome.relative(name, "N m", moment, root.moment, 1e-6);
    }

    // The mean of the free end.
    let rest = &simulation.world().rest;
    let x = &simulation.state().x;
    let free = (0..x.len()).filter(|&i| rest[i].x > 0.499 * SIZE[0]);
    let sunk: Vec<f64> = free.map(|i| rest[i].y - x[i].y).collect();
    Ok(sunk.iter().sum::<f64>() / sunk.len() as f64)
}

//! A heavy bar that hangs at rest from the first step on.
//!
//! A dynamic scene begins in equilibrium (`start`). The trapezoid damps nothing: any error of the
//! start would remain as a vibration.

use crate::scenes::{DENSITY, Exact, G, RUBBER, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::Start;

pub(super) const CASE: Case = Case {
    name: "static_start",
    title: "A hanging bar that starts in equilibrium",
    proves: "A dynamic scene that starts in equilibrium stays there, and hangs as long as the formula says.",
    formula: "sag = rho g L^2 / 2 E (nu = 0, linear)",
    source: "Equilibrium of a heavy bar",
    weight: Weight::Quick,
    run,
};

/// Width and length (m), Young's modulus (Pa).
const SIZE: [f64; 2] = [0.1, 1.0];
const YOUNG: f64 = 1e7;

/// Judges the sag at the start to 1e-6, and the motion in 200 steps to 1e-6 of it.
///
/// Triangles share the weight unequally between the two vertices of a row; their mean is exact.
fn run() -> Result<Outcome, Error> {
    let bar = Body::deformable("bar", Rectangle::new(SIZE, [1, 20]), RUBBER)
        .with_prescribed(Prescribed::held(Selection::side(Side::Top)));
    let mut scene = scene(1e-3, 200)
        .elastic(Law::linear(YOUNG, 0.0))
        .with_gravity([0.0, -G])
        .with_body(bar);
    scene.start = Start::Equilibrium;
    scene.time.integrator = Scheme::Trapezoid;
    let mut simulation = Simulation::new(scene)?;
    simulation.begin()?;

    let end = |simulation: &Simulation| -> Result<f64, Error> {
        let x = simulation.body("bar")?.x();
        Ok(0.5 * (x[0].y + x[21].y + SIZE[1]))
    };
    let start = end(&simulation)?;
    let mut outcome = Outcome::new(Plot::new("time (s)", "sag (m)"));
    let sag = DENSITY * G * SIZE[1].powi(2) / (2.0 * YOUNG);
    outcome.relative("sag", "m", sag, -start, 1e-6);

    let mut most = 0.0_f64;
    let mut measured = vec![[0.0, -start]];
    for _ in 0..200 {
        simulation.step()?;
        let now = end(&simulation)?;
        most = most.max((now - start).abs());
        measured.push([simulation.time(), -now]);
    }
    outcome.absolute("motion over sag", "1", 0.0, most / sag, 1e-6);
    outcome.plot.curve("rho g L^2 / 2 E", [0.0, 0.2], |_| sag);
    outcome.plot.points("measured", measured);
    Ok(outcome)
}

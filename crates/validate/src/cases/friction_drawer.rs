//! A drawer that is pulled off its middle, and jams.
//!
//! A drawer of the length `L` moves between two guides and is pulled by the force `F` at the distance `e`
//! from its middle line. It turns until two opposite corners lean on the guides with `N = F e / L` each.
//! Both have friction `mu N`, whose moments cancel, so that the drawer accelerates by
//! `F (1 - 2 mu e / L) / m`, and jams from `2 mu e = L` on, however hard it is pulled.
//!
//! Coefficients 1 % above and below the limit bracket it: from rest the drawer moves by at most 2e-4 m,
//! or has the acceleration of the closed form. Accelerations are judged to 0.2 % of
//! `F / m`, by velocities from 0.1 s on, when it leans.

use crate::scenes::{Exact, STONE, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "friction_drawer",
    title: "A drawer that is pulled off its middle",
    proves: "A drawer jams in its guides from 2 mu e = L on, and slides below with the friction of two corners.",
    formula: "a = F (1 - 2 mu e / L) / m",
    source: "Equilibrium and Coulomb friction; Hibbeler, Engineering Mechanics: Statics, chapter 8",
    weight: Weight::Quick,
    run,
};

/// Length and width of the drawer (m), play on each side (m), force (N).
const LENGTH: f64 = 0.4;
const WIDTH: f64 = 0.3;
const PLAY: f64 = 2e-5;
const FORCE: f64 = 240.0;
/// Step (s), and steps until the drawer leans and from then on.
const H: f64 = 0.002;
const STEPS: [usize; 2] = [50, 200];

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("2 mu e / L", "acceleration m / F"));
    outcome
        .plot
        .curve("closed form", [0.0, 1.1], |share| (1.0 - share).max(0.0));
    let mut measured = Vec::new();
    for (offset, name) in [(0.4, "e = L"), (0.13, "e = 0.325 L")] {
        for share in [0.5, 0.99, 1.01] {
            let mu = share * LENGTH / (2.0 * offset);
            let [distance, got] = pulled(offset, mu)?;
            let label = format!("acceleration m / F, {name}, 2 mu e = {share} L");
            outcome.absolute(label, "1", (1.0_f64 - share).max(0.0), got, 2e-3);
            if share > 1.0 {
                let label = format!("displacement, {name}, 2 mu e = {share} L");
                outcome.at_most(label, "m", 2e-4, distance);
            }
            measured.push([share, got]);
        }
    }
    outcome.plot.points("measured", measured);
    Ok(outcome)
}

/// Displacement (m) of a drawer that is pulled at this distance from its middle line (m), and its mean
/// acceleration over `F / m` (1).
fn pulled(offset: f64, mu: f64) -> Result<[f64; 2], Error> {
    let drawer = Rectangle::new([LENGTH, WIDTH], [1, 1]);
    let pull = Load::force("drawer", [FORCE, 0.0]).at([0.5 * LENGTH, offset]);
    let mut scene = scene(H, 1)
        .weightless()
        .barrier(5e-6, 1e7)
        .rough(mu, 1e-6)
        .with_body(Body::rigid("drawer", drawer, STONE))
        .with_load(pull);
    for (name, side) in [("left guide", 1.0), ("right guide", -1.0)] {
        let guide = HalfPlane::new([0.0, -side], [0.0, side * (0.5 * WIDTH + PLAY)]);
        scene = scene.with_obstacle(Obstacle::new(name, guide));
    }

    let mut simulation = Simulation::new(scene)?;
    let mass = simulation.body("drawer")?.mass();
    simulation.run(STEPS[0])?;
    let before = simulation.body("drawer")?.velocity().x;
    simulation.run(STEPS[1])?;
    let drawer = simulation.body("drawer")?;
    let acceleration = (drawer.velocity().x - before) / (H * STEPS[1] as f64);
    Ok([drawer.centre().x, acceleration * mass / FORCE])
}

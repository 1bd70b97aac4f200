//! A slope with all numbers left to the program.

use crate::prelude::*;
use crate::validate::formulas::implicit_travel;
use crate::validate::scenes::{Exact, G, RUBBER, STONE, on_slope, scene, slope};
use crate::validate::{Case, Outcome, Plot, Quantity, Weight};

pub(super) const CASE: Case = Case {
    name: "friction_defaults",
    title: "A slope with default tolerance, d_hat, kappa and eps_v",
    proves: "The defaults of all numbers give the travel of a sliding block to 2 %, where friction takes 98 % of the driving force.",
    formula: "s = a h^2 n (n + 1)/2 with a = g (sin t - mu cos t)",
    source: "Coulomb friction; closed form of implicit Euler",
    weight: Weight::Quick,
    run,
};

fn run() -> Result<Outcome, Error> {
    let angle = 0.5_f64.atan();
    let mut outcome = Outcome::new(Plot::new("time (s)", "travel (m)"));
    for mu in [0.3, 0.49] {
        let acceleration = G * (angle.sin() - mu * angle.cos());
        let label = format!("mu {mu}");
        outcome
            .plot
            .curve(label, [0.0, 2.5], |t| 0.5 * acceleration * t * t);

        for (kind, material) in [(Kind::Rigid, STONE), (Kind::Deformable, RUBBER)] {
            let travel = travel(kind, material, mu)?;
            let got = travel.last().map_or(f64::NAN, |point| point[1]);
            let expected = implicit_travel(acceleration, 0.01, 250);
            let label = if kind == Kind::Rigid {
                "rigid"
            } else {
                "deformable"
            };
            let name = format!("travel in 2.5 s, {label}, mu {mu}");
            outcome.check(Quantity::relative(name, "m", expected, got, 0.02));
            outcome.plot.points(format!("{label}, mu {mu}"), travel);
        }
    }
    Ok(outcome)
}

/// Travel (m) over time (s) of a block on a slope of tan 0.5.
fn travel(kind: Kind, material: &str, mu: f64) -> Result<Vec<[f64; 2]>, Error> {
    let angle = 0.5_f64.atan();
    let block = Body::new("block", kind, Square::new(0.2, 2), material)
        .at(on_slope(angle, 0.0, 0.1 + 0.28e-3))
        .rotated(-angle.to_degrees());
    let mut scene = scene(0.01, 250)
        .elastic(Law::neo_hookean(1e6, 0.3))
        .with_body(block)
        .with_obstacle(slope(angle))
        .with_friction(mu);
    scene.solver.tolerance = None;

    let mut simulation = Simulation::new(scene)?;
    let start = simulation.body("block")?.centre();
    let mut travel = Vec::new();
    for _ in 0..250 {
        simulation.step()?;
        let moved = (simulation.body("block")?.centre() - start).norm();
        travel.push([simulation.time(), moved]);
    }
    Ok(travel)
}

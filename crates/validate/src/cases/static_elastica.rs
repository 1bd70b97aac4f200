//! A slender cantilever that bends far under its own weight, by statics.
//!
//! The formula is that of the case `elastic_elastica`, which waits for rest. Here the strip has a
//! slenderness of 50, and each load is one increment.

use super::elastic_elastica::elastica;
use crate::scenes::{DENSITY, Exact, RUBBER, statics};
use crate::{Case, Outcome, Plot, Quantity, Weight};
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "static_elastica",
    title: "Statics: heavy elastica of slenderness 50",
    proves: "Large rotations of a slender body are those of the elastica, to half a percent.",
    formula: "E I t'' = -q (L - s) cos t, t(0) = 0, t'(L) = 0",
    source: "Wang 1986, A critical review of the heavy elastica; solved by shooting with Runge-Kutta",
    weight: Weight::Full,
    run,
};

/// Length and height (m), Young's modulus (Pa).
const SIZE: [f64; 2] = [1.0, 0.02];
const YOUNG: f64 = 1e7;

/// Judges place and drop of the free end (m) to 0.5 %, extrapolated from two meshes with order 2.
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("x (m)", "y (m)"));
    for load in [0.5, 2.0, 6.0] {
        let curve = elastica(load);
        let end = curve[curve.len() - 1];
        outcome.plot.line(format!("q L^3 / E I = {load}"), curve);

        let coarse = bent(load, 8)?;
        let fine = bent(load, 16)?;
        for (axis, name) in ["x of the end", "drop of the end"].into_iter().enumerate() {
            let limit = (4.0 * fine[axis] - coarse[axis]) / 3.0;
            let name = format!("{name}, q L^3 / E I = {load}");
            outcome.check(Quantity::relative(name, "m", end[axis], limit, 0.005));
        }
        outcome.plot.points(format!("measured, {load}"), vec![fine]);
    }
    Ok(outcome)
}

/// Free end (m) of a cantilever with these cells through its height.
fn bent(load: f64, cells: usize) -> Result<[f64; 2], Error> {
    let gravity = load * YOUNG * SIZE[1].powi(2) / (12.0 * DENSITY * SIZE[0].powi(3));
    let along = 50 * cells;
    let strip = Rectangle::new(SIZE, [along, cells]);
    let beam = Body::deformable("beam", strip, RUBBER)
        .at([0.5 * SIZE[0], 0.0])
        .with_prescribed(Prescribed::held(Selection::side(Side::Left)));
    let scene = statics(1)
        .elastic(Law::neo_hookean(YOUNG, 0.0))
        .with_gravity([0.0, -gravity])
        .with_body(beam);

    let mut simulation = Simulation::new(scene)?;
    simulation.step()?;
    let end = simulation.body("beam")?.x()[along * (cells + 1) + cells / 2];
    Ok([end.x, end.y])
}

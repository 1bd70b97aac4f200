//! A slender cantilever that bends far under its own weight, by statics.
//!
//! The formula is that of the case `elastic_elastica`, which waits for rest. Here the strip has a
//! slenderness of 50, and each load is one increment.

use super::elastic_elastica::judge;
use crate::scenes::{DENSITY, Exact, RUBBER, statics};
use crate::{Case, Outcome, Weight};
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
    judge(bent, 8, 0.005)
}

/// Free end (m) of a cantilever with these cells through its height.
fn bent(load: f64, cells: usize) -> Result<Vec<[f64; 2]>, Error> {
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
    Ok(vec![[end.x, end.y]])
}

//! A column that buckles under its own weight.

use crate::prelude::*;
use crate::validate::scenes::{DENSITY, Exact, RUBBER, scene};
use crate::validate::{Case, Outcome, Plot, Quantity, Weight};

pub(super) const CASE: Case = Case {
    name: "elastic_buckling",
    title: "Self-buckling of a column",
    proves: "A column stands below the critical weight and buckles above it.",
    formula: "q L^3 = 7.837 E I",
    source: "Greenhill 1881; Timoshenko, Gere, Theory of Elastic Stability, section 2.12",
    weight: Weight::Full,
    run,
};

/// Width and length (m), Young's modulus (Pa), cells across and along.
const SIZE: [f64; 2] = [0.05, 1.0];
const YOUNG: f64 = 1e7;
const CELLS: [usize; 2] = [8, 160];

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("x (m)", "y (m)"));
    for share in [0.9, 1.1] {
        let line = column(share)?;
        let tip = line.last().map_or(f64::NAN, |point| point[0].abs());
        let name = format!("sideways at the top, {share} of the critical weight");
        outcome.check(if share < 1.0 {
            Quantity::at_most(name, "m", 0.02, tip)
        } else {
            Quantity::at_least(name, "m", 0.2, tip)
        });
        outcome
            .plot
            .points(format!("{share} of the critical weight"), line);
    }
    outcome.plot.line("upright", vec![[0.0, 0.0], [0.0, 1.0]]);
    Ok(outcome)
}

/// Middle line (m) of the column with a share of the critical weight, and a push of 1e-4 of it
/// sideways.
fn column(share: f64) -> Result<Vec<[f64; 2]>, Error> {
    let gravity = share * 7.837 * YOUNG * SIZE[0].powi(2) / (12.0 * DENSITY * SIZE[1].powi(3));
    let foot = Bounds::new([-1.0, -1e-6], [1.0, 1e-6]);
    let column = Body::deformable("column", Rectangle::new(SIZE, CELLS), RUBBER)
        .at([0.0, 0.5 * SIZE[1]])
        .with_prescribed(Prescribed::held(Selection::Box(foot)));
    let scene = scene(0.4, 80)
        .tolerance(1e-7)
        .elastic(Law::neo_hookean(YOUNG, 0.0))
        .with_gravity([1e-4 * gravity, -gravity])
        .with_body(column);

    let mut simulation = Simulation::new(scene)?;
    simulation.run(80)?;
    let x = simulation.body("column")?.x();
    let middle = (0..=CELLS[1]).map(|j| x[CELLS[0] / 2 * (CELLS[1] + 1) + j]);
    Ok(middle.map(|x| [x.x, x.y]).collect())
}

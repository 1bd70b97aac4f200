//! A column that buckles under its own weight.
//!
//! The column is clamped at its foot, has no Poisson effect (`nu = 0`) and the thickness 1 m, so
//! that `I = W^3/12`. Its weight per length is `q = rho g W` (N/m). Gravity `g` is chosen so that
//! `q L^3` is 0.9 and 1.1 of Greenhill's critical value `7.837 E I`, at which the straight shape
//! loses its stability.
//!
//! A perfect column would stand at any weight. A sideways gravity of 1e-4 of the downward one is
//! the imperfection. On its own it bends the top by `1e-4 q L^4/(8 E I)`, about 0.1 mm; compression
//! amplifies that about tenfold at 0.9 of the critical weight.

use crate::scenes::{DENSITY, Exact, RUBBER, after, scene};
use crate::{Case, Outcome, Plot, Quantity, Weight};
use ipcsim::prelude::*;

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
/// Young's modulus (Pa); with the width it sets the bending stiffness `E I`.
const YOUNG: f64 = 1e7;
/// Cells across and along, squares of 6.25 mm.
const CELLS: [usize; 2] = [8, 160];

/// Judges how far the top is from the axis (m): at most 0.02 m below the critical weight, at least
/// 0.2 m above. The case asks on which side of the critical weight the column is, not for its shape
/// after buckling, so that both limits are wide.
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
    // Greenhill's value, solved for g with q = rho g W and I = W^3/12.
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

    let simulation = after(scene, 80)?;
    let x = simulation.body("column")?.x();
    let middle = (0..=CELLS[1]).map(|j| x[CELLS[0] / 2 * (CELLS[1] + 1) + j]);
    Ok(middle.map(|x| [x.x, x.y]).collect())
}

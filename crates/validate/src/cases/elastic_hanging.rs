//! A bar that hangs under its own weight, of triangles and of springs.
//!
//! A row of springs between two rows of vertices has `n + 1` upright springs of stiffness `4 k` and
//! `2 n` diagonals of `2 k`, by the second derivatives of their energies. It carries what hangs
//! below.
//!
//! The section at the depth `y` (m) carries `rho g W (L - y)` (N per metre of thickness). The
//! strain is that over `E W`, and its integral from the top is `u = rho g (L y - y^2/2)/E`. All
//! vertices are held sideways and the law has `nu = 0`, so that the problem has one dimension.

use crate::scenes::{DENSITY, Exact, G, RUBBER, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::Axis;

pub(super) const CASE: Case = Case {
    name: "elastic_hanging",
    title: "Elongation of a hanging bar, triangles and springs",
    proves: "Gravity stretches a bar as the theory of elasticity says, and a lattice of springs by its row stiffness.",
    formula: "u = rho g (L y - y^2/2) / E from the top; springs: sum over rows of weight below / 4 k (2 n + 1)",
    source: "Timoshenko, Strength of Materials; second derivatives of the spring energy",
    weight: Weight::Quick,
    run,
};

/// Width and length (m), cells across and along, stiffness (Pa).
const SIZE: [f64; 2] = [0.1, 1.0];
/// Cells across and along; rows of the lattice are those along.
const CELLS: [usize; 2] = [4, 40];
/// Young's modulus of triangles, and stiffness of the springs' law (Pa).
const STIFFNESS: f64 = 1e8;

/// Judges the elongation at the lower end (m) to 1e-4, for triangles and for springs.
///
/// The lattice is compared with its own sum over rows, not with the bar: its stiffness differs from
/// that of a continuum. Ten steps of 10 s are long beside the period of the bar, `4 L/sqrt(E/rho)`
/// or 13 ms, so that implicit Euler leaves it at rest.
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("depth below the top (m)", "displacement (mm)"));
    let exact = |y: f64| DENSITY * G * (SIZE[1] * y - 0.5 * y * y) / STIFFNESS;
    outcome
        .plot
        .curve("bar", [0.0, SIZE[1]], |y| 1e3 * exact(y));

    let bar = hang(Law::linear(STIFFNESS, 0.0))?;
    let got = bar[CELLS[1]][1] * 1e-3;
    outcome.relative("elongation, triangles", "m", exact(SIZE[1]), got, 1e-4);
    outcome.plot.points("triangles", bar);

    let lattice = lattice();
    let springs = hang(Law::mass_spring(STIFFNESS))?;
    let [expected, got] = [&lattice, &springs].map(|points| points[CELLS[1]][1] * 1e-3);
    outcome.relative("elongation, springs", "m", expected, got, 1e-4);
    outcome.plot.line("rows of springs", lattice);
    outcome.plot.points("springs", springs);
    Ok(outcome)
}

/// Displacement (mm) over depth (m) of a lattice of springs, row by row.
fn lattice() -> Vec<[f64; 2]> {
    let cell = SIZE[1] / CELLS[1] as f64;
    // A row has n + 1 upright springs of 4 k and 2 n diagonals of 2 k.
    let row = 4.0 * STIFFNESS * (2 * CELLS[0] + 1) as f64;
    let mut points = vec![[0.0, 0.0]];
    for k in 0..CELLS[1] {
        // Whole rows below, and half of the one at the lower end of these springs' cells.
        let below = (CELLS[1] - k) as f64 - 0.5;
        let weight = below * cell * SIZE[0] * DENSITY * G;
        points.push([(k + 1) as f64 * cell, points[k][1] + 1e3 * weight / row]);
    }
    points
}

/// Displacement (mm) over depth (m) of the middle of each row of a bar that is held at the top.
fn hang(law: Law) -> Result<Vec<[f64; 2]>, Error> {
    let top = Bounds::new([-1.0, -1e-6], [1.0, 1e-6]);
    let held = |vertices: Selection, axis: Axis| Prescribed {
        axis: Some(axis),
        ..Prescribed::held(vertices)
    };
    let bar = Body::deformable("bar", Rectangle::new(SIZE, CELLS), RUBBER)
        .at([0.0, -0.5 * SIZE[1]])
        .with_prescribed(held(Selection::All, Axis::X))
        .with_prescribed(held(Selection::Box(top), Axis::Y));
    let scene = scene(10.0, 10).tolerance(1e-14).elastic(law).with_body(bar);

    let mut simulation = Simulation::new(scene)?;
    let start = simulation.body("bar")?.x().to_vec();
    simulation.run(10)?;
    let x = simulation.body("bar")?.x();

    // Rows are averaged: corners of cells have different shares of the mass.
    let row = |k: usize| {
        let across = (0..=CELLS[0]).map(|i| i * (CELLS[1] + 1) + CELLS[1] - k);
        let sum: f64 = across.map(|i| start[i].y - x[i].y).sum();
        let depth = SIZE[1] * k as f64 / CELLS[1] as f64;
        [depth, 1e3 * sum / (CELLS[0] + 1) as f64]
    };
    Ok((0..=CELLS[1]).map(row).collect())
}

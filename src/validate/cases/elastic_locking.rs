//! Bending of a nearly incompressible cantilever, for two patterns of triangles.
//!
//! A linear triangle of an incompressible material keeps its area. With diagonals that all run one
//! way, a mesh has about as many such conditions as unknowns, and locks. Alternating diagonals
//! leave more freedom.
//!
//! The beam and its closed form are those of `elastic_cantilever`, with `nu = 0.4999`: the bulk
//! modulus is several thousand times the shear modulus, and a change of area costs far more than
//! bending. A mesh that locks bends too little, since its triangles can keep their areas in few
//! ways. Quadratic triangles have about one condition for four coordinates, and bend.

use crate::prelude::*;
use crate::validate::formulas::timoshenko;
use crate::validate::scenes::{DENSITY, G, RUBBER, cantilever};
use crate::validate::{Case, Outcome, Plot, Quantity, Weight};

pub(super) const CASE: Case = Case {
    name: "elastic_locking",
    title: "Bending at nu 0.4999: locking of linear triangles",
    proves: "Built-in rectangles hardly lock near incompressibility, meshes with uniform diagonals do, and quadratic triangles do not.",
    formula: "w = q L^4 / 8 E' I + q L^2 / 2 k G H, E' = E / (1 - nu^2)",
    source: "Timoshenko 1921; Hughes, The Finite Element Method, section 4.3 on constraint counts",
    weight: Weight::Quick,
    run,
};

/// Length and height (m); Young's modulus (Pa) and Poisson's ratio (1).
const SIZE: [f64; 2] = [1.0, 0.1];
/// Young's modulus (Pa); Poisson's ratio (1), near the incompressible 0.5.
const ELASTIC: [f64; 2] = [1e9, 0.4999];

/// Judges the mean deflection (m) of the free end to 1 %, with known misses.
///
/// Alternating diagonals miss by at most 20, 8 and 5 % with 4, 8 and 16 cells through the height,
/// the usual error of order 2. Uniform diagonals may miss by all of the deflection: the case
/// records how far they lock, and does not bound it.
fn run() -> Result<Outcome, Error> {
    let expected = timoshenko(DENSITY * G * SIZE[1], SIZE, ELASTIC);
    let mut outcome = Outcome::new(Plot::new("cells through the height", "deflection / exact"));
    outcome.plot.curve("theory of beams", [2.0, 16.0], |_| 1.0);

    let stiff = "linear triangles are too stiff in bending, with an error of order 2 in the size";
    let locks = "linear triangles lock near incompressibility if all diagonals run one way";
    let [mut alternating, mut uniform] = [Vec::new(), Vec::new()];
    for (cells, within) in [(4, 0.2), (8, 0.08), (16, 0.05)] {
        let built_in = Rectangle::new(SIZE, [10 * cells, cells]);
        for (label, shape, reason, within, points) in [
            (
                "alternating",
                Shape::from(built_in),
                stiff,
                within,
                &mut alternating,
            ),
            (
                "uniform",
                Shape::from(one_way(cells)),
                locks,
                1.0,
                &mut uniform,
            ),
        ] {
            let beam = Body::deformable("beam", shape, RUBBER);
            let deflection = cantilever(beam, SIZE, ELASTIC)?;
            let name = format!("deflection, {label} diagonals, {} x {cells}", 10 * cells);
            let quantity = Quantity::relative(name, "m", expected, deflection, 0.01);
            outcome.check(quantity.known_miss(reason, within));
            points.push([cells as f64, deflection / expected]);
        }
    }

    // Quadratic triangles on the mesh that locks.
    let mut six = Vec::new();
    for (cells, within) in [(2, 0.08), (4, 0.045)] {
        let beam = Body::deformable("beam", one_way(cells), RUBBER).quadratic();
        let deflection = cantilever(beam, SIZE, ELASTIC)?;
        let name = format!(
            "deflection, quadratic, uniform diagonals, {} x {cells}",
            10 * cells
        );
        let quantity = Quantity::relative(name, "m", expected, deflection, 0.01);
        let reason =
            "a coarse mesh of triangles, and a beam that is held more firmly than its theory says";
        outcome.check(quantity.known_miss(reason, within));
        six.push([cells as f64, deflection / expected]);
    }
    outcome.plot.points("quadratic, uniform diagonals", six);
    outcome.plot.points("alternating diagonals", alternating);
    outcome.plot.points("uniform diagonals", uniform);
    Ok(outcome)
}

/// The rectangle with all diagonals in one direction.
///
/// The built-in rectangle alternates them, so that this mesh is written out: vertices by columns,
/// two triangles for each cell, both along its diagonal from lower left to upper right.
fn one_way(cells: usize) -> InlineMesh {
    let [nx, ny] = [10 * cells, cells];
    let vertex = |k: usize| {
        let share = [
            (k / (ny + 1)) as f64 / nx as f64,
            (k % (ny + 1)) as f64 / ny as f64,
        ];
        [SIZE[0] * (share[0] - 0.5), SIZE[1] * (share[1] - 0.5)]
    };
    let at = |i: usize, j: usize| i * (ny + 1) + j;
    let triangles = (0..nx * ny).flat_map(|k| {
        let [i, j] = [k / ny, k % ny];
        let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        [[a, b, c], [a, c, d]]
    });
    InlineMesh::new(
        (0..(nx + 1) * (ny + 1)).map(vertex).collect(),
        triangles.collect(),
    )
}

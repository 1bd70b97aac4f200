//! Cook's membrane: a tapered panel in plane stress, fixed on the left and sheared on the right.
//!
//! Its corners are (0, 0), (48, 44), (48, 60) and (0, 44). With `E = 1`, `nu = 1/3` and a force of 1
//! along the right edge the middle of that edge rises by 23.967, in a linear theory of small
//! displacements. Here the force is a millionth of that, and the displacement is divided by as much.
//!
//! Bending, shear and a singular corner come together, so that the panel tells elements apart:
//! quadratic triangles come near with a few of them, linear ones do not.

use crate::scenes::{Exact, RUBBER, statics};
use crate::{Case, Outcome, Plot, Quantity, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::{Plane, Side};

pub(super) const CASE: Case = Case {
    name: "elastic_cook",
    title: "Cook's membrane, linear and quadratic triangles",
    proves: "Quadratic triangles meet the displacement of Cook's membrane to 0.2 % with 16 x 16 cells.",
    formula: "u_y(48, 52) = 23.967 for E = 1, nu = 1/3, F = 1 in plane stress",
    source: "Cook 1974, Improved two-dimensional finite element; limit by quadratic triangles on meshes of up to 48 x 48 cells, extrapolated",
    weight: Weight::Quick,
    run,
};

/// Displacement of the middle of the loaded edge (m).
const EXPECTED: f64 = 23.967;

/// Factor of the force, so small that displacements are (1).
const SMALL: f64 = 1e-6;

/// Young's modulus (Pa): with it and a force of `SMALL` times itself displacements are those of 1.
const YOUNG: f64 = 1e6;

/// Judges quadratic triangles on 16 x 16 cells to 0.2 %, with known misses of coarser meshes and of
/// linear triangles.
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("cells along an edge", "displacement / exact"));
    outcome.plot.curve("limit", [4.0, 16.0], |_| 1.0);
    let coarse = "a mesh this coarse is too stiff; the corner at the upper left is singular";
    let linear = "linear triangles are too stiff in bending, with an error of order 2 in the size";

    let [mut three, mut six] = [Vec::new(), Vec::new()];
    for (cells, miss) in [(4, Some(0.03)), (8, Some(0.01)), (16, None)] {
        let rise = risen(cells, true)?;
        let name = format!("displacement, quadratic triangles, {cells} x {cells} cells");
        let quantity = Quantity::relative(name, "m", EXPECTED, rise, 0.002);
        outcome.check(match miss {
            Some(within) => quantity.known_miss(coarse, within),
            None => quantity,
        });
        six.push([cells as f64, rise / EXPECTED]);
    }
    for (cells, within) in [(8, 0.3), (16, 0.12), (32, 0.04)] {
        let rise = risen(cells, false)?;
        let name = format!("displacement, linear triangles, {cells} x {cells} cells");
        let quantity = Quantity::relative(name, "m", EXPECTED, rise, 0.002);
        outcome.check(quantity.known_miss(linear, within));
        three.push([cells as f64, rise / EXPECTED]);
    }
    outcome.plot.points("quadratic", six);
    outcome.plot.points("linear", three);
    Ok(outcome)
}

/// Rise (m) of the middle of the right edge, scaled to a force of 1.
fn risen(cells: usize, is_quadratic: bool) -> Result<f64, Error> {
    let panel = Body::deformable("panel", mesh(cells), RUBBER)
        .with_prescribed(Prescribed::held(Selection::side(Side::Left)));
    let panel = if is_quadratic {
        panel.quadratic()
    } else {
        panel
    };
    // The right edge is 16 m long, and so the resultant of the traction is SMALL * YOUNG.
    let shear = SMALL * YOUNG / 16.0;
    let load = Load::traction("panel", [0.0, shear]).on(Selection::side(Side::Right));
    let mut scene = statics(1)
        .weightless()
        .elastic(Law::linear(YOUNG, 1.0 / 3.0))
        .with_body(panel)
        .with_load(load);
    scene.plane = Plane::Stress;

    let mut simulation = Simulation::new(scene)?;
    simulation.step()?;
    let middle = cells * (cells + 1) + cells / 2;
    let end = simulation.body("panel")?.x()[middle];
    Ok((end.y - 52.0) / SMALL)
}

/// Mesh of the panel, by columns from the left, with diagonals that rise to the right.
pub(super) fn mesh(cells: usize) -> InlineMesh {
    let mut vertices = Vec::new();
    let mut triangles = Vec::new();
    for i in 0..=cells {
        for j in 0..=cells {
            let [u, v] = [i, j].map(|k| k as f64 / cells as f64);
            let [bottom, top] = [44.0 * u, 44.0 + 16.0 * u];
            vertices.push([48.0 * u, bottom + (top - bottom) * v]);
        }
    }
    for i in 0..cells {
        for j in 0..cells {
            let a = i * (cells + 1) + j;
            let [b, c, d] = [a + cells + 1, a + cells + 2, a + 1];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    InlineMesh::new(vertices, triangles)
}

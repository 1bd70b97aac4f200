//! An elastic beam behind a cylinder that sags under its weight: CSM1 and CSM2 of Turek and Hron.
//!
//! The beam of 0.35 x 0.02 m ends at x = 0.6 m and is fixed to a cylinder of radius 0.05 m about
//! (0.2, 0.2). Its material is that of St. Venant and Kirchhoff in plane strain with `nu = 0.4` and
//! a density of 1000 kg/m^3, under gravity of 2 m/s^2.
//!
//! Linear triangles are too stiff in bending, with an error of second order in their size. So three
//! meshes are compared, and extrapolated. Quadratic triangles meet the published numbers on the coarse
//! mesh.

use crate::scenes::{Exact, RUBBER, statics};
use crate::six_nodes::six_nodes;
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::math::Vec2;
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "static_csm",
    title: "Statics: the benchmarks CSM1 and CSM2",
    proves: "Large deflections converge to published numbers, with second order in the size of triangles.",
    formula: "displacement of (0.6, 0.2); E = 1.4 MPa (CSM1), 5.6 MPa (CSM2)",
    source: "Turek and Hron 2006, Proposal for numerical benchmarking of fluid-structure interaction; finest levels of featflow.de",
    weight: Weight::Full,
    run,
};

/// Centre and radius of the cylinder (m).
const CENTER: Vec2 = Vec2::new(0.2, 0.2);
const RADIUS: f64 = 0.05;

/// Cells through the height of the beam, coarse first.
const CELLS: [usize; 3] = [8, 16, 32];

/// Judges the order to 0.2, and the extrapolated displacement to 0.5 %; quadratic triangles to 0.1 %.
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("cells through the height", "drop / published"));
    outcome.plot.curve("published", [8.0, 32.0], |_| 1.0);
    for (name, young, published) in [
        ("CSM1", 1.4e6, [-7.187_7e-3, -66.102_3e-3]),
        ("CSM2", 5.6e6, [-0.469_00e-3, -16.973_9e-3]),
    ] {
        let mut measured = Vec::new();
        for cells in CELLS {
            measured.push(sagged(young, cells, false)?);
        }
        let six = sagged(young, CELLS[0], true)?;
        for (axis, label) in ["x", "y"].into_iter().enumerate() {
            let [coarse, middle, fine] = [0, 1, 2].map(|k: usize| measured[k][axis]);
            let order = ((middle - coarse) / (fine - middle)).log2();
            let quantity = format!("order of the displacement along {label}, {name}");
            outcome.absolute(quantity, "1", 2.0, order, 0.2);
            let limit = (4.0 * fine - middle) / 3.0;
            let quantity = format!("displacement along {label}, extrapolated, {name}");
            let expected = published[axis];
            outcome.relative(quantity, "m", expected, limit, 0.005);
            let quantity = format!("displacement along {label}, quadratic triangles, {name}");
            outcome.relative(quantity, "m", expected, six[axis], 0.001);
        }
        let ratios = CELLS.iter().zip(&measured);
        let points = ratios.map(|(&cells, u)| [cells as f64, u[1] / published[1]]);
        outcome.plot.points(name, points.collect());
        let point = [CELLS[0] as f64, six[1] / published[1]];
        outcome
            .plot
            .points(format!("{name}, quadratic"), vec![point]);
    }
    Ok(outcome)
}

/// Displacement (m) of the middle of the free end, with this number of cells through the height and
/// linear or quadratic triangles.
fn sagged(young: f64, cells: usize, is_quadratic: bool) -> Result<[f64; 2], Error> {
    // Cells are squares, since the beam is 17.5 times as long as high.
    let along = 35 * cells / 2;
    let mut vertices = Vec::new();
    for i in 0..=along {
        for j in 0..=cells {
            let y = 0.02 * (j as f64 / cells as f64 - 0.5);
            let root = 0.2 + (0.05_f64.powi(2) - y * y).sqrt();
            let share = i as f64 / along as f64;
            vertices.push([root + (0.6 - root) * share, 0.2 + y]);
        }
    }

    // Diagonals alternate, or the beam would have a direction of its own.
    let mut triangles = Vec::new();
    for i in 0..along {
        for j in 0..cells {
            let a = i * (cells + 1) + j;
            let [b, c, d] = [a + cells + 1, a + cells + 2, a + 1];
            if (i + j) % 2 == 0 {
                triangles.extend([[a, b, c], [a, c, d]]);
            } else {
                triangles.extend([[a, b, d], [b, c, d]]);
            }
        }
    }

    let last = along * (cells + 1) + cells / 2;
    let mut mesh = InlineMesh::new(vertices, triangles);
    let root: Vec<usize> = if is_quadratic {
        let on_root = |x: Vec2| ((x - CENTER).norm() - RADIUS).abs() < 1e-9;
        mesh = six_nodes(&mesh, |[a, b]| {
            let middle = (a + b) / 2.0;
            let out = middle - CENTER;
            let is_root = on_root(a) && on_root(b);
            if is_root {
                CENTER + out * (RADIUS / out.norm())
            } else {
                middle
            }
        });
        let held = (0..mesh.vertices.len()).filter(|&i| on_root(mesh.vertices[i].into()));
        held.collect()
    } else {
        (0..=cells).collect()
    };
    let beam = Body::deformable("beam", mesh, RUBBER)
        .with_prescribed(Prescribed::held(Selection::Indices(root)));
    let beam = if is_quadratic { beam.quadratic() } else { beam };
    let scene = statics(1)
        .elastic(Law::st_venant_kirchhoff(young, 0.4))
        .with_gravity([0.0, -2.0])
        .with_body(beam);
    let mut simulation = Simulation::new(scene)?;
    simulation.step()?;
    let end = simulation.body("beam")?.x()[last];
    Ok([end.x - 0.6, end.y - 0.2])
}

//! The patch test on a distorted mesh.
//!
//! `X` (m) are places at rest, `x` places now, and `F` is a constant matrix with stretch, shear and
//! rotation in it. A uniform `F` has a uniform stress, which is in equilibrium without loads.
//! Linear triangles contain every uniform deformation, so that vertices inside must find it on any
//! mesh.

use crate::scenes::{Exact, RUBBER, after, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::math::{Mat2, Vec2};
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "elastic_patch",
    title: "Patch test on a distorted mesh, four laws",
    proves: "If the boundary of a distorted mesh follows a uniform deformation, so do all vertices inside.",
    formula: "x = F X",
    source: "Irons 1966; Zienkiewicz, Taylor, The Finite Element Method, chapter on the patch test",
    weight: Weight::Quick,
    run,
};

/// Cells of a side, and steps of the motion of the boundary.
const CELLS: usize = 4;
/// Steps of the motion of the boundary; as many follow at rest.
const STEPS: usize = 10;

/// Judges the largest distance (m) of a vertex from `F X` for each law, to 1e-10 m.
///
/// The method has no error here: the tolerance is that of Newton's method and of rounding alone.
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("x (m)", "y (m)"));
    // Not symmetric, so that it turns as well as stretches and shears.
    let deformation = Mat2::new(1.1, 0.15, -0.05, 0.9);
    let rest: Vec<Vec2> = grid().iter().map(|&[x, y]| Vec2::new(x, y)).collect();

    let to_point = |x: Vec2| [x.x, x.y];
    let corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.0, 0.0]];
    let outline = corners.map(|[x, y]| to_point(deformation * Vec2::new(x, y)));
    outcome.plot.line("boundary", outline.to_vec());

    for (label, law) in [
        ("neo-Hookean", Law::neo_hookean(1e5, 0.4)),
        ("fixed corotated", Law::fixed_corotated(1e5, 0.4)),
        ("Saint Venant-Kirchhoff", Law::st_venant_kirchhoff(1e5, 0.4)),
        ("linear", Law::linear(1e5, 0.4)),
    ] {
        let x = deformed(law, deformation)?;
        let errors = x
            .iter()
            .zip(&rest)
            .map(|(x, rest)| (x - deformation * rest).norm());
        let largest = errors.fold(0.0, f64::max);
        let name = format!("largest |x - F X|, {label}");
        outcome.absolute(name, "m", 0.0, largest, 1e-10);
        outcome
            .plot
            .points(label, x.into_iter().map(to_point).collect());
    }
    Ok(outcome)
}

/// Positions (m) of all vertices after the boundary has moved by `F X - X`, at rest.
fn deformed(law: Law, deformation: Mat2) -> Result<Vec<Vec2>, Error> {
    let mesh = mesh();
    let vertices = mesh.vertices.clone();

    // Each vertex of the boundary moves at its own constant velocity.
    let mut body = Body::deformable("body", mesh, RUBBER);
    for (k, &[x, y]) in vertices.iter().enumerate() {
        let [i, j] = [k / (CELLS + 1), k % (CELLS + 1)];
        if i.min(j) == 0 || i.max(j) == CELLS {
            let rest = Vec2::new(x, y);
            let velocity = (deformation * rest - rest) / STEPS as f64;
            let mut moved =
                Prescribed::moved(Selection::Indices(vec![k]), [velocity.x, velocity.y]);
            moved.travel = Some(velocity.norm() * STEPS as f64);
            body = body.with_prescribed(moved);
        }
    }

    // The boundary moves in the first half of the steps, the vertices inside settle in the second.
    let scene = scene(1.0, 2 * STEPS)
        .tolerance(1e-12)
        .weightless()
        .elastic(law)
        .with_body(body);
    let simulation = after(scene, 2 * STEPS)?;
    Ok(simulation.body("body")?.x().to_vec())
}

/// Triangles of the unit square, whose vertices inside are off the grid.
pub(super) fn mesh() -> InlineMesh {
    let at = |i: usize, j: usize| i * (CELLS + 1) + j;
    let cells = (0..CELLS * CELLS).flat_map(|k| {
        let [i, j] = [k / CELLS, k % CELLS];
        let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        [[a, b, c], [a, c, d]]
    });
    InlineMesh::new(grid(), cells.collect())
}

/// Vertices of the unit square (m), those inside moved off the grid.
fn grid() -> Vec<[f64; 2]> {
    let n = CELLS as f64;
    let vertex = |k: usize| {
        let [i, j] = [k / (CELLS + 1), k % (CELLS + 1)];
        let inside = i.min(j) > 0 && i.max(j) < CELLS;
        let shift = if inside { 0.3 / n } else { 0.0 };
        let wave = [(3.0 * k as f64).sin(), (5.0 * k as f64).cos()];
        [
            i as f64 / n + shift * wave[0],
            j as f64 / n + shift * wave[1],
        ]
    };
    (0..(CELLS + 1) * (CELLS + 1)).map(vertex).collect()
}

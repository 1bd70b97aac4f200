//! Patch tests of quadratic triangles whose sides are curved at rest.
//!
//! A linear field is the exact solution inside a body whose boundary has it, and a uniform stress is
//! one under a uniform traction. Triangles with six nodes reproduce both on any mesh, also with curved
//! sides inside: their positions at rest are a function of their own, and three points integrate the
//! forces of a constant stress exactly. Mass counts the area within the curves.

use crate::scenes::{Exact, RUBBER, after, scene, statics};
use crate::six_nodes::six_nodes;
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::math::{Mat2, Vec2};
use ipcsim::prelude::*;
use ipcsim::scene::schema::Side;

pub(super) const CASE: Case = Case {
    name: "elastic_six_nodes",
    title: "Patch tests of curved quadratic triangles",
    proves: "Distorted six-node triangles with curved sides inside reproduce linear fields and uniform tension.",
    formula: "x = F X inside, if it holds on the boundary; u_x = sigma X / E under a traction sigma",
    source: "Zienkiewicz and Taylor, The Finite Element Method, chapter 10",
    weight: Weight::Quick,
    run,
};

/// Cells along each side of the square.
const CELLS: usize = 3;

/// Steps in which the boundary moves.
const STEPS: usize = 2;

/// The method has no error here: the tolerance is that of Newton's method and of rounding alone.
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("x (m)", "y (m)"));
    let deformation = Mat2::new(1.1, 0.15, -0.05, 0.9);
    for (label, law) in [
        ("neo-Hookean", Law::neo_hookean(1e5, 0.4)),
        ("fixed corotated", Law::fixed_corotated(1e5, 0.4)),
        ("linear", Law::linear(1e5, 0.4)),
    ] {
        let mesh = mesh();
        let body = Body::deformable("body", mesh.clone(), RUBBER).quadratic();
        let x = deformed(body, &mesh, law, deformation)?
            .body("body")?
            .x()
            .to_vec();
        let errors = x.iter().zip(&mesh.vertices).map(|(x, &rest)| {
            let exact = deformation * Vec2::from(rest);
            (x - exact).norm()
        });
        let largest = errors.fold(0.0, f64::max);
        let name = format!("largest |x - F X|, {label}");
        outcome.absolute(name, "m", 0.0, largest, 1e-10);
        let points = x.iter().map(|x| [x.x, x.y]).collect();
        outcome.plot.points(label, points);
    }

    let miss = pulled()?;
    let name = "largest error of the displacement under uniform tension, over the largest";
    outcome.absolute(name, "1", 0.0, miss, 1e-8);
    Ok(outcome)
}

/// The body, whose mesh is one of the unit square, after the boundary has moved by `F X - X`, at rest.
///
/// # Errors
/// If the scene cannot be built or a step fails.
pub(super) fn deformed(
    mut body: Body,
    mesh: &InlineMesh,
    law: Law,
    deformation: Mat2,
) -> Result<Simulation, Error> {
    for (k, &rest) in mesh.vertices.iter().enumerate() {
        let is_inside = rest.iter().all(|&c| c > 1e-9 && c < 1.0 - 1e-9);
        if is_inside {
            continue;
        }
        let rest = Vec2::from(rest);
        let velocity = (deformation * rest - rest) / STEPS as f64;
        let mut moved = Prescribed::moved(Selection::Indices(vec![k]), [velocity.x, velocity.y]);
        moved.travel = Some(velocity.norm() * STEPS as f64);
        body = body.with_prescribed(moved);
    }
    // The boundary moves in a third of the steps, the nodes inside settle in the others.
    let scene = scene(1.0, 3 * STEPS)
        .tolerance(1e-12)
        .weightless()
        .elastic(law)
        .with_body(body);
    let simulation = after(scene, 3 * STEPS)?;
    Ok(simulation)
}

/// Largest error of the displacement of the square, held along its left side and pulled at its right
/// one with `nu = 0`, over the displacement of that side.
fn pulled() -> Result<f64, Error> {
    let mesh = mesh();
    let [young, stress] = [1e6, 1.0];
    let body = Body::deformable("body", mesh.clone(), RUBBER)
        .quadratic()
        .with_prescribed(Prescribed::held(Selection::side(Side::Left)));
    let load = Load::traction("body", [stress, 0.0]).on(Selection::side(Side::Right));
    let scene = statics(1)
        .weightless()
        .elastic(Law::linear(young, 0.0))
        .with_body(body)
        .with_load(load);
    let mut simulation = Simulation::new(scene)?;
    simulation.step()?;

    let x = simulation.body("body")?.x().to_vec();
    let misses = x.iter().zip(&mesh.vertices).map(|(x, &rest)| {
        let exact = Vec2::new(stress / young * rest[0], 0.0);
        (x - Vec2::from(rest) - exact).norm() * young / stress
    });
    Ok(misses.fold(0.0, f64::max))
}

/// Six-node triangles of the unit square: vertices inside are off the grid, and so are the middles of
/// sides inside, whose sides are curved.
pub(super) fn mesh() -> InlineMesh {
    let n = CELLS as f64;
    let mut vertices = Vec::new();
    let mut triangles = Vec::new();
    for i in 0..=CELLS {
        for j in 0..=CELLS {
            let is_inside = i.min(j) > 0 && i.max(j) < CELLS;
            let shift = if is_inside { 0.2 / n } else { 0.0 };
            let k = (i * (CELLS + 1) + j) as f64;
            let x = i as f64 / n + shift * (3.0 * k).sin();
            let y = j as f64 / n + shift * (5.0 * k).cos();
            vertices.push([x, y]);
            if i < CELLS && j < CELLS {
                let a = i * (CELLS + 1) + j;
                let [b, c, d] = [a + CELLS + 1, a + CELLS + 2, a + 1];
                triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
    }
    six_nodes(&InlineMesh::new(vertices, triangles), |[a, b]| {
        let middle = (a + b) / 2.0;
        let is_inside = middle.iter().all(|&c| c > 1e-9 && c < 1.0 - 1e-9);
        let off = Vec2::new((17.0 * middle.y).sin(), (13.0 * middle.x).cos()) * (0.03 / n);
        // Sides on the outline stay straight, or the body would not be the unit square.
        if is_inside { middle + off } else { middle }
    })
}

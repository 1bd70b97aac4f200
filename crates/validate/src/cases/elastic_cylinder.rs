//! A cylinder of aluminium on a block of steel: two bodies that deform, with meshes that do not match.
//!
//! NAFEMS' first contact benchmark has a cylinder of the radius 50 mm under 35 kN per mm, with
//! `a = 6.2146 mm` and `p0 = 3585.4 MPa` by Hertz. At that load `p0` is 6 % of `E*` and `a / R` is 0.12,
//! beyond Hertz's theory. Here the force is a hundredth, so that the theory holds: `a` and `p0`
//! are a tenth.
//!
//! `a = sqrt(4 F R / (pi E*))` and `p0 = sqrt(F E* / (pi R))` with
//! `1 / E* = (1 - nu^2) / E1 + (1 - nu^2) / E2`. `p^2 = p0^2 (1 - x^2 / a^2)` is a straight line in `x^2`; its
//! fit within 0.9 `a` is judged to 1 %, on the surfaces of both bodies, whose vertices are 28 and 20 to the
//! half-width.

use crate::pressure::{Pressed, line, pressed, total};
use crate::round::{Graded, Half};
use crate::scenes::{Exact, statics};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use std::f64::consts::PI;

pub(super) const CASE: Case = Case {
    name: "elastic_cylinder",
    title: "NAFEMS: an aluminium cylinder on a steel block",
    proves: "Two bodies of different stiffness and mesh touch with Hertz's width and pressure, seen from either.",
    formula: "a = sqrt(4 F R / pi E*), p0 = sqrt(F E* / pi R)",
    source: "NAFEMS 2006, Advanced Finite Element Contact Benchmarks, no. 1, at a hundredth of its load; Hertz 1882",
    weight: Weight::Full,
    run,
};

/// Radius of the cylinder (m), Young's moduli of cylinder and block (Pa), Poisson's ratio (1).
const RADIUS: f64 = 0.05;
const YOUNG: [f64; 2] = [70e9, 210e9];
const POISSON: f64 = 0.3;
/// Half-width (m) at the force of 0.35 MN/m, about which meshes are fine; displacement of the upper side (m).
const WIDTH: f64 = 6.2146e-4;
const TRAVEL: f64 = 1.32e-5;
/// Edges in the half-width of both bodies, and reaches of the barrier.
const EDGES: [f64; 2] = [28.0, 20.0];
const REACHES: f64 = 500.0;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("x / a", "pressure / p0"));
    outcome
        .plot
        .curve("Hertz", [-1.3, 1.3], |x| (1.0 - x * x).max(0.0).sqrt());

    let mut simulation = Simulation::new(scene())?;
    simulation.run(4)?;
    let surfaces = [
        pressed(&simulation, "cylinder")?,
        pressed(&simulation, "block")?,
    ];
    let force = total(&surfaces[0]);
    let compliance = YOUNG.map(|young| (1.0 - POISSON * POISSON) / young);
    let effective = 1.0 / (compliance[0] + compliance[1]);
    let width = (4.0 * force * RADIUS / (PI * effective)).sqrt();
    let peak = (force * effective / (PI * RADIUS)).sqrt();

    outcome.relative(
        "force on the block",
        "N/m",
        force,
        total(&surfaces[1]),
        1e-6,
    );
    for (name, surface) in ["cylinder", "block"].into_iter().zip(&surfaces) {
        // Half an ellipse: p^2 is linear in x^2.
        let inner = surface.iter().filter(|at| at.x.abs() < 0.9 * width);
        let fit = line(inner.map(|at: &Pressed| [at.x.powi(2), at.pressure.powi(2)]));
        let fitted = (-fit[0] / fit[1]).sqrt();
        outcome.relative(format!("peak p0, {name}"), "Pa", peak, fit[0].sqrt(), 0.01);
        outcome.relative(format!("half-width a, {name}"), "m", width, fitted, 0.01);
        let points = surface.iter().map(|at| [at.x / width, at.pressure / peak]);
        outcome.plot.points(name, points.collect());
    }
    Ok(outcome)
}

/// Cylinder and block, whose far sides are held, and the cylinder's moves down.
fn scene() -> Scene {
    let d_hat = WIDTH / REACHES;
    let size = |edges: f64| Graded {
        fine: WIDTH / edges,
        within: 1.3 * WIDTH,
        reach: 20.0 * WIDTH,
    };
    let [upper, lower] = EDGES.map(size);
    let far = |from: f64, to: f64| Selection::within([-1.0, from], [1.0, to]);
    let depth = lower.depth();
    let block = Body::deformable("block", lower.mesh(Half::Lower, 0.0), "steel")
        .with_prescribed(Prescribed::held(far(-2.0 * depth, -0.999 * depth)));
    let depth = upper.depth();
    let moved = Prescribed::moved(far(0.999 * depth, 2.0 * depth), [0.0, -TRAVEL - d_hat]);
    let cylinder = Body::deformable(
        "cylinder",
        upper.mesh(Half::Upper, 1.0 / RADIUS),
        "aluminium",
    )
    .at([0.0, d_hat])
    .with_prescribed(moved);

    let material = |young| Material::new(1000.0, Law::linear(young, POISSON));
    statics(4)
        .weightless()
        .barrier(d_hat, 10.0 * YOUNG[0])
        .with_material("aluminium", material(YOUNG[0]))
        .with_material("steel", material(YOUNG[1]))
        .with_body(block)
        .with_body(cylinder)
}

//! A block pressed between frictionless plates, under four laws.
//!
//! The deformation is uniform: stretches `a` across and `b` along the load, with no stress across.
//! Stresses are written here apart from the simulator's, from the energy densities.
//!
//! With `mu`, `lambda` of Lame and `J = a b`, the energy densities (Pa) in principal stretches are:
//! - neo-Hookean: `mu/2 (a^2 + b^2 - 2 - 2 ln J) + lambda/2 (ln J)^2`;
//! - fixed corotated: `mu ((a - 1)^2 + (b - 1)^2) + lambda/2 (J - 1)^2`;
//! - Saint Venant-Kirchhoff: `mu (e^2 + f^2) + lambda/2 (e + f)^2`, `e = (a^2 - 1)/2`,
//!   `f = (b^2 - 1)/2`;
//! - linear: `mu ((a - 1)^2 + (b - 1)^2) + lambda/2 (a + b - 2)^2`.
//!
//! Nominal stresses are their derivatives: `P_xx` by `a`, `P_yy` by `b`. The force on the lid is
//! `-P_yy W` (N per metre of thickness) with the width `W` at rest.

use crate::formulas::{Lame, root};
use crate::scenes::{Exact, RUBBER, after, force_on, ground, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "elastic_compression",
    title: "A block under uniform compression, four laws",
    proves: "Force and lateral stretch of a compressed block are those of its law, at finite strain.",
    formula: "P_xx(a, b) = 0 for the lateral stretch a; force = -P_yy(a, b) W",
    source: "Bonet, Wood, Nonlinear Continuum Mechanics: derivatives of each law's energy density",
    weight: Weight::Quick,
    run,
};

/// Side of the block (m), modulus (Pa), Poisson's ratio (1), reach of the barrier (m).
const SIDE: f64 = 1.0;
const YOUNG: f64 = 1e5;
const POISSON: f64 = 0.3;
const D_HAT: f64 = 1e-5;

/// Nominal stress (Pa) along the first of two principal stretches.
type Stress = fn(Lame, f64, f64) -> f64;

/// Law of Young's modulus (Pa) and Poisson's ratio (1).
type Make = fn(f64, f64) -> Law;

/// Laws with their names and stresses.
const LAWS: [(&str, Make, Stress); 4] = [
    ("neo-Hookean", Law::neo_hookean, |l, a, b| {
        l.mu * (a - 1.0 / a) + l.lambda * (a * b).ln() / a
    }),
    ("fixed corotated", Law::fixed_corotated, |l, a, b| {
        2.0 * l.mu * (a - 1.0) + l.lambda * (a * b - 1.0) * b
    }),
    (
        "Saint Venant-Kirchhoff",
        Law::st_venant_kirchhoff,
        |l, a, b| {
            let [first, second] = [0.5 * (a * a - 1.0), 0.5 * (b * b - 1.0)];
            a * (2.0 * l.mu * first + l.lambda * (first + second))
        },
    ),
    ("linear", Law::linear, |l, a, b| {
        2.0 * l.mu * (a - 1.0) + l.lambda * (a + b - 2.0)
    }),
];

/// Judges the force of the lid to 1e-4 and the lateral stretch to 1e-5, at stretches of 0.9 and
/// 0.8.
///
/// Linear triangles represent a uniform deformation exactly, so that only the gaps at both plates
/// and the tolerance of Newton's method are left as errors; a coarse mesh of four cells a side
/// suffices.
fn run() -> Result<Outcome, Error> {
    let lame = Lame::new(YOUNG, POISSON);
    let mut outcome = Outcome::new(Plot::new("stretch along the load", "force (N)"));
    for (label, law, stress) in LAWS {
        let lateral = |b: f64| root([0.5, 2.0], |a| stress(lame, a, b));
        let force = |b: f64| -stress(lame, b, lateral(b)) * SIDE;
        outcome.plot.curve(label, [0.75, 1.0], force);

        let mut measured = Vec::new();
        for stretch in [0.9, 0.8] {
            let [got, width] = pressed(law(YOUNG, POISSON), stretch)?;
            let name = format!("force, {label}, stretch {stretch}");
            outcome.relative(name, "N", force(stretch), got, 1e-4);
            let name = format!("lateral stretch, {label}, stretch {stretch}");
            outcome.relative(name, "1", lateral(stretch), width, 1e-5);
            measured.push([stretch, got]);
        }
        outcome.plot.points(format!("{label}, measured"), measured);
    }
    Ok(outcome)
}

/// Force of the lid (N) and lateral stretch of a block pressed to this stretch.
fn pressed(law: Law, stretch: f64) -> Result<[f64; 2], Error> {
    // Gaps at the end are near d_hat; the lid moves in 10 of 20 steps.
    let start = SIDE + 2.0 * D_HAT;
    let way = SIDE * (1.0 - stretch);
    let lid = Obstacle::new("lid", HalfPlane::new([0.0, -1.0], [0.0, start]));
    let mut lid = lid.with_velocity([0.0, -0.1 * way]);
    lid.travel = Some(way);
    let scene = scene(1.0, 20)
        .weightless()
        .elastic(law)
        .barrier(D_HAT, 1e9)
        .with_body(
            Body::deformable("block", Square::new(SIDE, 4), RUBBER).at([0.0, 0.5 * SIDE + D_HAT]),
        )
        .with_obstacle(ground())
        .with_obstacle(lid);

    let simulation = after(scene, 20)?;
    let x = simulation.body("block")?.x();
    let [least, most] = [f64::min as fn(f64, f64) -> f64, f64::max]
        .map(|choose| x.iter().map(|x| x.x).fold(x[0].x, choose));
    Ok([force_on(&simulation, "lid").y, (most - least) / SIDE])
}

//! An elastic half-plane with a wavy surface on a rigid plane.
//!
//! The surface has the height `D (1 - cos 2 pi x / L)` above its crests. Pressed with the mean pressure
//! `p`, it touches within `a` of each crest (Westergaard):
//!
//! - `p = p* sin^2(pi a / L)` with `p* = pi E* D / L`, at which all of it touches;
//! - `p(x) = 2 p* cos u sqrt(sin^2(pi a / L) - sin^2 u)` with `u = pi x / L`.
//!
//! One wave between two planes of symmetry stands for all. It is 1.5 `L` deep, where the waves of the
//! surface have died away. `(p / cos u)^2` is a straight line in `sin^2 u`, whose slope and zero give `p*`
//! and `a`; a fit within 0.9 `a` leaves out the end of the contact. Both are judged to 1 % at three
//! pressures, `a` by the measured mean pressure.

use crate::pressure::{line, pressed, total};
use crate::scenes::{Exact, RUBBER, ground, statics};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::Displaced;
use std::f64::consts::{PI, TAU};

pub(super) const CASE: Case = Case {
    name: "elastic_waves",
    title: "Westergaard: a wavy surface on a plane",
    proves: "A wavy surface touches within the width, and has the pressure, of Westergaard's solution.",
    formula: "p = p* sin^2(pi a/L), p* = pi E* D/L",
    source: "Westergaard 1939; Johnson 1985, Contact Mechanics, section 13.2",
    weight: Weight::Full,
    run,
};

/// Young's modulus (Pa), Poisson's ratio (1), length and height of waves (m).
const ELASTIC: [f64; 2] = [200.0, 0.3];
const LENGTH: f64 = 1.0;
const HEIGHT: f64 = 1e-3;
/// Cells along a wave, growth of cells away from the surface, depth (m), reach of the barrier (m).
const CELLS: usize = 128;
const GROWTH: f64 = 1.2;
const DEPTH: f64 = 1.5;
const D_HAT: f64 = 1e-5;
/// Mean pressures over `p*` to which the upper side moves (1).
const PRESSURES: [f64; 3] = [0.146_447, 0.5, 0.853_553];

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("a / L", "mean pressure / p*"));
    let law = |share: f64| (PI * share).sin().powi(2);
    outcome.plot.curve("Westergaard", [0.0, 0.5], law);
    let [young, poisson] = ELASTIC;
    let full = PI * young / (1.0 - poisson * poisson) * HEIGHT / LENGTH;

    let mut simulation = Simulation::new(scene(full))?;
    let mut measured = Vec::new();
    for usual in PRESSURES {
        simulation.run(2)?;
        let pressed = pressed(&simulation, "body")?;
        let mean = total(&pressed) / LENGTH;
        let width = (mean / full).sqrt().asin() / PI * LENGTH;

        // The square of the pressure over the cosine is linear in the square of the sine.
        let inner = pressed.iter().filter(|at| at.x.abs() < 0.9 * width);
        let fit = line(inner.map(|at| {
            let (sin, cos) = (PI * at.x / LENGTH).sin_cos();
            [sin * sin, (at.pressure / cos).powi(2)]
        }));
        let fitted = (-fit[0] / fit[1]).sqrt().asin() / PI * LENGTH;
        let named = |name: &str| format!("{name}, mean pressure about {usual} p*");
        outcome.relative(named("half-width a"), "m", width, fitted, 0.01);
        outcome.relative(
            named("p* of the fit"),
            "Pa",
            full,
            0.5 * (-fit[1]).sqrt(),
            0.01,
        );
        measured.push([fitted / LENGTH, mean / full]);
    }
    outcome.plot.points("measured", measured);
    Ok(outcome)
}

/// One wave on the ground, whose upper side moves down. `full` is `p*` (Pa).
fn scene(full: f64) -> Scene {
    let [young, poisson] = ELASTIC;
    // The mean of the surface and the plane approach by `D s (1 - ln s)` at `s = p / p*`, and a block
    // that cannot widen is compressed.
    let confined = young * (1.0 - poisson) / ((1.0 + poisson) * (1.0 - 2.0 * poisson));
    let way = |share: f64| {
        let crest = HEIGHT * share * (1.0 - share.ln());
        -(D_HAT + crest + share * full / confined * DEPTH)
    };
    let times = (0..=PRESSURES.len()).map(|k| k as f64 / PRESSURES.len() as f64);
    let down = Varying::Table(Table {
        times: times.collect(),
        values: std::iter::once(0.0).chain(PRESSURES.map(way)).collect(),
    });

    let half = 0.5 * LENGTH;
    let box_of = |min, max| Selection::within(min, max);
    let mut top = Prescribed::held(box_of([-1.0, 0.99 * DEPTH], [1.0, 2.0 * DEPTH]));
    top.displacement = Some(Displaced {
        x: Some(0.0.into()),
        y: Some(down),
    });
    let mut body = Body::deformable("body", mesh(), RUBBER)
        .at([0.0, D_HAT])
        .with_prescribed(top);
    for side in [-half, half] {
        let mut held = Prescribed::held(box_of([side - 1e-6, -1.0], [side + 1e-6, 0.99 * DEPTH]));
        held.axis = Some(Axis::X);
        body = body.with_prescribed(held);
    }
    statics(2 * PRESSURES.len())
        .weightless()
        .elastic(Law::linear(young, poisson))
        .barrier(D_HAT, 10.0 * young)
        .with_body(body)
        .with_obstacle(ground())
}

/// Mesh of a wave with its crest at the origin, fine at the surface. Diagonals alternate.
fn mesh() -> InlineMesh {
    let mut heights = vec![0.0];
    let mut step = LENGTH / CELLS as f64;
    let mut last = step;
    while last + 0.5 * step < DEPTH {
        heights.push(last);
        step *= GROWTH;
        last += step;
    }
    heights.push(DEPTH);
    let rows = heights.len();
    let vertices = (0..=CELLS).flat_map(|i| {
        let x = LENGTH * (i as f64 / CELLS as f64 - 0.5);
        let surface = HEIGHT * (1.0 - (TAU * x / LENGTH).cos());
        heights
            .iter()
            .map(move |y| [x, surface + y * (1.0 - surface / DEPTH)])
            .collect::<Vec<_>>()
    });
    let triangles = (0..CELLS * (rows - 1)).flat_map(|k| {
        let [i, j] = [k / (rows - 1), k % (rows - 1)];
        let [a, b] = [i * rows + j, (i + 1) * rows + j];
        if (i + j) % 2 == 0 {
            [[a, b, b + 1], [a, b + 1, a + 1]]
        } else {
            [[a, b, a + 1], [b, b + 1, a + 1]]
        }
    });
    InlineMesh::new(vertices.collect(), triangles.collect())
}

//! Cells that repeat: a wavy surface that is pressed flat.
//!
//! Westergaard: an elastic half-plane whose surface is a wave of the amplitude `D` and the length `L` on a
//! rigid plane. At the mean pressure `p = p* sin^2(pi a/L)`, with `p* = pi E* D/L`, contact has the width `2 a`
//! at each crest. The pressure there is `p(x) = (2 p/sin^2 w) cos(pi x/L) sqrt(sin^2 w - sin^2(pi x/L))` with
//! `w = pi a/L`, from which `a` follows at any place in contact. One wave repeats along x.

use crate::perturb::simulated;
use crate::pressure::{Pressed, pressed, total};
use crate::scenes::{DENSITY, Exact, RUBBER, statics};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::{InlineMesh, Periodic};
use std::f64::consts::{PI, TAU};

pub(super) const CASE: Case = Case {
    name: "cell_wave",
    title: "Cells that repeat: a wavy surface pressed flat",
    proves: "A wave on a rigid plane has Westergaard's mean pressure at each width of contact.",
    formula: "p/p* = sin^2(pi a/L): 0.146447, 0.5, 0.853553 at a/L = 0.125, 0.25, 0.375",
    source: "Westergaard 1939; Johnson 1985, section 13.2",
    weight: Weight::Full,
    run,
};

/// Length of the wave (m), its amplitude (m), Young's modulus (Pa) and Poisson's ratio.
const LENGTH: f64 = 1.0;
const AMPLITUDE: f64 = 1e-3;
const ELASTIC: [f64; 2] = [1e6, 0.3];
/// Edges along a wave, and increments.
const EDGES: usize = 96;
const INCREMENTS: usize = 16;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("a/L (1)", "p/p* (1)"));
    let exact = (0..=40).map(|k| 0.0125 * f64::from(k));
    let exact = exact.map(|a| [a, (PI * a).sin().powi(2)]);
    outcome.plot.line("Westergaard", exact.collect());

    let [young, nu] = ELASTIC;

    // The pressure at which the whole wave is in contact.
    let full = PI * young / (1.0 - nu * nu) * AMPLITUDE / LENGTH;
    let mut simulation = simulated(wave())?;
    let mut found: Vec<[f64; 2]> = Vec::new();
    for _ in 0..INCREMENTS {
        simulation.step()?;
        let surface = pressed(&simulation, "wave")?;
        if let Some(width) = width(&surface) {
            found.push([width, total(&surface) / LENGTH / full]);
        }
    }
    outcome.plot.points("measured", found.clone());
    for (a, expected) in [(0.125, 0.146_447), (0.25, 0.5), (0.375, 0.853_553)] {
        let name = format!("p/p* at a/L = {a}");
        outcome.relative(name, "1", expected, between(&found, a), 0.02);
    }
    Ok(outcome)
}

/// Half-width of contact over the length of the wave (1), by the pressures at the crest and next to half
/// of it; `None` before there are enough vertices in contact.
///
/// Each place with a pressure `p(x)` gives `sin w = sin(pi x/L) / sqrt(1 - r^2)`, with the ratio
/// `r = p(x) / (p(0) cos(pi x/L))`. The result is the mean over places with 30 % to 85 % of the
/// largest pressure.
fn width(surface: &[Pressed]) -> Option<f64> {
    let largest = surface.iter().map(|at| at.pressure).fold(0.0, f64::max);
    let crest = 0.5 * LENGTH;

    // Each place gives its own width; near the crest and near the end both are badly known.
    let inner = surface
        .iter()
        .filter(|at| (0.3..0.85).contains(&(at.pressure / largest)));
    let widths: Vec<f64> = inner
        .map(|at| {
            let angle = PI * (at.x - crest).abs() / LENGTH;
            let ratio = at.pressure / (largest * angle.cos());
            let sine = angle.sin() / (1.0 - ratio * ratio).sqrt();
            sine.min(1.0).asin() / PI
        })
        .collect();
    (widths.len() >= 4).then(|| widths.iter().sum::<f64>() / widths.len() as f64)
}

/// Value at a place by lines between points; not a number outside.
fn between(points: &[[f64; 2]], x: f64) -> f64 {
    let mut pairs = points.windows(2);
    let pair = pairs.find(|pair| (pair[0][0]..=pair[1][0]).contains(&x));
    pair.map_or(f64::NAN, |pair| {
        let [[a, low], [b, high]] = [pair[0], pair[1]];
        low + (high - low) * (x - a) / (b - a)
    })
}

/// A block as deep as the wave is long, with a crest in its middle, under a plane that comes down.
fn wave() -> Scene {
    let columns = EDGES;
    let rows = EDGES / 3;
    let mut vertices = Vec::new();
    for j in 0..=rows {
        // Rows are finer towards the surface.
        let share = 1.0 - (1.0 - j as f64 / rows as f64).powi(2);
        for i in 0..=columns {
            let x = LENGTH * i as f64 / columns as f64;
            let top = -AMPLITUDE * (1.0 + (TAU * x / LENGTH).cos());
            vertices.push([x, -LENGTH + (LENGTH + top) * share]);
        }
    }

    let mut triangles = Vec::new();
    for j in 0..rows {
        for i in 0..columns {
            let a = j * (columns + 1) + i;
            let [b, d, c] = [a + 1, a + columns + 1, a + columns + 2];
            let both = if i < columns / 2 {
                [[a, b, c], [a, c, d]]
            } else {
                [[a, b, d], [b, c, d]]
            };
            triangles.extend(both);
        }
    }

    let bottom = Selection::within([-1.0, -1.1 * LENGTH], [2.0, -0.999 * LENGTH]);
    let body = Body::deformable("wave", InlineMesh::new(vertices, triangles), RUBBER)
        .with_prescribed(Prescribed::held(bottom));
    let d_hat = 0.02 * AMPLITUDE;

    let [young, nu] = ELASTIC;
    let travel = 5.0 * AMPLITUDE;
    let plane = Obstacle::new("plane", HalfPlane::new([0.0, -1.0], [0.0, d_hat]))
        .with_velocity([0.0, -travel - d_hat]);
    let mut scene = statics(INCREMENTS)
        .weightless()
        .with_material(RUBBER, Material::new(DENSITY, Law::linear(young, nu)))
        .barrier(d_hat, 10.0 * young)
        .with_body(body)
        .with_obstacle(plane);
    scene.periodic = Some(Periodic::along_x(LENGTH));
    scene
}

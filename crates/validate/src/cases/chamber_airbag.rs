//! An airbag that unfolds.
//!
//! A closed rod that hardly stretches lies in folds, one upon another, and is filled. Nothing passes through
//! anything, as `verify` proves of any run. In the end it is a circle of its length `L`, the shape of the
//! largest volume `L^2 / (4 pi)`, with the pressure of its gas in that volume. The rod is a polygon, and its
//! stretch follows from the pressure.

use crate::cases::chamber_balloon::filled;
use crate::gas::{ATMOSPHERE, gas};
use crate::perturb::simulated;
use crate::scenes::{Exact, STONE, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::{Chamber, Damping, ElasticRod};
use std::f64::consts::{PI, TAU};

pub(super) const CASE: Case = Case {
    name: "chamber_airbag",
    title: "An airbag that unfolds",
    proves: "Gas unfolds a bag that lies in folds, without a crossing, to the circle of its length.",
    formula: "V = L^2/(4 pi), p = p_0 N/V",
    source: "isoperimetric inequality; Boyle 1662",
    weight: Weight::Quick,
    run,
};

/// Width of the folds, distance of the two skins and of the folds (m), number of folds, and parts of each.
const WIDTH: f64 = 0.2;
const SKIN: f64 = 0.004;
const PITCH: f64 = 0.012;
const FOLDS: usize = 5;
const PARTS: usize = 8;
/// Axial stiffness (N) and mass of a length (kg/m).
const AXIAL: f64 = 1e6;
const MASS: f64 = 1.0;
/// Step (s) and number of steps; the first half of them fill the bag.
const H: f64 = 0.01;
const STEPS: usize = 200;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("t (s)", "V / V_circle"));
    let corners = bag();
    let sides = corners.len();
    let length: f64 = (0..sides)
        .map(|k| {
            let [a, b] = [corners[k], corners[(k + 1) % sides]];
            (b[0] - a[0]).hypot(b[1] - a[1])
        })
        .sum();

    // The volume of a circle of the same length, for a thickness of 1 m.
    let circle = length * length / (4.0 * PI);

    let mut rod = ElasticRod::of_stiffness(AXIAL, 1e-3, MASS);
    rod.straight = true;
    let damping = Damping {
        mass: 2.0,
        ..Damping::default()
    };
    let mut stone = Material::rigid(1000.0);
    stone.damping = Some(damping);
    let scene = scene(H, STEPS)
        .tolerance(1e-6)
        .weightless()
        .barrier(1e-3, 1e4)
        .with_material(STONE, stone)
        .with_body(Body::rod("bag", rod, Polyline::closed(corners), STONE))
        .with_chamber(filled(
            Chamber::new("gas").with_wall("bag", None),
            1.1 * circle,
        ));

    let mut simulation = simulated(scene)?;
    let begun = gas(&simulation, 0);
    let mut measured = Vec::new();
    for _ in 0..STEPS {
        simulation.step()?;
        measured.push([simulation.time(), gas(&simulation, 0).volume / circle]);
    }

    let end = gas(&simulation, 0);
    outcome.at_most(
        "volume at the start / circle",
        "1",
        0.1,
        begun.volume / circle,
    );

    // A polygon, as stretched as its pressure says.
    let turn = TAU / sides as f64;
    let polygon = PI / sides as f64 / (0.5 * turn).tan();
    let stretch = 1.0 + end.gauge * length / TAU / AXIAL;
    let volume = circle * polygon * stretch * stretch;
    outcome.relative("volume at the end", "m^3", volume, end.volume, 5e-4);
    let pressure = ATMOSPHERE * (begun.amount + 1.1 * circle) / end.volume;
    outcome.relative("pressure", "Pa", pressure, end.pressure, 1e-12);
    outcome.plot.points("measured", measured);
    Ok(outcome)
}

/// Corners of a flat bag in folds (m): both skins of a line in folds.
fn bag() -> Vec<[f64; 2]> {
    // The line through the middle of the bag: folds, joined by half circles.
    let mut middle = Vec::new();
    for fold in 0..FOLDS {
        let y = PITCH * fold as f64;
        let sign = if fold % 2 == 0 { 1.0 } else { -1.0 };
        for k in 0..=PARTS {
            middle.push([sign * WIDTH * (k as f64 / PARTS as f64 - 0.5), y]);
        }
        if fold + 1 < FOLDS {
            for k in 1..4 {
                let angle = PI * f64::from(k) / 4.0;
                let out = 0.5 * PITCH * angle.sin();
                middle.push([
                    sign * (0.5 * WIDTH + out),
                    y + 0.5 * PITCH * (1.0 - angle.cos()),
                ]);
            }
        }
    }

    // Both skins, at half of their distance from the line.
    let count = middle.len();
    let skin = |side: f64| {
        let middle = &middle;
        move |k: usize| {
            let [a, b] = [middle[k.saturating_sub(1)], middle[(k + 1).min(count - 1)]];
            let length = (b[0] - a[0]).hypot(b[1] - a[1]);
            let across = [-(b[1] - a[1]) / length, (b[0] - a[0]) / length];
            let [x, y] = middle[k];
            [x + side * SKIN * across[0], y + side * SKIN * across[1]]
        }
    };
    let lower = (0..count).map(skin(-0.5));
    let upper = (0..count).rev().map(skin(0.5));
    lower.chain(upper).collect()
}

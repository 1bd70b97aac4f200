//! A thick ring of a metal that collapses as its bore widens.
//!
//! In plane strain a perfectly plastic ring carries no more than `p = 2 k ln(b/a)` with the shear
//! stress at yield `k = Y / sqrt 3`. The bore is widened by its radius, and the pressure is the work
//! of that motion for each area that it sweeps: `p = dW / dV`. Radii are those of the moment: the ring
//! keeps its area, so that both grow.
//!
//! The yield strain is 1e-3. The whole ring flows when the bore has widened by about .4 percent.

use super::load_ring::ring;
use crate::scenes::{Exact, statics};
use crate::{Case, Outcome, Plot, Quantity, Weight};
use ipcsim::material::Metal;
use ipcsim::math::Vec2;
use ipcsim::prelude::*;
use ipcsim::scene::schema::Varying;
use std::f64::consts::PI;

pub(super) const CASE: Case = Case {
    name: "plastic_ring",
    title: "Plasticity: a thick ring at collapse",
    proves: "A ring of a perfectly plastic metal carries the pressure of its limit load and no more, by quadratic triangles without locking.",
    formula: "p = 2 k ln(b/a), k = Y/sqrt 3, in plane strain",
    source: "Hill 1950, The Mathematical Theory of Plasticity, chapter V",
    weight: Weight::Quick,
    run,
};

/// Radii inside and outside (m).
const RADII: [f64; 2] = [0.5, 1.0];
/// The metal: moduli and stresses in Pa.
const METAL: Metal = Metal {
    young: 2e11,
    poisson: 0.3,
    yield_stress: 2e8,
    hardening: 0.0,
};
/// Widening of the bore (m), and steps to it.
const WIDENING: f64 = 6e-3;
const STEPS: usize = 12;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("widening of the bore (m)", "pressure (Pa)"));
    outcome.plot.curve("limit", [0.0, WIDENING], limit);
    let reason = "few linear triangles, which keep their area one by one where the ring flows";
    for (label, layers, quadratic, miss) in [
        ("quadratic triangles, 2 layers", 2, true, None),
        ("quadratic triangles, 4 layers", 4, true, None),
        ("linear triangles, 4 layers", 4, false, Some(0.05)),
        ("linear triangles, 8 layers", 8, false, None),
    ] {
        let pressures = widened(layers, quadratic)?;
        let (_, last) = pressures.split_at(pressures.len() - 1);
        let [way, pressure] = last[0];
        let name = format!("pressure at collapse, {label}");
        let quantity = Quantity::relative(name, "Pa", limit(way), pressure, 0.01);
        outcome.check(match miss {
            Some(within) => quantity.known_miss(reason, within),
            None => quantity,
        });
        outcome.plot.points(label, pressures);
    }
    Ok(outcome)
}

/// Pressure at collapse (Pa) of a ring whose bore has widened by this (m).
fn limit(way: f64) -> f64 {
    let [a, b] = RADII;
    let inside = a + way;
    // The ring keeps its area, so that it grows outside as well.
    let outside = (b * b + inside * inside - a * a).sqrt();
    2.0 * METAL.yield_stress / 3.0_f64.sqrt() * (outside / inside).ln()
}

/// Widening of the bore (m) and pressure on it (Pa) at the end of each step.
fn widened(layers: usize, quadratic: bool) -> Result<Vec<[f64; 2]>, Error> {
    let bore = Selection::disk([0.0, 0.0], 1.001 * RADII[0]);
    let outward = |axis: &str| format!("{axis}*t*{}", WIDENING / RADII[0]);
    let ring = ring(RADII, layers, quadratic).with_prescribed(Prescribed::displaced(
        bore,
        [outward("x"), outward("y")].map(Varying::Formula),
    ));

    let mut scene = statics(STEPS)
        .weightless()
        .elastic(Law::j2(METAL))
        .with_body(ring);
    scene.output.ledger = true;
    let mut simulation = Simulation::new(scene)?;
    let mut found = Vec::with_capacity(STEPS);
    let mut swept = area(&simulation);
    for _ in 0..STEPS {
        let report = simulation.step()?;
        let work = report
            .record
            .ledger
            .map_or(f64::NAN, |ledger| ledger.work.prescribed);
        let before = std::mem::replace(&mut swept, area(&simulation));
        let inside = (swept / PI).sqrt();
        found.push([inside - RADII[0], work / (swept - before)]);
    }
    Ok(found)
}

/// Area of the bore (m^2), by the radius of its vertices.
fn area(simulation: &Simulation) -> f64 {
    let x = simulation.state().x.iter();
    let radius = x.map(Vec2::norm).fold(f64::INFINITY, f64::min);
    PI * radius * radius
}

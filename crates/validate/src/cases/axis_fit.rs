//! Bodies of revolution: a shaft that is larger than the bore of its hub.
//!
//! As `elastic_shrink`, in the half-plane of the axis. Shaft and hub are long, between two planes without
//! friction. The shaft begins smaller than the bore, as if it were cooled.

use crate::perturb::simulated;
use crate::scenes::{RUBBER, force_on};
use crate::turned::{moved, on_y, rectangle, turned};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::{Selection, Side};
use std::f64::consts::TAU;

pub(super) const CASE: Case = Case {
    name: "axis_fit",
    title: "Bodies of revolution: a press fit",
    proves: "A shaft that is too large for its hub has the pressure of Lame over the full turn of the joint.",
    formula: "p = E' delta/(2 a) (b^2 - a^2)/b^2, F_r = 2 pi a L p",
    source: "Lame 1852; Timoshenko, Strength of Materials, part II",
    weight: Weight::Quick,
    run,
};

/// Radii of bore and hub and length (m), Young's modulus (Pa), Poisson's ratio (1), share to which the shaft is shrunk at
/// the start (1).
const RADII: [f64; 2] = [1.0, 2.0];
const LENGTH: f64 = 0.5;
const ELASTIC: [f64; 2] = [1e6, 0.3];
const SHRUNK: f64 = 0.99;

/// Judges pressure and widening to 1 %.
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("delta (m)", "pressure (Pa)"));
    let [a, b] = RADII;
    let [young, nu] = ELASTIC;
    let modulus = young / (1.0 - nu * nu);
    let lame = |delta: f64| modulus * delta / (2.0 * a) * (b * b - a * a) / (b * b);
    outcome.plot.curve("Lame", [0.0, 1e-3], lame);
    let mut points = Vec::new();
    for (delta, is_quadratic) in [(1e-3, false), (1e-3, true), (1e-4, true)] {
        let kind = if is_quadratic { "quadratic" } else { "linear" };
        let simulation = fitted(delta, is_quadratic)?;
        let pressure = -force_on(&simulation, "shaft").x / (TAU * a * LENGTH);
        let name = format!("mean pressure, delta {delta} m, {kind}");
        outcome.relative(name, "Pa", lame(delta), pressure, 0.01);
        let widened = moved(&simulation, "hub", [b, 0.5 * LENGTH])?.x;
        let name = format!("widening of the hub outside, delta {delta} m, {kind}");
        outcome.relative(name, "m", delta * a / b, widened, 0.01);
        points.push([delta, pressure]);
    }
    outcome.plot.points("measured", points);
    Ok(outcome)
}

/// A fit with this difference of the radii of shaft and bore (m).
fn fitted(delta: f64, is_quadratic: bool) -> Result<Simulation, Error> {
    let [a, b] = RADII;
    let between = |name: &str, radii: [f64; 2], cells: [usize; 2]| {
        let mesh = rectangle(radii, [0.0, LENGTH], cells, is_quadratic);
        let body = Body::deformable(name, mesh, RUBBER)
            .with_prescribed(on_y(Selection::side(Side::Bottom)))
            .with_prescribed(on_y(Selection::side(Side::Top)));
        if is_quadratic { body.quadratic() } else { body }
    };

    // The shaft begins smaller than the bore.
    let mut shaft = between("shaft", [0.0, a + delta], [8, 4]);
    shaft.stretch = [SHRUNK, 1.0];
    let hub = between("hub", [a, b], [12, 4]);
    let [young, nu] = ELASTIC;
    let scene = turned(1, Law::linear(young, nu))
        .with_body(shaft)
        .with_body(hub);
    let mut simulation = simulated(scene)?;
    simulation.step()?;
    Ok(simulation)
}

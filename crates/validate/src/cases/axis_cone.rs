//! Bodies of revolution: a cone on a plane.
//!
//! A blunt cone of linear material is pressed onto a plane without friction. Its tip is a pole, where a turn has no
//! area and the pressure has no bound. From the force follows the radius of contact, which each pressure gives as well.

use crate::pressure::{pressed, total};
use crate::turned::squeezed_onto_ground;
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::{Curve, LineTo, Stop};
use std::f64::consts::FRAC_PI_2;

pub(super) const CASE: Case = Case {
    name: "axis_cone",
    title: "Bodies of revolution: a cone on a plane",
    proves: "Contact holds the tip of a cone, with the radius of contact and the pressures of Sneddon.",
    formula: "F = pi/2 E* a^2 tan(b), p = E* tan(b)/2 acosh(a/r)",
    source: "Sneddon 1948; Johnson, Contact Mechanics, section 5.2",
    weight: Weight::Quick,
    run,
};

/// Young's modulus (Pa), Poisson's ratio (1), slope of the cone (1), length of edges in contact (m), displacement
/// (m); the cone has a radius of 1 m.
const ELASTIC: [f64; 2] = [1e6, 0.3];
const SLOPE: f64 = 0.02;
const SIZE: f64 = 0.002;
const SUNK: f64 = 0.0022;
const ABOVE: f64 = 1e-4;

/// Judges the radius of contact by the force, and by the pressures between a fifth and four fifths of it, to 2 %.
///
/// Sneddon's pressure at a radius `r` gives it by `a = r cosh(2 p / (E* tan b))`.
fn run() -> Result<Outcome, Error> {
    let simulation = squeezed()?;
    let found = pressed(&simulation, "body")?;
    let force = total(&found);
    let [young, nu] = ELASTIC;
    let modulus = young / (1.0 - nu * nu);
    let radius = (force / (FRAC_PI_2 * modulus * SLOPE)).sqrt();
    let scale = 0.5 * modulus * SLOPE;
    let mut outcome = Outcome::new(Plot::new("r (m)", "pressure (Pa)"));
    let sneddon = |r: f64| scale * (radius / r.max(SIZE)).max(1.0).acosh();
    outcome
        .plot
        .curve("Sneddon", [0.5 * SIZE, 1.1 * radius], sneddon);

    // Each pressure has a radius of contact.
    let inner = found
        .iter()
        .filter(|at| at.x > 0.2 * radius && at.x < 0.8 * radius);
    let radii: Vec<f64> = inner
        .map(|at| at.x * (at.pressure / scale).cosh())
        .collect();
    let mean = radii.iter().sum::<f64>() / radii.len() as f64;
    outcome.relative("radius of contact", "m", radius, mean, 0.02);

    // The cone is not a half-space, and its depth is only near.
    let depth = FRAC_PI_2 * radius * SLOPE;
    outcome.relative("depth", "m", SUNK, depth, 0.1);
    let points = found.iter().map(|at| [at.x, at.pressure]);
    outcome.plot.points("measured", points.collect());
    Ok(outcome)
}

/// A cone that is pressed onto the ground.
///
/// Edges are short on its foot, where it touches. The flat top is as far away as the side, so that the body is
/// nearly a half-space to the contact.
fn squeezed() -> Result<Simulation, Error> {
    let line = |to: [f64; 2], name: &str| {
        Stop::Line(LineTo {
            to,
            name: Some(name.to_owned()),
        })
    };
    let outline = Curve::path([
        Stop::Point([0.0, 0.0]),
        line([0.1, 0.1 * SLOPE], "foot"),
        line([1.0, SLOPE], "flank"),
        line([1.0, 1.0], "side"),
        line([0.0, 1.0], "top"),
    ]);
    let [young, nu] = ELASTIC;
    squeezed_onto_ground(outline, SIZE, Law::linear(young, nu), [ABOVE, SUNK])
}

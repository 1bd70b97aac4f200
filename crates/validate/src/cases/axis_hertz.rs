//! Bodies of revolution: a sphere on a plane.
//!
//! A half of a sphere of linear material is pressed onto a plane without friction. From the force follow the
//! radius of contact and the largest pressure, which a line of least squares through the squares of the pressures over
//! the squares of the radii gives.

use crate::pressure::{line, pressed, total};
use crate::turned::squeezed_onto_ground;
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::{ArcTo, Curve, LineTo, Stop};

pub(super) const CASE: Case = Case {
    name: "axis_hertz",
    title: "Bodies of revolution: a sphere on a plane",
    proves: "A sphere has the radius of contact and the largest pressure of Hertz, with forces of the full turn.",
    formula: "a^3 = 3 F R/(4 E*), p = 3 F/(2 pi a^2) sqrt(1 - r^2/a^2)",
    source: "Hertz 1882; Johnson, Contact Mechanics, section 4.2",
    weight: Weight::Quick,
    run,
};

/// Young's modulus (Pa), Poisson's ratio (1), length of edges in contact (m), displacement (m); the radius is 1 m.
const ELASTIC: [f64; 2] = [1e6, 0.3];
const SIZE: f64 = 0.002;
const SUNK: f64 = 0.0015;
const ABOVE: f64 = 1e-4;

/// Judges both to 1 %.
fn run() -> Result<Outcome, Error> {
    let simulation = squeezed()?;
    let found = pressed(&simulation, "body")?;
    let force = total(&found);
    let [young, nu] = ELASTIC;
    let modulus = young / (1.0 - nu * nu);
    let radius = (0.75 * force / modulus).cbrt();
    let highest = 1.5 * force / (std::f64::consts::PI * radius * radius);
    let mut outcome = Outcome::new(Plot::new("r (m)", "pressure (Pa)"));
    let hertz = |r: f64| highest * (1.0 - (r / radius).powi(2)).max(0.0).sqrt();
    outcome.plot.curve("Hertz", [0.0, 1.1 * radius], hertz);

    let inner = found.iter().filter(|at| at.x < 0.8 * radius);
    let [top, slope] = line(inner.map(|at| [at.x * at.x, at.pressure * at.pressure]));
    outcome.relative(
        "radius of contact",
        "m",
        radius,
        (-top / slope).sqrt(),
        0.01,
    );
    outcome.relative("largest pressure", "Pa", highest, top.sqrt(), 0.01);
    let points = found.iter().map(|at| [at.x, at.pressure]);
    outcome.plot.points("measured", points.collect());
    Ok(outcome)
}

/// The lower half of a sphere that is pressed onto the ground.
fn squeezed() -> Result<Simulation, Error> {
    let at = |angle: f64| [angle.sin(), 1.0 - angle.cos()];
    let arc = |through: f64, to: [f64; 2], name: &str| {
        Stop::Arc(ArcTo {
            through: at(through),
            to,
            name: Some(name.to_owned()),
        })
    };
    let top = Stop::Line(LineTo {
        to: [0.0, 1.0],
        name: Some("top".to_owned()),
    });
    let outline = Curve::path([
        Stop::Point([0.0, 0.0]),
        arc(0.035, at(0.07), "foot"),
        arc(0.8, [1.0, 1.0], "side"),
        top,
    ]);
    let [young, nu] = ELASTIC;
    squeezed_onto_ground(outline, SIZE, Law::linear(young, nu), [ABOVE, SUNK])
}

//! Bodies of revolution: circular plates under a pressure, and a disc that rotates.
//!
//! Plates of Kirchhoff with the deflection by shear that Timoshenko adds; the clamped one is held at its
//! rim through the thickness, the simply supported one at the middle of its rim. The disc has the body
//! force `rho w^2 r` of its rotation, as a formula of the place.

use crate::perturb::simulated;
use crate::turned::{moved, on_y, rectangle, section, turned};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::{Selection, Side};

pub(super) const CASE: Case = Case {
    name: "axis_plate",
    title: "Bodies of revolution: circular plates and a rotating disc",
    proves: "Clamped and simply supported plates bend as plates do, and a disc widens by its rotation.",
    formula: "w = q a^4/(64 D) + q a^2/(4 k G h), times (5 + nu)/(1 + nu) in the first term if simply supported; u(a) = (1 - nu) rho w^2 a^3/(4 E)",
    source: "Timoshenko and Woinowsky-Krieger, Theory of Plates and Shells, articles 16 and 20; Timoshenko and Goodier, article 32",
    weight: Weight::Quick,
    run,
};

/// Radius and thickness (m), Young's modulus (Pa), Poisson's ratio (1), pressure (Pa).
const RADIUS: f64 = 1.0;
const HEIGHT: f64 = 0.05;
const ELASTIC: [f64; 2] = [1e9, 0.3];
const PRESSURE: f64 = 1.0;

/// Judges deflections and widening to 1 %.
fn run() -> Result<Outcome, Error> {
    let [young, nu] = ELASTIC;
    let stiffness = young * HEIGHT.powi(3) / 12.0 / (1.0 - nu * nu);
    let bent = PRESSURE * RADIUS.powi(4) / 64.0 / stiffness;
    let shear = young / 2.0 / (1.0 + nu);
    let sheared = PRESSURE * RADIUS * RADIUS / 4.0 / (5.0 / 6.0 * shear * HEIGHT);

    let mut outcome = Outcome::new(Plot::new("r (m)", "deflection (m)"));
    let clamped = |r: f64| bent * (1.0 - r * r).powi(2);
    outcome
        .plot
        .curve("clamped, without shear", [0.0, RADIUS], clamped);
    let all = Prescribed::held(Selection::side(Side::Right));
    let middle = [RADIUS, 0.5 * HEIGHT];
    let rim = on_y(Selection::disk(middle, 1e-6));
    for (label, support, expected) in [
        ("clamped", all, bent + sheared),
        (
            "simply supported",
            rim,
            bent * (5.0 + nu) / (1.0 + nu) + sheared,
        ),
    ] {
        let mesh = rectangle([0.0, RADIUS], [0.0, HEIGHT], [24, 2], true);
        let body = section(mesh).with_prescribed(support);
        let load = Load::pressure("body", PRESSURE).on(Selection::side(Side::Top));
        let scene = turned(1, Law::linear(young, nu))
            .with_body(body)
            .with_load(load);
        let mut simulation = simulated(scene)?;
        simulation.step()?;
        let sunk = -moved(&simulation, "body", [0.0, 0.5 * HEIGHT])?.y;
        outcome.relative(
            format!("deflection of the middle, {label}"),
            "m",
            expected,
            sunk,
            0.01,
        );
        let mut points = Vec::new();
        for k in 0..=8 {
            let r = RADIUS * f64::from(k) / 8.0;
            points.push([r, -moved(&simulation, "body", [r, 0.5 * HEIGHT])?.y]);
        }
        outcome.plot.points(label, points);
    }
    disc(&mut outcome)?;
    Ok(outcome)
}

/// Judges the widening of a disc that rotates at 1 rad/s.
fn disc(outcome: &mut Outcome) -> Result<(), Error> {
    let [young, nu] = ELASTIC;
    let density = crate::scenes::DENSITY;
    let mesh = rectangle([0.0, RADIUS], [0.0, 0.02], [16, 1], true);
    let body = section(mesh).with_prescribed(on_y(Selection::side(Side::Bottom)));
    let spun = format!("{density}*x");
    let load = Load::body_force("body", [spun.as_str(), "0"]);
    let scene = turned(1, Law::linear(young, nu))
        .with_body(body)
        .with_load(load);
    let mut simulation = simulated(scene)?;
    simulation.step()?;
    for r in [0.5 * RADIUS, RADIUS] {
        let cube = RADIUS * RADIUS * r;
        let part = (3.0 + nu) * cube - (1.0 + nu) * r.powi(3);
        let expected = (1.0 - nu) * density / (8.0 * young) * part;
        let found = moved(&simulation, "body", [r, 0.0])?.x;
        outcome.relative(
            format!("widening of the disc at {r} m"),
            "m",
            expected,
            found,
            1e-3,
        );
    }
    Ok(())
}

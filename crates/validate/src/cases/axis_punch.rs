//! Bodies of revolution: a flat rigid punch on a half-space, and the stress below it.
//!
//! The half-space is a cylinder of 80 radii of the punch, whose elements grow away from it. From the
//! force follow the pressure below the punch and the stress along the axis.

use crate::perturb::simulated;
use crate::pressure::{beside, pressed, total};
use crate::scenes::{Exact, RUBBER};
use crate::turned::{grid, nearest, stresses, turned};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::math::Vec2;
use ipcsim::prelude::*;
use ipcsim::scene::schema::{Selection, Side};

pub(super) const CASE: Case = Case {
    name: "axis_punch",
    title: "Bodies of revolution: a flat punch and the stress below it",
    proves: "A rigid punch has its force and its pressure, and the stress along the axis at 2 to 5 of its radii is that of Boussinesq.",
    formula: "F = 2 a E/(1 - nu^2) w; p = F/(2 pi a^2)/sqrt(1 - r^2/a^2); sigma_z = -F/(2 pi a^2) (1 + 3 z^2/a^2)/(1 + z^2/a^2)^2",
    source: "Boussinesq 1885; Sneddon 1946; Johnson, Contact Mechanics, section 3.4",
    weight: Weight::Full,
    run,
};

/// Radius of the punch and displacement (m), Young's modulus (Pa), Poisson's ratio (1).
const RADIUS: f64 = 1.0;
const SUNK: f64 = 2e-3;
const ELASTIC: [f64; 2] = [1e6, 0.3];
/// Reach of the barrier (m).
const REACH: f64 = 2e-5;
/// Size of elements (m) at the edge of the punch, and their growth away from it.
const SIZE: f64 = 0.006;
const GROWTH: f64 = 1.13;

/// Judges the force, pressures within the punch and stresses to 2 %.
fn run() -> Result<Outcome, Error> {
    let simulation = sunk()?;
    let found = pressed(&simulation, "body")?;
    let force = total(&found);
    let mean = force / (2.0 * std::f64::consts::PI * RADIUS * RADIUS);
    let mut outcome = Outcome::new(Plot::new(
        "depth (m)",
        "-sigma_z over its value at the surface",
    ));
    let stress = |z: f64| (1.0 + 3.0 * z * z) / (1.0 + z * z).powi(2);
    outcome.plot.curve("Boussinesq", [0.0, 6.0], stress);

    // The surface under the punch sinks as far as on its axis (Sneddon).
    let vertex = nearest(&simulation, "body", [0.0, 0.0])?;
    let sunk = simulation.world().rest[vertex].y - simulation.state().x[vertex].y;
    let [young, nu] = ELASTIC;
    let expected = 2.0 * RADIUS * young / (1.0 - nu * nu) * sunk;
    outcome.relative("force", "N", expected, force, 0.02);

    for r in [0.35, 0.55, 0.75] {
        let expected = mean / (1.0_f64 - r * r).sqrt();
        // The pressure is even in r, so that both sides of the axis are one.
        let mirrored: Vec<_> = found
            .iter()
            .rev()
            .map(|at| crate::pressure::Pressed { x: -at.x, ..*at })
            .chain(found.iter().copied())
            .collect();
        let got = beside(&mirrored, r * RADIUS);
        outcome.relative(
            format!("pressure at {r} of the radius"),
            "Pa",
            expected,
            got,
            0.02,
        );
    }

    let all = stresses(&simulation);
    let mut points = Vec::new();
    for z in [2.0, 3.0, 4.0, 5.0] {
        let vertex = nearest(&simulation, "body", [0.0, -z])?;
        let depth = -simulation.world().rest[vertex].y;
        let got = -all[vertex].yy / mean;
        outcome.relative(
            format!("stress along the axis at about {z} radii"),
            "1",
            stress(depth),
            got,
            0.02,
        );
        points.push([depth, got]);
    }
    outcome.plot.points("measured", points);
    Ok(outcome)
}

/// Distances (m) of lines from a place up to at least `far`, which grow apart.
fn lines(far: f64) -> Vec<f64> {
    let mut lines = vec![0.0];
    let (mut at, mut step) = (0.0, SIZE);
    while at < far {
        at += step;
        lines.push(at);
        step *= GROWTH;
    }
    lines
}

/// Radii (m) of the lines of the mesh: from the edge of the punch to the axis, and outwards.
fn radii() -> Vec<f64> {
    let inwards = lines(RADIUS);
    // The last line is put on the axis.
    let scale = RADIUS / inwards[inwards.len() - 1];
    let within = inwards.iter().rev().map(|d| RADIUS - d * scale);
    let mut radii: Vec<f64> = within.collect();
    radii[0] = 0.0;
    radii.extend(lines(80.0 * RADIUS).iter().skip(1).map(|d| RADIUS + d));
    radii
}

/// The half-space below the punch.
fn sunk() -> Result<Simulation, Error> {
    let radii = radii();
    let depths = lines(80.0 * RADIUS);
    let [columns, rows] = [radii.len() - 1, depths.len() - 1];
    let mesh = grid([columns, rows], false, |s| {
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "numbers of lines"
        )]
        let number = |share: f64, count: usize| (share * count as f64).round() as usize;
        Vec2::new(
            radii[number(s.x, columns)],
            -depths[rows - number(s.y, rows)],
        )
    });

    // The punch goes down through its reach and then into the body.
    let body = Body::deformable("body", mesh, RUBBER)
        .with_prescribed(Prescribed::held(Selection::side(Side::Bottom)));
    let shape = Outline::new(vec![[0.0, 0.0], [RADIUS, 0.0], [RADIUS, 0.5], [0.0, 0.5]]);
    let punch = Obstacle::new("punch", shape)
        .at([0.0, REACH])
        .with_velocity([0.0, -SUNK - REACH]);
    let [young, nu] = ELASTIC;
    let scene = turned(2, Law::linear(young, nu))
        .barrier(REACH, 10.0 * young)
        .with_body(body)
        .with_obstacle(punch);
    let mut simulation = simulated(scene)?;
    simulation.run(2)?;
    Ok(simulation)
}

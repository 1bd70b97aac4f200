//! A thin ring between two plates that close.
//!
//! The plates press with the force `F` on a ring of the radius `R` and the bending stiffness `EI`. Let
//! `s` be the arc length from the side of the ring, where its tangent is upright, and `t(s)` the angle
//! by which the tangent turns towards the plate. Each side carries `F / 2`, and equilibrium is
//! `EI t'' = -(F / 2) sin t` with `t(0) = 0` and `t = pi / 2` where the ring meets the plate.
//!
//! - Below `F R^2 / EI = (2 K / pi)^2 = 2.7864`, with `K` the integral of `1 / sqrt(cos t)` from 0 to
//!   `pi / 2`, the ring meets the plate in one point, at `s = pi R / 2`. Shooting gives the curvature at
//!   the side.
//! - Above, the ring lies flat on the plate for a half-length `c = pi R / 2 - K sqrt(EI / F)`, and the
//!   plate presses at both ends of the flat part. The height is `2.39628 sqrt(EI / F)`.
//!
//! Plates close to the heights of five forces, and force, width and half-length of the flat part are
//! judged to 1 %, the half-length by the share of `R`. The force is the sensitive one: it follows `EI`
//! in proportion.

use crate::formulas::{integral, root, runge_kutta};
use crate::scenes::{Exact, STONE, force_between, statics};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::{Displaced, ElasticRod};
use std::f64::consts::{FRAC_PI_2, TAU};

pub(super) const CASE: Case = Case {
    name: "rod_ring",
    title: "A ring between plates, and its flattening",
    proves: "A ring between plates has the force and the width of the elastica, and lies flat on them from the right force on.",
    formula: "EI t'' = -(F/2) sin t; flat from F R^2/EI = 2.7864 on",
    source: "Elastica by shooting; small loads: Timoshenko 1930, Strength of Materials, closing .1488 F R^3/EI",
    weight: Weight::Quick,
    run,
};

/// Bending stiffness (N m^2) and axial stiffness (N) of a ring of the radius 1 m, and its segments.
const BENDING: f64 = 1.0;
const AXIAL: f64 = 1e6;
const SEGMENTS: usize = 240;
/// Reach of the barrier (m), and its stiffness (Pa).
const D_HAT: f64 = 1e-4;
const KAPPA: f64 = 1e5;
/// Forces `F R^2 / EI` to whose heights the plates close (1), and increments for each.
const FORCES: [f64; 5] = [0.5, 1.0, 2.0, 4.0, 6.0];
const INCREMENTS: usize = 4;
/// Largest error of forces and widths, and of half-lengths over the radius (1).
const TOLERANCE: f64 = 0.01;

/// Half of the height, half of the width and half-length of the flat part (m).
#[derive(Clone, Copy)]
struct Shape {
    height: f64,
    width: f64,
    flat: f64,
}

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("height / 2 R", "F R^2 / EI"));
    let curve = (1..=120).map(|k| 0.05 * f64::from(k));
    let curve = curve.map(|force| [elastica(force).height, force]);
    outcome.plot.line("elastica", curve.collect());

    let mut measured = Vec::new();
    for (force, [got, width, flat]) in FORCES.into_iter().zip(squeezed()?) {
        let expected = elastica(force);
        let named = |name: &str| format!("{name}, F R^2/EI = {force}");
        outcome.relative(named("force"), "N", force, got, TOLERANCE);
        outcome.relative(named("width / 2 R"), "1", expected.width, width, TOLERANCE);
        outcome.absolute(named("flat / 2 R"), "1", expected.flat, flat, TOLERANCE);
        measured.push([expected.height, got]);
    }
    outcome.plot.points("measured", measured);
    Ok(outcome)
}

/// The shape of a ring of the radius 1 m and the stiffness 1 N m^2 under this force (N).
fn elastica(force: f64) -> Shape {
    // With `u^2 = pi / 2 - t` the integrand is smooth.
    let whole = integral([0.0, FRAC_PI_2.sqrt()], 200, |u| {
        if u == 0.0 {
            2.0
        } else {
            2.0 * u / (u * u).sin().sqrt()
        }
    });
    let length = whole / force.sqrt();
    if length < FRAC_PI_2 {
        let flat = FRAC_PI_2 - length;
        let end = shoot(force, force.sqrt(), length);
        return Shape {
            height: end[2],
            width: end[3] + flat,
            flat,
        };
    }

    let angle = |curvature: f64| shoot(force, curvature, FRAC_PI_2)[0] - FRAC_PI_2;
    let end = shoot(force, root([0.5, 4.0], angle), FRAC_PI_2);
    Shape {
        height: end[2],
        width: end[3],
        flat: 0.0,
    }
}

/// Angle (rad), curvature (1/m), height and width (m) at this arc length (m) from the side, where the
/// ring has this curvature (1/m).
fn shoot(force: f64, curvature: f64, length: f64) -> [f64; 4] {
    const STEPS: usize = 400;
    let mut y = [0.0, curvature, 0.0, 0.0];
    for _ in 0..STEPS {
        y = runge_kutta(y, length / STEPS as f64, |[t, k, _, _]| {
            [k, -0.5 * force * t.sin(), t.cos(), t.sin()]
        });
    }
    y
}

/// Force of a plate (N), half of the width and half-length of the flat part (m) at the height of each
/// of the forces.
fn squeezed() -> Result<Vec<[f64; 3]>, Error> {
    let points = (0..SEGMENTS).map(|k| {
        let angle = TAU * k as f64 / SEGMENTS as f64;
        [angle.sin(), angle.cos()]
    });
    let rod = ElasticRod::of_stiffness(AXIAL, BENDING, 1.0);
    // The top and the bottom stay on the axis, where symmetry has them.
    let mut axis = Prescribed::held(Selection::Indices(vec![0, SEGMENTS / 2]));
    axis.displacement = Some(Displaced {
        x: Some(0.0.into()),
        y: None,
    });
    let ring = Body::rod("ring", rod, Polyline::closed(points.collect()), STONE);

    // Gaps at rest are between 0 and the reach, and half of it is a good guess.
    let start = 1.0 + D_HAT;
    let mut scene = statics(FORCES.len() * INCREMENTS)
        .with_gravity([0.0, 0.0])
        .barrier(D_HAT, KAPPA)
        .with_body(ring.with_prescribed(axis));
    for (name, side) in [("top", 1.0), ("bottom", -1.0)] {
        let mut plate = Obstacle::new(name, HalfPlane::new([0.0, -side], [0.0, side * start]));
        for (k, force) in FORCES.into_iter().enumerate() {
            let time = (k + 1) as f64 / FORCES.len() as f64;
            let height = elastica(force).height + 0.5 * D_HAT;
            plate
                .keyframes
                .push(Keyframe::new(time, [0.0, side * height]));
        }
        scene = scene.with_obstacle(plate);
    }

    let mut simulation = Simulation::new(scene)?;
    let mut found = Vec::new();
    for _ in FORCES {
        simulation.run(INCREMENTS)?;
        let force = force_between(&simulation, "top", "ring").y;
        let x = simulation.body("ring")?.x();
        let width = x.iter().map(|x| x.x).fold(0.0, f64::max);
        let contacts = simulation.contacts();
        let top = contacts.filter(|contact| contact.bodies.contains(&"top"));
        let lever: f64 = top
            .map(|contact| contact.point.x.abs() * contact.force().norm())
            .sum();
        found.push([force, width, lever / force]);
    }
    Ok(found)
}

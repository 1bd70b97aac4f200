//! A circle in a groove of two frictionless half-planes.
//!
//! Walls without friction push along their normals only. The circle is in equilibrium under its
//! weight `W` and two forces whose directions are known: along x, `N_1 sin a = N_2 sin b`; along y,
//! `N_1 cos a + N_2 cos b = W`. The left wall has 45 degrees, the right one 25, 45 and 70 degrees.
//!
//! Forces as shares of the weight agree to 1e-8 after 100 steps of 0.05 s. They do not depend on
//! the barrier, which only decides how far the circle is from the walls.

use crate::scenes::{Exact, G, STONE, after, force_on, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "rest_groove",
    title: "Normal forces of a circle in a V-groove",
    proves: "Two inclined walls share a weight by the rule of sines.",
    formula: "N_1 = W sin b / sin(a + b), N_2 = W sin a / sin(a + b) for walls inclined by a and b",
    source: "Statics: triangle of forces (Lami's theorem)",
    weight: Weight::Quick,
    run,
};

/// Radius of the circle (m).
const RADIUS: f64 = 0.1;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new(
        "inclination of the right wall (degrees)",
        "force / weight",
    ));
    let left = std::f64::consts::FRAC_PI_4;
    let expected = |right: f64| [right, left].map(|other| other.sin() / (left + right).sin());
    for (label, k) in [("left wall", 0), ("right wall", 1)] {
        outcome.plot.curve(label, [20.0, 75.0], |degrees| {
            expected(degrees.to_radians())[k]
        });
    }

    let mut measured = [Vec::new(), Vec::new()];
    for degrees in [25.0_f64, 45.0, 70.0] {
        let right = degrees.to_radians();
        let shares = shares([left, right])?;
        for (k, wall) in ["left", "right"].into_iter().enumerate() {
            let name = format!("force / weight, {wall} wall, right one at {degrees} degrees");
            outcome.relative(name, "1", expected(right)[k], shares[k], 1e-8);
            measured[k].push([degrees, shares[k]]);
        }
    }
    for (label, points) in ["left, measured", "right, measured"]
        .into_iter()
        .zip(measured)
    {
        outcome.plot.points(label, points);
    }
    Ok(outcome)
}

/// Shares of the weight that walls at these inclinations (rad) carry.
fn shares([left, right]: [f64; 2]) -> Result<[f64; 2], Error> {
    let wall = |name: &str, x: f64, y: f64| Obstacle::new(name, HalfPlane::new([x, y], [0.0, 0.0]));

    // The centre is a radius away from both walls.
    let distance = RADIUS + 0.9e-3;
    let normals = [[left.sin(), left.cos()], [-right.sin(), right.cos()]];
    let determinant = normals[0][0] * normals[1][1] - normals[0][1] * normals[1][0];
    let x = distance * (normals[1][1] - normals[0][1]) / determinant;
    let y = distance * (normals[0][0] - normals[1][0]) / determinant;
    let scene = scene(0.05, 100)
        .barrier(1e-3, 1e5)
        .with_body(Body::rigid("ball", Circle::new(RADIUS), STONE).at([x, y]))
        .with_obstacle(wall("left", normals[0][0], normals[0][1]))
        .with_obstacle(wall("right", normals[1][0], normals[1][1]));

    let simulation = after(scene, 100)?;
    let weight = G * simulation.body("ball")?.mass();
    Ok(["left", "right"].map(|name| force_on(&simulation, name).norm() / weight))
}

//! A hydraulic cylinder that lifts a boom.
//!
//! The boom of the length `L` turns about the origin. The cylinder goes from the place `(0, -c)` of
//! the frame to the boom's point at the distance `d`, so that at the angle `a` its length `l` is
//! `l^2 = c^2 + d^2 + 2 c d sin a`. A motor moves it by `s(t)` for one second and then holds it.
//!
//! On the way `sin a` follows from `l`. At rest the moments of weight and cylinder about the origin
//! balance, `m g L/2 cos a = F c d cos a / l`, and so `F = m g L l / (2 c d)`.

use crate::scenes::{Exact, G, holder, rod, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::math::Vec2;
use ipcsim::prelude::*;
use ipcsim::scene::schema::{Cylinder, Table, Thrust};

pub(super) const CASE: Case = Case {
    name: "joint_cylinder",
    title: "A cylinder lifts a boom",
    proves: "A cylinder is as long as its motor makes it, and pushes as statics has it.",
    formula: "l^2 = c^2 + d^2 + 2 c d sin a on the way, F = m g L l / (2 c d) at rest",
    source: "Law of cosines; balance of moments",
    weight: Weight::Quick,
    run,
};

/// Length of the boom (m), ways from the origin to the ends of the cylinder (m).
const LENGTH: f64 = 2.0;
const BELOW: f64 = 0.6;
const ALONG: f64 = 1.1;
/// Angle of the boom at the start (rad), way of the motor (m), largest force (N), step (s).
const START: f64 = -0.3;
const WAY: f64 = 0.35;
const MOST: f64 = 1e5;
const H: f64 = 0.01;

/// Length of the cylinder at an angle of the boom (m).
fn length_at(angle: f64) -> f64 {
    (BELOW * BELOW + ALONG * ALONG + 2.0 * BELOW * ALONG * angle.sin()).sqrt()
}

/// Angle of the boom at a length of the cylinder (rad).
fn angle_at(length: f64) -> f64 {
    ((length * length - BELOW * BELOW - ALONG * ALONG) / (2.0 * BELOW * ALONG)).asin()
}

fn run() -> Result<Outcome, Error> {
    let toward = Vec2::new(START.cos(), START.sin());
    let cylinder = Joint::Cylinder(Cylinder {
        bodies: ["frame".to_owned(), "boom".to_owned()],
        ends: [[0.0, -BELOW], (toward * ALONG).into()],
        collide: false,
        motor: Some(Thrust {
            place: Some(Varying::Table(Table {
                times: vec![0.0, 1.0],
                values: vec![0.0, WAY],
            })),
            force: MOST,
            ..Thrust::default()
        }),
        ..Cylinder::default()
    });
    let scene = scene(H, 1)
        .tolerance(1e-10 * G * H)
        .with_body(rod("boom", Vec2::zeros(), toward * LENGTH))
        .with_obstacle(holder("frame", [0.0, 0.0]))
        .with_joint(Joint::hinge("frame", "boom", [0.0, 0.0]))
        .with_joint(cylinder);
    let mut simulation = Simulation::new(scene)?;
    let weight = G * simulation.body("boom")?.mass();
    let start = length_at(START);
    let exact = |t: f64| angle_at(start + WAY * t.min(1.0));

    let mut largest = 0.0_f64;
    let mut measured = Vec::new();
    let mut force = f64::NAN;
    // The motor moves for 100 steps; after 50 more it is at rest.
    for step in 1..=150 {
        simulation.step()?;
        let t = H * f64::from(step);
        let along = simulation.body("boom")?.centre();
        let angle = along.y.atan2(along.x);
        largest = largest.max((angle - exact(t)).abs());
        measured.push([t, angle]);
        let pushes = simulation.joints().nth(1);
        force = pushes.map_or(f64::NAN, |joint| joint.force.norm());
    }

    let mut outcome = Outcome::new(Plot::new("time (s)", "angle (rad)"));
    outcome.absolute("largest error of the angle", "rad", 0.0, largest, 1e-9);
    outcome.relative(
        "force at rest",
        "N",
        weight * LENGTH * (start + WAY) / (2.0 * BELOW * ALONG),
        force,
        1e-8,
    );
    outcome.plot.curve("law of cosines", [0.0, 1.5], exact);
    outcome.plot.points("measured", measured);
    Ok(outcome)
}

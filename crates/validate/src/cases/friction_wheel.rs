//! A disk on a slope, and a wheel that a torque drives.
//!
//! A disk rolls while friction has to hold no more than `mu N`: up to `tan t = 3 mu`. Beyond, it
//! slides. A torque `M` drives a wheel by the force `2 M / 3 r` of the ground.
//!
//! Rolling down a slope of the angle `t`, with `I = m r^2/2`, gives `a = 2/3 g sin t` and needs a
//! friction of `m g sin t/3`. That is at most `mu m g cos t` up to `tan t = 3 mu`, here 31 degrees.
//! A torque `M` (N m) needs a friction of two thirds of `M/r`.

use crate::formulas::{implicit_travel, rest_gap};
use crate::scenes::{DENSITY, Exact, G, STONE, ground, on_slope, scene, slope};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::contact::barrier::BarrierShape;
use ipcsim::prelude::*;
use std::f64::consts::PI;

pub(super) const CASE: Case = Case {
    name: "friction_wheel",
    title: "A disk rolls or slides down a slope; a torque drives it",
    proves: "Static friction of a wheel is what rolling needs, down a slope and under a torque, and Coulomb's where that is more than it can hold.",
    formula: "a = 2/3 g sin t up to tan t = 3 mu, then g (sin t - mu cos t); a = 2 M / 3 m r",
    source: "Newton's laws with I = m r^2/2",
    weight: Weight::Quick,
    run,
};

/// Radius (m), coefficient of friction (1), step (s), number of steps.
const RADIUS: f64 = 0.1;
const MU: f64 = 0.2;
const H: f64 = 0.002;
/// Number of steps, 1 s in all.
const STEPS: usize = 500;
/// Reach (m) and stiffness (Pa) of the barrier.
const D_HAT: f64 = 1e-3;
const KAPPA: f64 = 1e6;

/// Judges the travel in 1 s to 1e-4: rolling at 10 and 25 degrees, sliding at 45, and driven on the
/// flat.
///
/// Expected travels are those of implicit Euler, `a h^2 n (n + 1)/2`, so that the step has no
/// influence.
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new(
        "angle of the slope (degrees)",
        "travel in 1 s (m)",
    ));
    let acceleration = |angle: f64| {
        let (sin, cos) = angle.sin_cos();
        let slides = sin > 3.0 * MU * cos;
        G * if slides {
            sin - MU * cos
        } else {
            2.0 / 3.0 * sin
        }
    };
    let travel = |angle: f64| implicit_travel(acceleration(angle), H, STEPS);
    outcome.plot.curve("expected", [0.0, 50.0], |degrees| {
        travel(degrees.to_radians())
    });

    let mut measured = Vec::new();
    for degrees in [10.0_f64, 25.0, 45.0] {
        let angle = degrees.to_radians();
        let gap = D_HAT
            * rest_gap(
                BarrierShape::Inverse,
                PI * RADIUS * DENSITY * G * angle.cos() / KAPPA,
            );
        let disk = Body::rigid("disk", Circle::new(RADIUS), STONE);
        let got = moved(disk.at(on_slope(angle, 0.0, RADIUS + gap)), slope(angle))?;
        let name = format!("travel in 1 s, slope of {degrees} degrees");
        outcome.relative(name, "m", travel(angle), got, 1e-4);
        measured.push([degrees, got]);
    }
    outcome.plot.points("measured", measured);

    // Driven on level ground, below the limit of friction.
    let mass = PI * RADIUS * RADIUS * DENSITY;
    let gap = D_HAT * rest_gap(BarrierShape::Inverse, PI * RADIUS * DENSITY * G / KAPPA);
    let mut wheel = Body::rigid("disk", Circle::new(RADIUS), STONE).at([0.0, RADIUS + gap]);
    // A torque M needs the friction 2 M / 3 r, here a third of mu m g, and so a = mu g / 3.
    wheel.torque = -0.5 * MU * mass * G * RADIUS;
    let expected = implicit_travel(MU * G / 3.0, H, STEPS);
    let got = moved(wheel, ground())?;
    outcome.relative("travel in 1 s, driven", "m", expected, got, 1e-4);
    Ok(outcome)
}

/// Travel (m) of a disk in all steps.
fn moved(disk: Body, ground: Obstacle) -> Result<f64, Error> {
    let scene = scene(H, STEPS)
        .barrier(D_HAT, KAPPA)
        .rough(MU, 1e-6)
        .with_body(disk)
        .with_obstacle(ground);
    let mut simulation = Simulation::new(scene)?;
    let start = simulation.body("disk")?.centre();
    simulation.run(STEPS)?;
    Ok((simulation.body("disk")?.centre() - start).norm())
}

//! A disk that rolling resistance stops, holds on a slope, or brakes on a steeper one.
//!
//! `mu_r` (m) is the arm of rolling resistance: the torque is `mu_r N`. `t` is the slope's angle,
//! `R` the radius and `I` the inertia. The disk stays if `tan t < mu_r/R`, here 0.05. On the flat
//! it slows by `g mu_r/(R (1 + I/m R^2))` until it stops.

use crate::formulas::{implicit_travel, rest_gap};
use crate::scenes::{DENSITY, Exact, G, STONE, on_slope, scene, slope};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::contact::barrier::BarrierShape;
use ipcsim::prelude::*;
use std::f64::consts::PI;

pub(super) const CASE: Case = Case {
    name: "friction_resistance",
    title: "Rolling resistance of a disk",
    proves: "A torque of mu_r times the normal force brakes a disk, and holds it on a slope of tan t < mu_r / R.",
    formula: "a = g (sin t - mu_r cos t / R) / (1 + I / m R^2), with I = m R^2/2",
    source: "Newton and Euler for a disk that rolls; closed forms of implicit Euler",
    weight: Weight::Quick,
    run,
};

/// Radius (m), rolling resistance (m), coefficient of friction (1), speed of full friction (m/s)
/// and angular speed of full resistance (degrees/s).
const RADIUS: f64 = 0.1;
const ROLLING: f64 = 0.005;
const MU: f64 = 0.5;
const EPS_V: f64 = 1e-6;
const EPS_W: f64 = 1e-2;
/// Ratio `1 + I / m R^2` of a disk.
const INERTIA: f64 = 1.5;

/// Judges the distance on the flat, the creep on a slope of tan 0.04 and the travel on one of tan
/// 0.2.
///
/// Distances agree to 1e-3 with closed forms of implicit Euler, at two steps each. The creep, to 1
/// %, is the sum of a slow turn and a slow slip, since smooth laws hold at a small speed instead of
/// none.
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("time (s)", "speed (m/s)"));
    stopped(&mut outcome)?;

    // Below the limit of 0.05, where it creeps, and above.
    let share = 0.04 * RADIUS / ROLLING;
    let turning = EPS_W.to_radians() * (1.0 - (1.0 - share).sqrt()) * RADIUS;
    let sliding = EPS_V * (1.0 - (1.0 - 0.04 / MU).sqrt());
    let speeds = roll(0.04_f64.atan(), 0.0, 0.01, 200)?;
    let got = speeds.last().map_or(f64::NAN, |point| point[1]);
    let name = "creep on a slope of tan 0.04";
    outcome.relative(name, "m/s", turning + sliding, got, 1e-2);
    let travel: f64 = speeds.iter().map(|point| 0.01 * point[1]).sum();
    outcome.at_most("travel on it in 2 s", "m", 1e-4, travel);

    for steps in [100, 500] {
        let h = 1.0 / steps as f64;
        let angle = 0.2_f64.atan();
        let braked = angle.sin() - ROLLING / RADIUS * angle.cos();
        let expected = implicit_travel(G * braked / INERTIA, h, steps);
        let speeds = roll(angle, 0.0, h, steps)?;
        let travel: f64 = speeds.iter().map(|point| h * point[1]).sum();
        let name = format!("travel on a slope of tan 0.2 in 1 s, h {h} s");
        outcome.relative(name, "m", expected, travel, 1e-3);
    }
    Ok(outcome)
}

/// Judges the distance that a disk rolls on the flat.
fn stopped(outcome: &mut Outcome) -> Result<(), Error> {
    let speed = 1.0;
    let decay = G * ROLLING / RADIUS / INERTIA;
    outcome
        .plot
        .curve("v0 - a t", [0.0, 4.0], |t| (speed - decay * t).max(0.0));
    for steps in [400, 2000] {
        // The disk stops after v0 / a, about 3.06 s of 4 s.
        let h = 4.0 / steps as f64;
        let expected = speed * speed / (2.0 * decay) - 0.5 * speed * h;
        let speeds = roll(0.0, speed, h, steps)?;
        let distance: f64 = speeds.iter().map(|point| h * point[1]).sum();
        let name = format!("distance on the flat, h {h} s");
        outcome.relative(name, "m", expected, distance, 1e-3);
        outcome.plot.points(format!("h {h} s"), speeds);
    }
    Ok(())
}

/// Speed (m/s) over time (s) of a disk that rolls down a slope of this angle (rad) from this speed
/// (m/s), in steps of `h` (s).
fn roll(angle: f64, speed: f64, h: f64, steps: usize) -> Result<Vec<[f64; 2]>, Error> {
    let (sin, cos) = angle.sin_cos();
    let [d_hat, kappa] = [1e-3, 1e5];
    let gap = d_hat
        * rest_gap(
            BarrierShape::Inverse,
            PI * RADIUS * DENSITY * G * cos / kappa,
        );
    // The disk rolls from the start: sliding would take a part of its speed.
    let disk = Body::rigid("disk", Circle::new(RADIUS), STONE)
        .at(on_slope(angle, 0.0, RADIUS + gap))
        .with_velocity([speed * cos, -speed * sin])
        .with_spin(-(speed / RADIUS).to_degrees());
    let mut scene = scene(h, 1)
        .barrier(d_hat, kappa)
        .rough(MU, EPS_V)
        .with_body(disk)
        .with_obstacle(slope(angle));
    scene.contact.friction.rolling = ROLLING;
    scene.contact.friction.rolling_spin_deg = Some(EPS_W);

    let mut simulation = Simulation::new(scene)?;
    let mut speeds = Vec::new();
    for _ in 0..steps {
        simulation.step()?;
        let velocity = simulation.body("disk")?.velocity();
        speeds.push([simulation.time(), velocity.x * cos - velocity.y * sin]);
    }
    Ok(speeds)
}

//! Belts: surfaces that move along their outlines while their bodies stay.
//!
//! A belt gives the surface a velocity along the outline, which enters the slip of friction. The
//! closed form of the flat is that of `friction_belt`. On a slope of the angle `t`, smooth friction
//! balances the weight at a slip of `eps_v (1 - sqrt(1 - tan t/mu))`, by which the block is slower
//! than the belt.

use crate::formulas::rest_gap;
use crate::scenes::{DENSITY, Exact, G, STONE, after, ground, on_slope, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::contact::barrier::BarrierShape;
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "friction_conveyor",
    title: "A conveyor, a lift on a slope, rollers and a vehicle",
    proves: "A moving surface accelerates what it touches with mu g up to its own speed, on any kind of outline.",
    formula: "v = min(mu g t, v_belt); on a slope v = v_belt - eps_v (1 - sqrt(1 - tan t / mu))",
    source: "Coulomb friction with the velocity of the surface in the slip",
    weight: Weight::Quick,
    run,
};

/// Speed of belts (m/s), coefficient (1), speed of full friction (m/s), step (s).
const SPEED: f64 = 1.0;
const MU: f64 = 0.4;
const EPS_V: f64 = 1e-5;
const H: f64 = 0.001;
/// Reach (m) and stiffness (Pa) of the barrier, side of the block (m).
const D_HAT: f64 = 1e-3;
const KAPPA: f64 = 1e5;
const SIDE: f64 = 0.2;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("time (s)", "speed (m/s)"));
    outcome
        .plot
        .curve("min(mu g t, v)", [0.0, 0.35], |t| (MU * G * t).min(SPEED));

    // The top of what turns counter-clockwise moves to the left.
    let gap = D_HAT * rest_gap(BarrierShape::Inverse, 0.5 * DENSITY * G * SIDE / KAPPA);
    let block =
        |gap: f64| Body::rigid("block", Square::new(SIDE, 1), STONE).at([0.0, 0.5 * SIDE + gap]);
    let conveyor = scene(H, 1).with_body(block(gap));
    let conveyor = conveyor.with_obstacle(ground().with_belt(-SPEED));
    carried(&mut outcome, "conveyor", conveyor, 1.0)?;

    // A plank on two rollers, each of the contact area of its radius.
    let radius = 0.1;
    let plank = Rectangle::new([2.0, 0.05], [1, 1]);
    let plank = Body::rigid("block", plank, STONE).at([0.0, 0.025 + 0.99 * D_HAT]);
    let mut rollers = scene(H, 1).with_body(plank);
    for (name, x) in [("left", -0.4), ("right", 0.4)] {
        let roller = Obstacle::new(name, Circle::new(radius)).at([x, -radius]);
        rollers = rollers.with_obstacle(roller.with_belt(-SPEED));
    }
    carried(&mut outcome, "rollers", rollers, 1.0)?;

    // The belt of a body drives the body itself, the other way.
    let vehicle = scene(H, 1).with_body(block(gap).with_belt(SPEED));
    let vehicle = vehicle.with_obstacle(ground());
    carried(&mut outcome, "vehicle", vehicle, -1.0)?;
    lifted(&mut outcome)?;
    Ok(outcome)
}

/// Judges the speed of the body "block", which belts take along in this direction.
///
/// The speed of the belt is reached at `v_belt/(mu g)`, to 1 %; the speed after 0.2 s is `mu g t`
/// to 1e-3, and that at the end is the belt's to 1e-4.
fn carried(outcome: &mut Outcome, label: &str, scene: Scene, sign: f64) -> Result<(), Error> {
    let mut simulation = Simulation::new(scene.barrier(D_HAT, KAPPA).rough(MU, EPS_V))?;
    let mut speeds = Vec::new();
    for _ in 0..350 {
        simulation.step()?;
        let speed = sign * simulation.body("block")?.velocity().x;
        speeds.push([simulation.time(), speed]);
    }

    let carried = speeds.iter().find(|point| point[1] > 0.999 * SPEED);
    let until = carried.map_or(f64::NAN, |point| point[0]);
    let name = format!("{label}: has the speed of the belt");
    outcome.relative(name, "s", SPEED / (MU * G), until, 1e-2);
    let name = format!("{label}: speed after 0.2 s");
    outcome.relative(name, "m/s", MU * G * 0.2, speeds[199][1], 1e-3);
    let name = format!("{label}: speed at the end");
    outcome.relative(name, "m/s", SPEED, speeds[349][1], 1e-4);
    outcome.plot.points(label, speeds);
    Ok(())
}

/// Judges the speed of a block that the belt of a thick beam carries up a slope of tan 0.3.
///
/// The speed agrees to 1e-6 of the belt's, and the mean slip of contacts over the step to 1 % of
/// the creep, which is itself below `eps_v`.
fn lifted(outcome: &mut Outcome) -> Result<(), Error> {
    let steep = 0.3_f64;
    let angle = steep.atan();
    let share = 0.5 * DENSITY * G * angle.cos() * SIDE / KAPPA;
    let above = 0.5 * SIDE + D_HAT * rest_gap(BarrierShape::Inverse, share);

    // The top of the beam falls to the right, and its belt moves to the left.
    let beam = Obstacle::new("beam", Rectangle::new([6.0, 0.2], [1, 1]));
    let beam = beam
        .at(on_slope(angle, 0.0, -0.1))
        .rotated(-angle.to_degrees());
    // The block has the speed of the belt from the start, and only the creep is left to find.
    let [x, y] = [-SPEED * angle.cos(), SPEED * angle.sin()];
    let block = Body::rigid("block", Square::new(SIDE, 1), STONE)
        .at(on_slope(angle, 1.0, above))
        .rotated(-angle.to_degrees())
        .with_velocity([x, y]);
    let scene = scene(0.01, 1)
        .barrier(D_HAT, KAPPA)
        .rough(MU, EPS_V)
        .creeping()
        .with_body(block)
        .with_obstacle(beam.with_belt(SPEED));

    let simulation = after(scene, 200)?;
    let speed = simulation.body("block")?.velocity().norm();
    let creep = EPS_V * (1.0 - (1.0 - steep / MU).sqrt());
    outcome.relative("up a slope: speed", "m/s", SPEED - creep, speed, 1e-6);
    let along: f64 = simulation.contacts().map(|contact| contact.slip).sum();
    let slip = along.abs() / simulation.contacts().count() as f64 / 0.01;
    outcome.relative("up a slope: slip / h", "m/s", creep, slip, 1e-2);
    Ok(())
}

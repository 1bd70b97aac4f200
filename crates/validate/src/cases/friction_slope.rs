//! A block that slides slowly down a slope.
//!
//! Driving force and friction nearly cancel, so that an error of friction of 1 % would change the
//! travel by half. Blocks start at their gap at rest: a start elsewhere is an impact.
//!
//! `t` is the slope's angle, `s` the travel (m) after `n` steps of `h` (s). Implicit Euler moves
//! each step with the speed at its end, so that `s = a h^2 n (n + 1)/2` instead of `a t^2/2`. The
//! comparison with this sum leaves no error of the time step.

use crate::formulas::{implicit_travel, rest_gap};
use crate::scenes::{DENSITY, Exact, G, STONE, on_slope, scene, slope};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::contact::barrier::BarrierShape;
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "friction_slope",
    title: "Travel down a slope of tan 0.5 with mu 0.49",
    proves: "Friction of a sliding block is Coulomb's to a few millionths.",
    formula: "a = g (sin t - mu cos t), s = a h^2 n (n + 1)/2",
    source: "Coulomb friction; closed form of implicit Euler",
    weight: Weight::Quick,
    run,
};

/// Coefficient of friction (1), duration (s), side of the block (m).
const MU: f64 = 0.49;
const DURATION: f64 = 2.5;
const SIDE: f64 = 0.2;

/// Judges the travel in 2.5 s to 1e-5, rigid and affine, with 100 and 250 steps.
///
/// Friction takes 98 % of the driving force, so that the travel magnifies an error of friction
/// about fifty times.
fn run() -> Result<Outcome, Error> {
    let angle = 0.5_f64.atan();
    let acceleration = G * (angle.sin() - MU * angle.cos());
    let mut outcome = Outcome::new(Plot::new("time (s)", "travel (m)"));
    outcome
        .plot
        .curve("a t^2/2", [0.0, DURATION], |t| 0.5 * acceleration * t * t);

    for (label, kind) in [
        ("rigid", Kind::Rigid),
        ("affine", Kind::Affine(Affine::default())),
    ] {
        for steps in [100, 250] {
            let h = DURATION / steps as f64;
            let travel = travel(kind, h, steps)?;
            let name = format!("travel in 2.5 s, {label}, h {h} s");
            let expected = implicit_travel(acceleration, h, steps);
            let got = travel.last().map_or(f64::NAN, |point| point[1]);
            outcome.relative(name, "m", expected, got, 1e-5);
            outcome.plot.points(format!("{label}, h {h} s"), travel);
        }
    }
    Ok(outcome)
}

/// Travel (m) over time (s) of a block of this kind.
fn travel(kind: Kind, h: f64, steps: usize) -> Result<Vec<[f64; 2]>, Error> {
    let angle = 0.5_f64.atan();
    let [d_hat, kappa] = [1e-3, 1e5];
    // Only the part of the weight across the slope presses the block on it.
    let share = 0.5 * DENSITY * G * angle.cos() * SIDE / kappa;
    let above = 0.5 * SIDE + d_hat * rest_gap(BarrierShape::Log, share);

    let block = Body::new("block", kind, Square::new(SIDE, 1), STONE)
        .at(on_slope(angle, 0.0, above))
        .rotated(-angle.to_degrees());
    let scene = scene(h, steps)
        .barrier(d_hat, kappa)
        .shape(BarrierShape::Log)
        .rough(MU, 1e-5)
        .with_body(block)
        .with_obstacle(slope(angle));

    let mut simulation = Simulation::new(scene)?;
    let start = simulation.body("block")?.centre();
    let mut travel = Vec::new();
    for _ in 0..steps {
        simulation.step()?;
        let moved = (simulation.body("block")?.centre() - start).norm();
        travel.push([simulation.time(), moved]);
    }
    Ok(travel)
}

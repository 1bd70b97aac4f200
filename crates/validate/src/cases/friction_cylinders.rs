//! A cylinder on two others.
//!
//! The lines from the upper centre to the lower ones are inclined by `a` from the vertical. Moments
//! about a lower centre give equal friction at its two contacts, and the balance of forces gives
//! `F/N = tan(a/2)` between cylinders and `F/N = tan(a/2)/3` on the ground.
//!
//! All cylinders have the same radius `R` and weight; `F` and `N` are friction and normal force (N)
//! at a contact. With half of the distance `d` of the lower centres, `sin a = d/(2 R)`, to which
//! the gap of the barrier is added in the code. The pile stands if both coefficients are above
//! their limits.

use crate::scenes::{Exact, STONE, ground, scene};
use crate::{Case, Outcome, Plot, Quantity, Weight};
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "friction_cylinders",
    title: "Three cylinders stand by friction",
    proves: "A pile of three cylinders stands above the critical friction and falls apart below, at the ground and between them.",
    formula: "mu = tan(a/2) between cylinders, mu = tan(a/2)/3 on the ground",
    source: "Statics of three equal cylinders",
    weight: Weight::Quick,
    run,
};

/// Radius (m), half of the distance of the lower centres (m), gap at the start (m).
const RADIUS: f64 = 0.1;
const HALF: f64 = 0.102;
const GAP: f64 = 0.97e-4;

/// Judges the fall of the upper cylinder in 2 s: at most 1 mm with 4 % more than the critical
/// friction, at least 20 mm with 4 % less.
///
/// One coefficient at a time is critical while the other is 1, so that each limit is seen alone.
fn run() -> Result<Outcome, Error> {
    // HALF exceeds the radius: the lower cylinders do not touch, and friction holds them.
    let angle = (HALF / (2.0 * RADIUS + GAP)).asin();
    let between = (0.5 * angle).tan();
    let mut outcome = Outcome::new(Plot::new("time (s)", "fall of the upper cylinder (m)"));

    for (label, critical, place) in [("between", between, 0), ("ground", between / 3.0, 1)] {
        for share in [1.04, 0.96] {
            // The other friction is ample.
            let mut mu = [1.0, 1.0];
            mu[place] = share * critical;
            let fall = fall(mu)?;
            let got = fall.last().map_or(f64::NAN, |point| point[1]);
            let name = format!("fall in 2 s, {label}, {share} of the limit");
            outcome.check(if share > 1.0 {
                Quantity::at_most(name, "m", 1e-3, got)
            } else {
                Quantity::at_least(name, "m", 0.02, got)
            });
            outcome.plot.points(format!("{label}, {share}"), fall);
        }
    }
    Ok(outcome)
}

/// Fall (m) of the upper cylinder over time (s), with friction between cylinders and on the ground.
fn fall([between, on_ground]: [f64; 2]) -> Result<Vec<[f64; 2]>, Error> {
    let distance = 2.0 * RADIUS + GAP;
    let above = (distance * distance - HALF * HALF).sqrt();
    let cylinder = |name: &str, at: [f64; 2]| Body::rigid(name, Circle::new(RADIUS), STONE).at(at);
    let low = RADIUS + GAP;
    let mut scene = scene(0.005, 400)
        .barrier(1e-4, 1e7)
        .rough(between, 1e-5)
        .with_body(cylinder("left", [-HALF, low]))
        .with_body(cylinder("right", [HALF, low]))
        .with_body(cylinder("top", [0.0, low + above]))
        .with_obstacle(ground());
    scene.contact.friction.pairs = vec![
        FrictionPair::new("left", "ground", on_ground),
        FrictionPair::new("right", "ground", on_ground),
    ];

    let mut simulation = Simulation::new(scene)?;
    let start = simulation.body("top")?.centre().y;
    let mut fall = Vec::new();
    while simulation.time() < 2.0 {
        simulation.step()?;
        fall.push([
            simulation.time(),
            start - simulation.body("top")?.centre().y,
        ]);
    }
    Ok(fall)
}

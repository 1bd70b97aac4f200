//! A beam on a hinge, held by a rod.
//!
//! A level beam of the length 1 m and weight `W` has a hinge at its left end. A rod from its right
//! end to a point above the hinge makes the angle `b` with it. Moments about the hinge,
//! `F sin b = W / 2`, give the pull `F` of the rod. The hinge carries the rest:
//! `F cos b = W / (2 tan b)` along the beam and `W - F sin b = W / 2` across.
//!
//! Forces are read after 20 steps of 0.01 s, as shares of the weight, and agree to 1e-8. Steps are
//! solved to 1e-10 of the speed `g h` that a step of free fall gains.

use crate::scenes::{Exact, G, after, holder, rod, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::math::Vec2;
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "joint_bracket",
    title: "Forces of a bracket: a beam, a hinge and a rod",
    proves: "Forces of joints that a program reads are those of statics.",
    formula: "rod: W / (2 sin b); hinge: W / (2 tan b) along the beam, W / 2 across",
    source: "Statics: moments about the hinge",
    weight: Weight::Quick,
    run,
};

/// Step (s).
const H: f64 = 0.01;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("angle of the rod (degrees)", "force / weight"));
    outcome
        .plot
        .curve("rod", [20.0, 80.0], |b| 0.5 / b.to_radians().sin());
    outcome.plot.curve("hinge", [20.0, 80.0], |b| {
        0.5 * (1.0 / b.to_radians().tan()).hypot(1.0)
    });

    let [mut rods, mut hinges] = [Vec::new(), Vec::new()];
    for degrees in [25.0_f64, 45.0, 70.0] {
        let [hinge, rod] = forces(degrees)?;
        let angle = degrees.to_radians();
        for (name, expected, got) in [
            ("rod", 0.5 / angle.sin(), rod.norm()),
            ("hinge, along the beam", 0.5 / angle.tan(), hinge.x.abs()),
            ("hinge, across", 0.5, hinge.y.abs()),
        ] {
            let name = format!("force / weight, {name}, {degrees} degrees");
            outcome.relative(name, "1", expected, got, 1e-8);
        }
        rods.push([degrees, rod.norm()]);
        hinges.push([degrees, hinge.norm()]);
    }
    outcome.plot.points("rod, measured", rods);
    outcome.plot.points("hinge, measured", hinges);
    Ok(outcome)
}

/// Forces of hinge and rod on a level beam of 1 m as shares of its weight.
fn forces(degrees: f64) -> Result<[Vec2; 2], Error> {
    // The beam is 1 m long: a rod at this angle ends so high above the hinge.
    let height = degrees.to_radians().tan();
    let scene = scene(H, 20)
        .tolerance(1e-10 * G * H)
        .with_body(rod("beam", Vec2::zeros(), Vec2::new(1.0, 0.0)))
        .with_obstacle(holder("hinge", [0.0, 0.0]))
        .with_obstacle(holder("anchor", [0.0, height]))
        .with_joint(Joint::hinge("hinge", "beam", [0.0, 0.0]))
        .with_joint(Joint::rod("anchor", "beam", [[0.0, height], [1.0, 0.0]]));
    let simulation = after(scene, 20)?;
    let weight = G * simulation.body("beam")?.mass();
    let mut forces = [Vec2::zeros(); 2];
    for (force, joint) in forces.iter_mut().zip(simulation.joints()) {
        *force = joint.force / weight;
    }
    Ok(forces)
}

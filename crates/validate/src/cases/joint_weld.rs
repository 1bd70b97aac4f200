//! Reactions of a weld.
//!
//! A level beam of the length `L` and mass `m` is welded to a fixed point at its left end. The weld
//! carries the weight, `F = m g` along y, and the moment of the weight about the weld,
//! `M = m g L / 2`, since the centre of the beam is `L / 2` away. Along x it carries nothing.
//!
//! Forces as shares of `m g` and the moment as a share of `m g L` agree to 1e-8 after 20 steps.

use crate::scenes::{Exact, G, holder, rod, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::math::Vec2;
use ipcsim::prelude::*;
use ipcsim::scene::schema::Weld;

pub(super) const CASE: Case = Case {
    name: "joint_weld",
    title: "A beam that is welded to a wall",
    proves: "A weld carries the weight of a beam, and its moment.",
    formula: "F = m g, M = m g L / 2",
    source: "Statics, for instance Hibbeler, Engineering Mechanics, chapter 5",
    weight: Weight::Quick,
    run,
};

/// Length of the beam (m), step (s).
const LENGTH: f64 = 2.0;
const H: f64 = 0.01;

fn run() -> Result<Outcome, Error> {
    let weld = Joint::Weld(Weld {
        bodies: ["holder".to_owned(), "beam".to_owned()],
        at: [0.0, 0.0],
        ..Weld::default()
    });
    let scene = scene(H, 20)
        .tolerance(1e-10 * G * H)
        .with_body(rod("beam", Vec2::zeros(), Vec2::new(LENGTH, 0.0)))
        .with_obstacle(holder("holder", [0.0, 0.0]))
        .with_joint(weld);
    let mut simulation = Simulation::new(scene)?;
    let weight = G * simulation.body("beam")?.mass();

    let mut measured = Vec::new();
    let mut last = [f64::NAN; 3];
    for step in 1..=20 {
        simulation.step()?;
        if let Some(joint) = simulation.joints().next() {
            let moment = joint.moment / (weight * LENGTH);
            last = [joint.force.x / weight, joint.force.y / weight, moment];
            measured.push([f64::from(step), moment]);
        }
    }

    let mut outcome = Outcome::new(Plot::new("step", "moment / m g L"));
    let names = [
        "force along x / m g",
        "force along y / m g",
        "moment / m g L",
    ];
    for ((name, expected), got) in names.into_iter().zip([0.0, 1.0, 0.5]).zip(last) {
        outcome.absolute(name, "1", expected, got, 1e-8);
    }
    outcome.plot.curve("statics", [1.0, 20.0], |_| 0.5);
    outcome.plot.points("measured", measured);
    Ok(outcome)
}

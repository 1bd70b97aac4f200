//! A four-bar linkage with a crank that turns.
//!
//! The crank turns about the origin at 360 degrees/s and is prescribed. The rocker turns about its
//! foot at `(d, 0)`. The coupler joins their ends, and where it meets the rocker is the knee: at
//! the distance of the coupler's length from the crank's end and of the rocker's length from the
//! foot. Two circles meet in two points; hinges cannot jump from one to the other.
//!
//! The crank can make full turns by Grashof's rule, since `1 + 4 < 3.5 + 3`: the shortest and the
//! longest length are together less than the other two. In one turn of 100 steps, 3.6 degrees each,
//! no end is farther than 5e-10 m from its place. The formula has no time in it, so errors must not
//! add up.

use crate::scenes::{Exact, carried, holder, rod, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::math::Vec2;
use ipcsim::prelude::*;
use std::f64::consts::TAU;

pub(super) const CASE: Case = Case {
    name: "joint_linkage",
    title: "Kinematics of a four-bar linkage",
    proves: "Hinges stay closed: coupler and rocker are where the circles of their lengths meet.",
    formula: "knee = intersection of the circles around the crank's end and the rocker's foot",
    source: "Plane kinematics, for instance Bottema, Roth, Theoretical Kinematics",
    weight: Weight::Quick,
    run,
};

/// Lengths of crank, coupler and rocker, distance of the feet (m); step (s).
const CRANK: f64 = 1.0;
const COUPLER: f64 = 3.5;
const ROCKER: f64 = 3.0;
const FEET: f64 = 4.0;
const H: f64 = 0.01;

fn run() -> Result<Outcome, Error> {
    let at = |angle: f64| Vec2::new(angle.cos(), angle.sin()) * CRANK;
    let foot = Vec2::new(FEET, 0.0);
    let start = [at(0.0), knee(at(0.0))];

    let mut crank = holder("crank", [0.0, 0.0]);
    crank.spin_deg = 360.0;
    let scene = scene(H, 100)
        .tolerance(1e-8)
        .weightless()
        .with_body(rod("coupler", start[0], start[1]))
        .with_body(rod("rocker", start[1], foot))
        .with_obstacle(crank)
        .with_obstacle(holder("foot", [FEET, 0.0]))
        .with_joint(Joint::hinge("crank", "coupler", start[0].into()))
        .with_joint(Joint::hinge("coupler", "rocker", start[1].into()))
        .with_joint(Joint::hinge("foot", "rocker", foot.into()));

    let mut simulation = Simulation::new(scene)?;
    let centres = [0.5 * (start[0] + start[1]), 0.5 * (start[1] + foot)];
    let mut largest = 0.0_f64;
    let [mut expected, mut measured] = [Vec::new(), Vec::new()];
    for step in 1..=100 {
        simulation.step()?;
        let angle = TAU * H * f64::from(step);
        let knee = knee(at(angle));
        // The knee is judged on both of its bodies, since a hinge that opens shows in one only.
        for (body, centre, from, to) in [
            ("coupler", centres[0], start[0], at(angle)),
            ("coupler", centres[0], start[1], knee),
            ("rocker", centres[1], start[1], knee),
        ] {
            let error = carried(&simulation, body, centre, from)? - to;
            largest = largest.max(error.norm());
        }
        expected.push([angle, (knee - foot).y.atan2((knee - foot).x)]);
        let moved = carried(&simulation, "rocker", centres[1], start[1])? - foot;
        measured.push([angle, moved.y.atan2(moved.x)]);
    }

    let mut outcome = Outcome::new(Plot::new("crank (rad)", "rocker (rad)"));
    outcome.absolute(
        "largest error of an end in a turn",
        "m",
        0.0,
        largest,
        5e-10,
    );
    outcome.plot.line("intersection of circles", expected);
    outcome.plot.points("measured", measured);
    Ok(outcome)
}

/// Place of the knee (m) for an end of the crank (m): left of the way to the foot.
///
/// With the distance `d` of the centres, the common chord of both circles is
/// `(d^2 + l^2 - r^2) / 2 d` from the crank's end, for the lengths `l` of the coupler and `r` of
/// the rocker. Half of the chord follows by Pythagoras.
fn knee(end: Vec2) -> Vec2 {
    let way = Vec2::new(FEET, 0.0) - end;
    let d = way.norm();
    let along = (d * d + COUPLER * COUPLER - ROCKER * ROCKER) / (2.0 * d);
    let across = (COUPLER * COUPLER - along * along).sqrt();
    end + way * (along / d) + Vec2::new(-way.y, way.x) * (across / d)
}

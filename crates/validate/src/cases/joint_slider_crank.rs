//! A crank that drives a piston.
//!
//! The crank of the length `r` turns about the origin at 360 degrees/s and is prescribed. A rod of
//! the length `l` joins its end to a piston on the x axis. The end is `r sin a` beside the axis at
//! the angle `a`, and the rod reaches `sqrt(l^2 - r^2 sin^2 a)` farther along it. Gravity is
//! absent.
//!
//! In one turn of 100 steps the centre of the piston is within 1e-9 m of the formula, along the
//! axis and across, and its angle within 1e-10 rad of 0. The formula has no time in it, so errors
//! must not add up.

use crate::scenes::{Exact, STONE, holder, rod, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::math::Vec2;
use ipcsim::prelude::*;
use ipcsim::scene::schema::Guide;
use std::f64::consts::TAU;

pub(super) const CASE: Case = Case {
    name: "joint_slider_crank",
    title: "Kinematics of a slider-crank",
    proves: "A slider stays on its line and does not turn: the piston is where the crank puts it.",
    formula: "x = r cos a + sqrt(l^2 - r^2 sin^2 a)",
    source: "Plane kinematics, for instance Norton, Design of Machinery, chapter 4",
    weight: Weight::Quick,
    run,
};

/// Lengths of crank and rod (m), step (s).
const CRANK: f64 = 1.0;
const ROD: f64 = 2.5;
const H: f64 = 0.01;

fn run() -> Result<Outcome, Error> {
    let place = |angle: f64| {
        let side = CRANK * angle.sin();
        CRANK * angle.cos() + (ROD * ROD - side * side).sqrt()
    };
    let start = [CRANK, place(0.0)];
    let mut crank = holder("crank", [0.0, 0.0]);
    crank.spin_deg = 360.0;
    let mut piston = Body::rigid("piston", Square::new(0.3, 1), STONE).at([start[1], 0.0]);
    piston.group = Some("jointed".to_owned());
    let slider = Joint::Slider(Guide {
        bodies: ["cylinder".to_owned(), "piston".to_owned()],
        at: [start[1], 0.0],
        axis: [1.0, 0.0],
        ..Guide::default()
    });
    let ends = start.map(|x| Vec2::new(x, 0.0));
    let scene = scene(H, 100)
        .tolerance(1e-9)
        .weightless()
        .with_body(rod("rod", ends[0], ends[1]))
        .with_body(piston)
        .with_obstacle(crank)
        .with_obstacle(holder("cylinder", [4.0, 0.0]))
        .with_joint(Joint::hinge("crank", "rod", ends[0].into()))
        .with_joint(Joint::hinge("rod", "piston", ends[1].into()))
        .with_joint(slider);

    let mut simulation = Simulation::new(scene)?;
    let [mut largest, mut turn] = [0.0_f64; 2];
    let [mut expected, mut measured] = [Vec::new(), Vec::new()];
    for step in 1..=100 {
        simulation.step()?;
        let angle = TAU * H * f64::from(step);
        let piston = simulation.body("piston")?;
        let error = piston.centre() - Vec2::new(place(angle), 0.0);
        largest = largest.max(error.norm());
        turn = turn.max(piston.angle().unwrap_or(f64::NAN).abs());
        expected.push([angle, place(angle)]);
        measured.push([angle, piston.centre().x]);
    }

    let mut outcome = Outcome::new(Plot::new("crank (rad)", "piston (m)"));
    outcome.absolute(
        "largest error of the piston in a turn",
        "m",
        0.0,
        largest,
        1e-9,
    );
    outcome.absolute("largest turn of the piston", "rad", 0.0, turn, 1e-10);
    outcome.plot.line("closed form", expected);
    outcome.plot.points("measured", measured);
    Ok(outcome)
}

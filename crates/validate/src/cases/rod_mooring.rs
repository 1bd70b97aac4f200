//! A mooring line: a chain that lies on the sea floor in part and rises to a ship.
//!
//! A line of the length `S` and the weight `w` per length in water begins at an anchor on a floor without
//! friction, and ends at a height `h` above the floor. The part that hangs is a catenary with the
//! horizontal tension `T0` and `a = T0 / w`:
//!
//! - its length is `s = sqrt(h^2 + 2 a h)`, and it spans `a arcosh(1 + h / a)`;
//! - the tension at its upper end is `T0 + w h`, and that at the anchor `T0`.
//!
//! The ship stands where the span and the part on the floor, `S - s`, give its distance from the anchor:
//! `a` follows from that by bisection. The line has no bending stiffness and hardly stretches. Tensions
//! and the place where the line leaves the floor are judged to 0.5 % for three distances of the ship.

use crate::formulas::root;
use crate::scenes::{Exact, G, STONE, ground, statics};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::ElasticRod;

pub(super) const CASE: Case = Case {
    name: "rod_mooring",
    title: "A mooring line that lies on the sea floor in part",
    proves: "A line leaves the floor where its catenary begins, and pulls at both ends as that says.",
    formula: "s^2 = h^2 + 2 a h, T = T0 + w h, a = T0 / w",
    source: "Catenary with touchdown; Faltinsen 1990, Sea Loads on Ships and Offshore Structures, chapter 8",
    weight: Weight::Quick,
    run,
};

/// Length, height of the upper end (m), segments, axial stiffness (N), weight of a length (N/m).
const LENGTH: f64 = 10.0;
const HEIGHT: f64 = 4.0;
const SEGMENTS: usize = 400;
const AXIAL: f64 = 1e6;
const WEIGHT: f64 = 2.0;
/// Reach (m) and stiffness (Pa) of the barrier.
const D_HAT: f64 = 1e-4;
const KAPPA: f64 = 100.0;

/// Judges tensions and the place to 0.5 %.
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("x (m)", "height (m)"));
    for distance in [7.4, 8.0, 8.4] {
        let suspended = |a: f64| (HEIGHT * (HEIGHT + 2.0 * a)).sqrt();
        let span = |a: f64| a * (1.0 + HEIGHT / a).acosh();
        let a = root([0.05, 20.0], |a| LENGTH - suspended(a) + span(a) - distance);
        let leaves = LENGTH - suspended(a);
        let label = format!("distance {distance} m");
        outcome.plot.curve(label, [0.0, distance], |x| {
            a * (((x - leaves).max(0.0) / a).cosh() - 1.0)
        });

        let moored = moored(distance)?;
        let top = WEIGHT * (a + HEIGHT);
        let named = |name: &str| format!("{name}, distance {distance} m");
        outcome.relative(
            named("tension at the anchor"),
            "N",
            WEIGHT * a,
            moored.anchor,
            0.005,
        );
        outcome.relative(named("tension at the ship"), "N", top, moored.ship, 0.005);
        outcome.relative(
            named("place of touchdown"),
            "m",
            leaves,
            moored.leaves,
            0.005,
        );
        let points = moored.x.into_iter().step_by(5).collect();
        outcome
            .plot
            .points(format!("measured, {distance} m"), points);
    }
    Ok(outcome)
}

/// Tensions (N) at both ends, place of touchdown (m), and points of the line (m).
struct Moored {
    anchor: f64,
    ship: f64,
    leaves: f64,
    x: Vec<[f64; 2]>,
}

/// A line whose ship is at this distance (m) from the anchor.
fn moored(distance: f64) -> Result<Moored, Error> {
    // A line along the floor and straight up to the ship has the length at one place of the corner.
    let rest = LENGTH - distance;
    let run = (HEIGHT * HEIGHT - rest * rest) / (2.0 * rest);
    let corner = distance - run;
    let part = LENGTH / SEGMENTS as f64;
    let rise = HEIGHT.hypot(run);
    let points = (0..=SEGMENTS).map(|k| {
        let along = part * k as f64;
        let up = (along - corner).max(0.0) / rise;
        [along.min(corner) + up * run, D_HAT + up * HEIGHT]
    });

    let rod = ElasticRod::of_stiffness(AXIAL, 0.0, WEIGHT / G);
    let ends = Selection::Indices(vec![0, SEGMENTS]);
    let line = Body::rod("line", rod, Polyline::open(points.collect()), STONE);
    let scene = statics(1)
        .with_gravity([0.0, -G])
        .tolerance(1e-9)
        .barrier(D_HAT, KAPPA)
        .with_body(line.with_prescribed(Prescribed::held(ends)))
        .with_obstacle(ground());
    let mut simulation = Simulation::new(scene)?;
    simulation.step()?;

    // The floor carries the line as far as it lies, but for the half of a segment at the anchor.
    let x = simulation.body("line")?.x();
    let floor: f64 = simulation
        .contacts()
        .map(|contact| contact.normal_force)
        .sum();
    let tension = |k: usize| AXIAL * ((x[k + 1] - x[k]).norm() / part - 1.0);
    let [last, before] = [tension(SEGMENTS - 1), tension(SEGMENTS - 2)];
    Ok(Moored {
        anchor: tension(0),
        ship: last + 0.5 * (last - before),
        leaves: floor / WEIGHT + 0.5 * part,
        x: x.iter().map(|x| [x.x, x.y]).collect(),
    })
}

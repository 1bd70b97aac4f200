//! An air spring: a mass between two chambers of gas.
//!
//! A piston of the mass `m` slides in a closed cylinder with gas of the pressure `p` and the volume `V` on
//! either side. With the width `A` on which the gas acts small oscillations have
//!
//! `omega^2 = 2 gamma p A^2 / (m V)`,
//!
//! at any `gamma`. The trapezoidal rule with the step `h` has the period `2 pi h / (2 atan(omega h / 2))`, and
//! keeps the energy of mass and gas.

use crate::gas::gas;
use crate::perturb::simulated;
use crate::scenes::{Exact, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::{Bounds, Chamber, StartPressure};
use std::f64::consts::TAU;

pub(super) const CASE: Case = Case {
    name: "chamber_spring",
    title: "The frequency of an air spring",
    proves: "Gas on both sides of a mass is a spring with the stiffness of its volume and exponent, and keeps energy.",
    formula: "omega^2 = 2 gamma p A^2/(m V)",
    source: "Rüchardt 1929",
    weight: Weight::Quick,
    run,
};

/// Half of the width and of the length of the cylinder, gap at the piston, half of its length (m).
const HALF: f64 = 0.05;
const LONG: f64 = 0.3;
const GAP: f64 = 5e-4;
const THICK: f64 = 0.05;
/// Density of the piston (kg/m^3), absolute pressure (Pa), speed at the start (m/s).
const DENSE: f64 = 5e3;
const PRESSURE: f64 = 2e5;
const SPEED: f64 = 0.01;
/// Steps in a period.
const STEPS: u32 = 100;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("t / T", "x (m)"));
    let mass = DENSE * 4.0 * THICK * (HALF - GAP);
    let width = 2.0 * HALF - GAP;
    let volume = 2.0 * HALF * (LONG - THICK) + GAP * THICK;
    for gamma in [1.0, 1.4] {
        let rate = (2.0 * gamma * PRESSURE * width * width / (mass * volume)).sqrt();
        let h = TAU / rate / f64::from(STEPS);
        let mut simulation = simulated(spring(gamma, h))?;

        let begun = gas(&simulation, 0);
        outcome.relative("volume at the start", "m^3", volume, begun.volume, 1e-12);
        let first = simulation.begin()?.record;

        let mut places = vec![[0.0, 0.0]];
        let mut drift = 0.0_f64;
        for step in 1..=3 * STEPS {
            let record = simulation.step()?.record;
            drift = drift.max((record.total - first.total).abs() / first.kinetic);
            places.push([
                f64::from(step) / f64::from(STEPS),
                simulation.body("piston")?.centre().x,
            ]);
        }

        // Time from the first return to the start to that two periods later, upwards.
        let crossed: Vec<f64> = places
            .windows(2)
            .skip(1)
            .filter(|pair| pair[0][1] < 0.0 && pair[1][1] >= 0.0)
            .map(|pair| pair[0][0] - pair[0][1] / (pair[1][1] - pair[0][1]) / f64::from(STEPS))
            .collect();
        let periods = crossed[1] - crossed[0];
        let ruled = rate * h / (2.0 * (0.5 * rate * h).atan());
        outcome.relative(format!("period, gamma {gamma}"), "T", ruled, periods, 1e-6);
        outcome.at_most(format!("energy, gamma {gamma}"), "1", 1e-7, drift);
        outcome.plot.points(format!("gamma {gamma}"), places);
    }
    Ok(outcome)
}

/// A piston between two chambers that moves at the start.
fn spring(gamma: f64, h: f64) -> Scene {
    let wall = 0.02;
    let corners = |x: f64, y: f64| vec![[-x, -y], [x, -y], [x, y], [-x, y]];
    let mut hole = corners(LONG, HALF);
    // The upper and the lower wall have vertices at the middle, where the chambers part.
    hole.insert(1, [0.0, -HALF]);
    hole.insert(4, [0.0, HALF]);
    let cylinder = Outline::new(corners(LONG + wall, HALF + wall)).with_hole(hole);
    let mut piston = Body::rigid(
        "piston",
        Rectangle::new([2.0 * THICK, 2.0 * (HALF - GAP)], [1, 1]),
        "steel",
    );
    piston.fixed = vec![Axis::Y, Axis::Angle];
    piston.velocity = [SPEED, 0.0];

    // Nothing touches.
    let mut scene = scene(h, 3 * STEPS as usize)
        .tolerance(1e-10)
        .weightless()
        .with_material("steel", Material::rigid(DENSE))
        .with_body(piston)
        .with_obstacle(Obstacle::new("cylinder", cylinder));
    scene.time = scene.time.by(Scheme::Trapezoid);
    scene.contact.exclude = vec![["piston".to_owned(), "cylinder".to_owned()]];
    for (name, sign, side) in [("left", -1.0, Side::Left), ("right", 1.0, Side::Right)] {
        let far = [sign * (LONG + 0.5 * wall), 0.0];
        let own = Bounds {
            min: [far[0].min(0.0) - 1e-9, -HALF - 1e-9],
            max: [far[0].max(0.0) + 1e-9, HALF + 1e-9],
        };
        let mut chamber = Chamber::new(name)
            .with_wall("cylinder", Some(Selection::Box(own)))
            .with_wall("piston", Some(Selection::Side(side)));
        chamber.gamma = gamma;
        chamber.pressure = Some(StartPressure {
            absolute: Some(PRESSURE),
            ..StartPressure::default()
        });
        scene = scene.with_chamber(chamber);
    }
    scene
}

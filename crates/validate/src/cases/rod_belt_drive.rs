//! A belt that drives a pulley of twice the size, below and above the load at which it slips.
//!
//! The pulleys have the radii `R1` and `R2`, the belt the radius `r`, and the axles are `c` apart on average: a
//! force `F` pulls the larger pulley away from the smaller one. With `sin b = (R2 - R1) / c`
//!
//! - the pulleys turn as `(R1 + r) / (R2 + r)`, since the middle of the belt keeps its length;
//! - the tensions have the sum `F / cos b`, and at most the ratio `E = exp(mu (pi - 2 b) R1 / (R1 + r))` at the
//!   smaller pulley, so that the belt slips above the load `F / cos b (E - 1) / (E + 1) (R2 + r)`.
//!
//! Without load and at 0.98 of this load the ratio is judged to 1 %, and segments of 6 mm change it by
//! 0.2 %. At 1.02 of the load the larger pulley turns at less than 0.9 of it.

use crate::scenes::{Exact, STONE, holder, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::{ElasticRod, Guide, Hinge, Motor};
use std::f64::consts::PI;

pub(super) const CASE: Case = Case {
    name: "rod_belt_drive",
    title: "A belt drive, up to the load at which it slips",
    proves: "A tensioned belt turns a pulley in the ratio of radii up to the load of Euler and Eytelwein, and slips above.",
    formula: "M = F/cos b (E - 1)/(E + 1) (R2 + r), E = exp(mu (pi - 2 b) R1/(R1 + r))",
    source: "Euler 1769, Eytelwein 1808; Shigley, Mechanical Engineering Design, chapter 17",
    weight: Weight::Full,
    run,
};

/// Radii of the pulleys and of the belt, distance of the axles, length of segments (m).
const RADII: [f64; 2] = [0.05, 0.1];
const BELT: f64 = 1e-3;
const AXLES: f64 = 0.25;
const SEGMENT: f64 = 6e-3;
/// Reach of the barrier (m).
const D_HAT: f64 = 2e-5;
/// Force on the axle (N), coefficient of friction (1), density of pulleys (kg/m^3).
const PULL: f64 = 200.0;
const MU: f64 = 0.3;
const LIGHT: f64 = 100.0;
/// Speed of the smaller pulley (degrees/s), step and times of start, load and measurement (s).
const SPEED: f64 = 360.0;
const H: f64 = 2e-3;
const TIMES: [f64; 3] = [0.1, 0.2, 0.4];

fn run() -> Result<Outcome, Error> {
    let slope = ((RADII[1] - RADII[0]) / AXLES).asin();
    let lever = RADII[0] / (RADII[0] + BELT);
    let ratio = (MU * (PI - 2.0 * slope) * lever).exp();
    let limit = PULL / slope.cos() * (ratio - 1.0) / (ratio + 1.0) * (RADII[1] + BELT);
    let speeds = (RADII[0] + BELT) / (RADII[1] + BELT);

    let mut outcome = Outcome::new(Plot::new(
        "load / limit",
        "speed / speed of the smaller pulley",
    ));
    outcome.plot.curve("ratio of radii", [0.0, 1.0], |_| speeds);
    let mut measured = Vec::new();
    for share in [0.0, 0.98, 1.02] {
        let got = driven(share * limit)?;
        let name = format!("ratio of speeds at {share} of the limit");
        if share < 1.0 {
            outcome.relative(name, "1", speeds, got, 0.01);
        } else {
            outcome.at_most(name, "1", 0.9 * speeds, got);
        }
        measured.push([share, got]);
    }
    outcome.plot.points("measured", measured);
    Ok(outcome)
}

/// The drive under this load (N m).
fn drive(load: f64) -> Scene {
    let [start, loaded, _] = TIMES;
    let table = |times: Vec<f64>, values: Vec<f64>| Varying::Table(Table { times, values });
    let speed = table(vec![0.0, start], vec![0.0, SPEED]);
    let brake = table(vec![start, loaded], vec![0.0, -load]);
    let drive = Hinge {
        bodies: ["first axle".to_owned(), "driver".to_owned()],
        motor: Some(Motor {
            speed_deg: Some(speed),
            torque: 1e4,
            ..Motor::default()
        }),
        ..Hinge::default()
    };
    let slot = Guide {
        bodies: ["second axle".to_owned(), "driven".to_owned()],
        at: [AXLES, 0.0],
        axis: [1.0, 0.0],
        ..Guide::default()
    };
    let rod = ElasticRod::of_stiffness(1e6, 0.0, 0.02).with_radius(BELT);
    let mut scene = scene(H, 1)
        .weightless()
        .tolerance(1e-6)
        .barrier(D_HAT, 1e7)
        .rough(MU, 1e-4)
        .with_material("light", Material::rigid(LIGHT))
        .with_body(Body::rod("belt", rod, Polyline::closed(loop_of()), STONE))
        .with_joint(Joint::Hinge(drive))
        .with_joint(Joint::Slot(slot))
        .with_load(Load::force("driven", [PULL, 0.0]))
        .with_load(Load::torque("driven", brake));
    let pulleys = [
        ("driver", "first axle", 0.0),
        ("driven", "second axle", AXLES),
    ];
    for (radius, (name, axle, x)) in RADII.into_iter().zip(pulleys) {
        let mut pulley = Body::rigid(name, Circle::new(radius), "light").at([x, 0.0]);
        let mut axle = holder(axle, [x, 0.0]);
        for group in [&mut pulley.group, &mut axle.group] {
            *group = Some("pulleys".to_owned());
        }
        scene = scene.with_body(pulley).with_obstacle(axle);
    }

    scene
}

/// Ratio of the turns of both pulleys between the last two times, under this load (N m).
fn driven(load: f64) -> Result<f64, Error> {
    let [_, loaded, end] = TIMES;
    let mut simulation = Simulation::new(drive(load))?;
    let turned = |simulation: &Simulation| -> Result<[f64; 2], Error> {
        let [first, second] = [simulation.body("driver")?, simulation.body("driven")?];
        Ok([first, second].map(|body| body.angle().unwrap_or(f64::NAN)))
    };
    while simulation.time() < loaded + 0.02 {
        simulation.step()?;
    }
    let before = turned(&simulation)?;
    while simulation.time() < end {
        simulation.step()?;
    }
    let after = turned(&simulation)?;
    Ok((after[1] - before[1]) / (after[0] - before[0]))
}

/// Points of the belt around both pulleys (m), at nearly equal distances, just outside of them.
fn loop_of() -> Vec<[f64; 2]> {
    let slope = ((RADII[1] - RADII[0]) / AXLES).asin();
    let mut points = Vec::new();
    // From the upper end of the straight part on each pulley, counter-clockwise.
    let half = 0.5 * PI;
    for (k, x, from, to) in [
        (0, 0.0, half + slope, PI + half - slope),
        (1, AXLES, -half - slope, half + slope),
    ] {
        let middle = RADII[k] + BELT + 0.97 * D_HAT;
        let count = segments(middle * (to - from));
        let part = (to - from) / count as f64;
        let radius = middle / (0.5 * part).cos();
        points.extend((0..=count).map(|i| {
            let angle = from + part * i as f64;
            [x + radius * angle.cos(), radius * angle.sin()]
        }));

        // The straight part to the other pulley.
        let count = segments(AXLES * slope.cos());
        let first = points[points.len() - 1];
        let other = 1 - k;
        let outside = RADII[other] + BELT + 0.97 * D_HAT;
        let last = [(AXLES - x) + outside * to.cos(), outside * to.sin()];
        points.extend((1..count).map(|i| {
            let share = i as f64 / count as f64;
            [0, 1].map(|axis| first[axis] + share * (last[axis] - first[axis]))
        }));
    }
    points
}

/// Number of segments along a length (m).
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "some dozens"
)]
fn segments(length: f64) -> usize {
    (length / SEGMENT).ceil() as usize
}

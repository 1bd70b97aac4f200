//! A block on a belt, held back by a spring: it sticks and slips.
//!
//! The belt carries the block along until the spring `k` pulls with `mu_s N`. Then friction falls to
//! `mu_k N`, the block springs back, and sticks again when it has the speed `V` of the belt. A slip is a part
//! of a vibration about `mu_k N / k` with the rate `w = sqrt(k / m)`. It begins and ends at the distance
//! `d = (mu_s - mu_k) N / k` from there, with the speed `V`, so that
//!
//! - its amplitude is `R = sqrt(d^2 + (V / w)^2)`, and the block turns at `mu_k N / k + R` and `- R`;
//! - a cycle takes `2 d / V + (2 / w) (pi - atan(w d / V))`.
//!
//! Jumps from turn to turn, `2 R`, cycles and the largest pull of the spring, `mu_k N + k R`, are judged to
//! 1 % over four cycles.

use crate::scenes::{DENSITY, Exact, G, STONE, holder, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::Springy;
use std::f64::consts::PI;

pub(super) const CASE: Case = Case {
    name: "friction_stick_slip",
    title: "Stick and slip of a block on a belt",
    proves: "A block on a belt and a spring jumps back by the difference of static and kinetic friction, in time.",
    formula: "jump 2 sqrt(d^2 + (V/w)^2), d = (mu_s - mu_k) N / k, cycle 2 d / V + 2 (pi - atan(w d / V)) / w",
    source: "Den Hartog 1956, Mechanical Vibrations, section 7.3",
    weight: Weight::Quick,
    run,
};

/// Coefficients of static and kinetic friction (1), stiffness of the spring (N/m), speed of the belt
/// (m/s), side of the block (m).
const STATIC: f64 = 0.5;
const KINETIC: f64 = 0.3;
const STIFFNESS: f64 = 1000.0;
const BELT: f64 = 0.05;
const SIDE: f64 = 0.1;
/// Step (s), end (s).
const H: f64 = 1e-3;
const END: f64 = 6.5;

fn run() -> Result<Outcome, Error> {
    let mass = DENSITY * SIDE * SIDE;
    let half = (STATIC - KINETIC) * mass * G / STIFFNESS;
    let rate = (STIFFNESS / mass).sqrt();
    let cycle = 2.0 * half / BELT + 2.0 / rate * (PI - (rate * half / BELT).atan());

    let jump = 2.0 * half.hypot(BELT / rate);
    let middle = KINETIC * mass * G / STIFFNESS;

    let places = places()?;
    let turns: Vec<[f64; 2]> = places
        .windows(3)
        .filter(|w| (w[1][1] - w[0][1]) * (w[2][1] - w[1][1]) < 0.0)
        .map(|w| w[1])
        .collect();
    // The first turn is at the largest pull; later ones are at its ends in turn.
    let tops: Vec<[f64; 2]> = turns.iter().step_by(2).copied().collect();
    let jumps = turns.chunks_exact(2).map(|pair| pair[0][1] - pair[1][1]);
    let jumps: Vec<f64> = jumps.take(4).collect();

    let mut outcome = Outcome::new(Plot::new("time (s)", "place of the block (m)"));
    for (k, got) in jumps.iter().enumerate() {
        outcome.relative(format!("jump {}", k + 1), "m", jump, *got, 0.01);
    }
    for (k, pair) in tops.windows(2).take(4).enumerate() {
        let name = format!("duration of cycle {}", k + 1);
        outcome.relative(name, "s", cycle, pair[1][0] - pair[0][0], 0.01);
    }
    let top = tops.iter().map(|at| at[1]).fold(0.0, f64::max);
    outcome.relative(
        "largest pull of the spring",
        "N",
        STIFFNESS * (middle + 0.5 * jump),
        STIFFNESS * top,
        0.01,
    );
    outcome.at_least("number of jumps", "1", 4.0, jumps.len() as f64);

    outcome
        .plot
        .curve("turns", [0.0, END], |_| middle + 0.5 * jump);
    outcome
        .plot
        .curve("turns back", [0.0, END], |_| middle - 0.5 * jump);
    let shown = places.iter().step_by(20).copied().collect();
    outcome.plot.points("measured", shown);
    Ok(outcome)
}

/// Times (s) and places (m) of the block at all steps.
fn places() -> Result<Vec<[f64; 2]>, Error> {
    let above = 0.5 * SIDE + 0.9e-4;
    let spring = Springy {
        bodies: ["holder".to_owned(), "block".to_owned()],
        ends: [[-1.0, above], [0.0, above]],
        stiffness: STIFFNESS,
        ..Springy::default()
    };
    let mut belt = crate::scenes::ground();
    // The surface of a half-plane moves to the left by a positive speed.
    belt.belt = -BELT;
    let block = Body::rigid("block", Square::new(SIDE, 1), STONE);
    let mut scene = scene(H, 1)
        .barrier(1e-4, 1e6)
        .rough(STATIC, 1e-6)
        .with_body(block.at([0.0, above]).with_velocity([BELT, 0.0]))
        .with_obstacle(belt)
        .with_obstacle(holder("holder", [-1.0, above]))
        .with_joint(Joint::Spring(spring));
    scene.time = scene.time.by(Scheme::Bdf2);
    scene.contact.friction.kinetic = Some(KINETIC);
    scene.contact.friction.kinetic_speed = Some(1e-5);

    let mut simulation = Simulation::new(scene)?;
    let mut places = Vec::new();
    while simulation.time() < END {
        simulation.step()?;
        places.push([simulation.time(), simulation.body("block")?.centre().x]);
    }
    Ok(places)
}

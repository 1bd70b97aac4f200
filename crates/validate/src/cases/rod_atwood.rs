//! Two weights on a rope over a pulley that turns, and over a fixed drum.
//!
//! The weights `m1` and `m2` hang on a light rope with the radius `r` over a wheel with the radius `R`. With
//! `g` for gravity their acceleration is
//!
//! - `g (m1 - m2) / (m1 + m2 + q S + I / (R + r)^2)` over a pulley with the moment of inertia `I`, to which the
//!   rope of the mass `q S` sticks;
//! - `g (m1 - m2 E) / (m1 + m2 E)` over a fixed drum with the coefficient `mu`, `E = exp(mu pi R / (R + r))`,
//!   as long as that is positive; beyond, the weights hang still.
//!
//! The acceleration is that of the distance in 0.2 s after a start of 0.1 s, and is judged to 1 % of `g`'s
//! share without friction. The rope has 0.1 % of the mass of the weights.

use crate::scenes::{Exact, G, STONE, holder, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::ElasticRod;
use std::f64::consts::PI;

pub(super) const CASE: Case = Case {
    name: "rod_atwood",
    title: "Atwood's machine over a pulley and over a drum",
    proves: "A rope turns a pulley by friction, or slides over a fixed drum with Eytelwein's ratio, while weights accelerate.",
    formula: "a = g (m1 - m2)/(m1 + m2 + I/(R + r)^2); g (m1 - m2 E)/(m1 + m2 E), E = exp(mu pi R/(R + r))",
    source: "Atwood 1784; Euler 1769, Eytelwein 1808",
    weight: Weight::Full,
    run,
};

/// Radii of pulley and rope, reach of the barrier, length of both legs (m).
const RADIUS: f64 = 0.1;
const ROPE: f64 = 1e-3;
const D_HAT: f64 = 2e-5;
const LEG: f64 = 0.3;
/// Segments around the pulley; those of the legs are as long.
const SEGMENTS: usize = 48;
/// Sides of the square weights (m): 5 and 3 kg.
const SIDES: [f64; 2] = [0.070_710_678, 0.054_772_256];
/// Density of the pulley (kg/m^3), and mass of a length of the rope (kg/m).
const PULLEY: f64 = 100.0;
const MASS: f64 = 5e-3;
/// Step (s), steps before and within the measurement.
const H: f64 = 2e-3;
const STEPS: [usize; 2] = [50, 100];

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("mu", "acceleration / g"));
    let [m1, m2] = SIDES.map(|side| 1000.0 * side * side);
    let free = (m1 - m2) / (m1 + m2);
    let over_drum = |mu: f64| {
        let ratio = (mu * PI * RADIUS / (RADIUS + ROPE)).exp();
        ((m1 - m2 * ratio) / (m1 + m2 * ratio)).max(0.0)
    };
    outcome.plot.curve("fixed drum", [0.0, 0.25], over_drum);

    let pulley = 0.5 * PULLEY * PI * RADIUS.powi(4) / (RADIUS + ROPE).powi(2);
    let rope = MASS * (2.0 * LEG + PI * RADIUS);
    let turning = (m1 - m2) / (m1 + m2 + rope + pulley);
    let got = accelerated(0.5, true)? / G;
    outcome.absolute(
        "acceleration / g, pulley that turns",
        "1",
        turning,
        got,
        0.01 * free,
    );

    let mut measured = Vec::new();
    for mu in [0.0, 0.05, 0.1, 0.2] {
        let got = accelerated(mu, false)? / G;
        let name = format!("acceleration / g, drum, mu {mu}");
        outcome.absolute(name, "1", over_drum(mu), got, 0.01 * free);
        measured.push([mu, got]);
    }
    outcome.plot.points("measured", measured);
    Ok(outcome)
}

/// Acceleration of the heavier weight (m/s^2) with this coefficient between rope and pulley, which turns
/// or stands.
fn accelerated(mu: f64, turns: bool) -> Result<f64, Error> {
    let points = line();
    let last = points.len() - 1;
    let ends = [points[last], points[0]];
    let rod = ElasticRod::of_stiffness(1e6, 0.0, MASS).with_radius(ROPE);
    let mut scene = scene(H, 1)
        .tolerance(1e-7)
        .barrier(D_HAT, 1e6)
        .rough(mu, 1e-4)
        .with_material("light", Material::rigid(PULLEY))
        .with_body(Body::rod("rope", rod, Polyline::open(points), STONE));
    scene.time = scene.time.by(Scheme::Bdf2);
    scene = if turns {
        let mut axle = holder("axle", [0.0, 0.0]);
        axle.group = Some("pulley".to_owned());
        let mut pulley = Body::rigid("drum", Circle::new(RADIUS), "light");
        pulley.group = Some("pulley".to_owned());
        scene
            .with_body(pulley)
            .with_obstacle(axle)
            .with_joint(Joint::hinge("axle", "drum", [0.0, 0.0]))
    } else {
        scene.with_obstacle(Obstacle::new("drum", Circle::new(RADIUS)))
    };
    for (k, end) in ends.into_iter().enumerate() {
        let name = format!("weight {k}");
        let weight = Body::rigid(&name, Square::new(SIDES[k], 1), STONE);
        scene = scene
            .with_body(weight.at([end[0], end[1] - 0.5 * SIDES[k]]))
            .with_joint(Joint::hinge(&name, "rope", end));
    }

    // From distances at three times, the mean acceleration of the later span.
    let mut simulation = Simulation::new(scene)?;
    let mut places = Vec::new();
    for _ in 0..STEPS[0] + STEPS[1] {
        simulation.step()?;
        places.push(simulation.body("weight 0")?.centre().y);
    }
    let half = STEPS[1] / 2;
    let end = places.len() - 1;
    let change = places[end] - 2.0 * places[end - half] + places[end - 2 * half];
    Ok(-change / (H * half as f64).powi(2))
}

/// Points of the rope from the end of the left leg over the pulley to that of the right one (m). Its
/// segments touch the pulley in their middles, but for the gap.
fn line() -> Vec<[f64; 2]> {
    let middle = RADIUS + ROPE + 0.97 * D_HAT;
    let radius = middle / (0.5 * PI / SEGMENTS as f64).cos();
    let down = PI * radius / SEGMENTS as f64;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "some dozens"
    )]
    let leg = (LEG / down).round() as usize;
    let place = |k: usize| {
        if k < leg {
            [-middle, -down * (leg - k) as f64]
        } else if k <= leg + SEGMENTS {
            let angle = PI * (k - leg) as f64 / SEGMENTS as f64;
            [-radius * angle.cos(), radius * angle.sin()]
        } else {
            [middle, -down * (k - leg - SEGMENTS) as f64]
        }
    };
    (0..=2 * leg + SEGMENTS).map(place).collect()
}

//! A ball that falls into a rope.
//!
//! A rope only pulls: its force is 0 while the ends are nearer than the length `L`. A ball starts
//! at rest 0.4 m below the upper end and falls freely. After `n` steps of `h` it has fallen by
//! `g h^2 n (n + 1) / 2`, the sum of the speeds `g h k` of implicit Euler. At 1 m the rope becomes
//! taut and takes the whole speed; the ball hangs there with the force `m g`.
//!
//! Free fall agrees to 1e-9 m, and the excess of the length in any step is at most 1e-10 m. At rest
//! the depth agrees to 1e-9 m and the force to 1e-8.

use crate::scenes::{Exact, G, STONE, holder, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::Rope;

pub(super) const CASE: Case = Case {
    name: "joint_rope",
    title: "A ball falls freely, and then hangs on a rope",
    proves: "A slack rope has no force, and a taut one is as long as it is and carries the weight.",
    formula: "y = y_0 - g h^2 n (n + 1) / 2 while slack; |y| = L and the force is m g at rest",
    source: "Implicit Euler in free fall; statics",
    weight: Weight::Quick,
    run,
};

/// Length of the rope, height of the ball below its other end (m), step (s).
const LENGTH: f64 = 1.0;
const START: f64 = 0.4;
const H: f64 = 0.005;

fn run() -> Result<Outcome, Error> {
    let mut ball = Body::rigid("ball", Circle::new(0.05), STONE).at([0.0, -START]);
    ball.group = Some("jointed".to_owned());
    let rope = Joint::Rope(Rope {
        bodies: ["holder".to_owned(), "ball".to_owned()],
        ends: [[0.0, 0.0], [0.0, -START]],
        length: Some(LENGTH),
        ..Rope::default()
    });
    let scene = scene(H, 1)
        .tolerance(1e-10 * G * H)
        .with_body(ball)
        .with_obstacle(holder("holder", [0.0, 0.0]))
        .with_joint(rope);
    let mut simulation = Simulation::new(scene)?;
    let weight = G * simulation.body("ball")?.mass();

    let [mut falling, mut beyond] = [0.0_f64; 2];
    let mut measured = Vec::new();
    let mut force = f64::NAN;
    for step in 1..=200 {
        simulation.step()?;
        let depth = -simulation.body("ball")?.centre().y;
        let n = f64::from(step);
        let free = START + 0.5 * G * H * H * n * (n + 1.0);
        if free < LENGTH {
            falling = falling.max((depth - free).abs());
        }
        beyond = beyond.max(depth - LENGTH);
        measured.push([simulation.time(), depth]);
        force = simulation.joints().map(|joint| joint.force.y).sum();
    }

    let mut outcome = Outcome::new(Plot::new("time (s)", "depth (m)"));
    outcome.absolute("largest error in free fall", "m", 0.0, falling, 1e-9);
    outcome.at_most("largest excess of the length", "m", 1e-10, beyond);
    let last = measured.last().map_or(f64::NAN, |point| point[1]);
    outcome.absolute("depth at rest", "m", LENGTH, last, 1e-9);
    outcome.relative("force / weight at rest", "1", 1.0, force / weight, 1e-8);
    outcome
        .plot
        .curve("free fall, then at rest", [0.0, 1.0], |t| {
            (START + 0.5 * G * t * t).min(LENGTH)
        });
    outcome.plot.points("measured", measured);
    Ok(outcome)
}

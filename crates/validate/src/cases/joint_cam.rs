//! A cam and a flat follower with a spring, below and above the speed at which it jumps.
//!
//! The cam is a disk whose axle is `e` off its centre. On its flat face the follower has exactly the height
//! `y = e sin(w t)`, and with its mass `m`, the stiffness `k` and the force `P` of the spring at `y = 0` the
//! cam carries
//!
//! `N = m g + P + (k - m w^2) e sin(w t)`.
//!
//! `N` vanishes at the top from `w^2 = (m g + P + k e) / (m e)` on: there the follower leaves the cam.
//!
//! At half of this speed `N` is judged to 1 % of its mean in every step of the second turn. Speeds 3 %
//! below and above bracket the jump: the gap stays below the reach of the barrier, or grows to at
//! least ten times of that.

use crate::scenes::{DENSITY, Exact, G, STONE, force_on, holder, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::{Guide, Hinge, Motor, Spring};
use std::f64::consts::PI;

pub(super) const CASE: Case = Case {
    name: "joint_cam",
    title: "A cam and its follower, up to the jump",
    proves: "A follower on a spring presses on its cam as its acceleration asks for, and jumps from the right speed on.",
    formula: "N = m g + P + (k - m w^2) e sin(w t); jump at w^2 = (m g + P + k e)/(m e)",
    source: "Norton, Design of Machinery, chapter 8; equation of motion",
    weight: Weight::Quick,
    run,
};

/// Radius of the disk and eccentricity of its axle (m), size of the follower (m).
const RADIUS: f64 = 0.04;
const OFFSET: f64 = 0.01;
const FOLLOWER: [f64; 2] = [0.1, 0.02];
/// Stiffness (N/m) of the spring and its force (N) at the middle height.
const STIFFNESS: f64 = 4000.0;
const PRELOAD: f64 = 60.0;
/// Reach of the barrier (m); steps of a turn.
const D_HAT: f64 = 1e-5;
const STEPS: usize = 400;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("turns", "force of the cam (N)"));
    let mass = DENSITY * FOLLOWER[0] * FOLLOWER[1];
    let mean = mass * G + PRELOAD;
    let jump = ((mean + STIFFNESS * OFFSET) / (mass * OFFSET)).sqrt();

    let spin = 0.5 * jump;
    let force = |turns: f64| {
        let change = (STIFFNESS - mass * spin * spin) * OFFSET;
        mean - change * (2.0 * PI * turns).cos()
    };
    outcome.plot.curve("closed form", [0.0, 2.0], force);
    let ridden = ridden(spin)?;
    let steady = ridden.iter().filter(|at| at.turns > 1.0);
    let error = steady.map(|at| (at.force - force(at.turns)).abs() / mean);
    let worst = error.fold(0.0, f64::max);
    outcome.absolute(
        "largest error of the force / its mean",
        "1",
        0.0,
        worst,
        0.01,
    );
    let points = ridden.iter().step_by(10).map(|at| [at.turns, at.force]);
    outcome.plot.points("measured", points.collect());

    for share in [0.97, 1.03] {
        let gap = self::ridden(share * jump)?
            .iter()
            .map(|at| at.gap)
            .fold(0.0, f64::max);
        let name = format!("largest gap at {share} of the jump speed");
        if share < 1.0 {
            outcome.at_most(name, "m", D_HAT, gap);
        } else {
            outcome.at_least(name, "m", 10.0 * D_HAT, gap);
        }
    }
    Ok(outcome)
}

/// Turns of the cam (1), force of the cam on the follower (N), and gap between them (m).
struct Ridden {
    turns: f64,
    force: f64,
    gap: f64,
}

/// Two turns of the cam at this speed (rad/s), from the lowest place of its centre on.
fn ridden(spin: f64) -> Result<Vec<Ridden>, Error> {
    let h = 2.0 * PI / spin / STEPS as f64;
    let face = RADIUS - OFFSET + 0.99 * D_HAT;
    let middle = [0.0, face + 0.5 * FOLLOWER[1]];
    let axle = Hinge {
        bodies: ["holder".to_owned(), "cam".to_owned()],
        at: [0.0, 0.0],
        motor: Some(Motor {
            speed_deg: Some(spin.to_degrees().into()),
            torque: 1e6,
            ..Motor::default()
        }),
        ..Hinge::default()
    };
    // Displacements count from the lowest place, where the follower is `e` below the middle.
    let guide = Guide {
        bodies: ["frame".to_owned(), "follower".to_owned()],
        at: middle,
        axis: [0.0, 1.0],
        spring: Some(Spring {
            stiffness: STIFFNESS,
            rest: OFFSET - PRELOAD / STIFFNESS,
            ..Spring::default()
        }),
        ..Guide::default()
    };
    let follower = Rectangle::new(FOLLOWER, [1, 1]);
    let cam = Body::rigid("cam", Circle::new(RADIUS), STONE)
        .at([0.0, -OFFSET])
        .with_velocity([spin * OFFSET, 0.0])
        .with_spin(spin.to_degrees());
    let mut scene = scene(h, 1)
        .barrier(D_HAT, 1e9)
        .with_body(cam)
        .with_body(Body::rigid("follower", follower, STONE).at(middle))
        .with_obstacle(holder("holder", [0.0, -1.0]))
        .with_obstacle(holder("frame", [0.0, 1.0]))
        .with_joint(Joint::Hinge(axle))
        .with_joint(Joint::Slider(guide));
    scene.time = scene.time.by(Scheme::Bdf2);

    let mut simulation = Simulation::new(scene)?;
    let mut ridden = Vec::new();
    for step in 1..=2 * STEPS {
        simulation.step()?;
        let lower = simulation.body("follower")?.centre().y - 0.5 * FOLLOWER[1];
        ridden.push(Ridden {
            turns: step as f64 / STEPS as f64,
            force: force_on(&simulation, "follower").y,
            gap: lower - RADIUS - simulation.body("cam")?.centre().y,
        });
    }
    Ok(ridden)
}

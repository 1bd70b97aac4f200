//! The law of restitution: speeds after an impact, and a ball that bounces until it rests.

use crate::prelude::*;
use crate::validate::scenes::{Exact, G, STONE, ground, scene};
use crate::validate::{Case, Outcome, Plot, Quantity, Weight};

pub(super) const CASE: Case = Case {
    name: "impact_restitution",
    title: "Coefficients of restitution, and a bouncing ball",
    proves: "Disks, boxes and affine boxes part with e times the speed at which they met, and a ball comes to rest when it must.",
    formula: "v' = -e v; height h0 e^2; time sqrt(2 h0/g) (1 + e)/(1 - e)",
    source: "Newton's law of restitution; geometric series of flights",
    weight: Weight::Quick,
    run,
};

/// Speed of impacts (m/s), and height of the fall (m).
const SPEED: f64 = 2.0;
const FALL: f64 = 1.0;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("e", "speed after / speed before"));
    outcome.plot.curve("e", [0.0, 1.0], |e| e);
    let bodies = [
        ("disk", Body::rigid("body", Circle::new(0.1), STONE)),
        ("box", Body::rigid("body", Square::new(0.2, 1), STONE)),
        (
            "affine box",
            Body::affine("body", Square::new(0.2, 1), STONE),
        ),
    ];
    for (name, body) in bodies {
        let mut measured = Vec::new();
        for e in [0.0, 0.25, 0.5, 0.75, 1.0] {
            let ratio = after(body.clone(), e)?;
            let name = format!("{name}, e {e}");
            outcome.check(Quantity::absolute(name, "1", e, ratio, 0.01));
            measured.push([e, ratio]);
        }
        outcome.plot.points(name, measured);
    }

    let fall = (2.0 * FALL / G).sqrt();
    for e in [0.5, 0.9] {
        let total = fall * (1.0 + e) / (1.0 - e);
        let [height, time] = bounces(e, 1.1 * total)?;
        let name = format!("height of the first rebound, e {e}");
        outcome.check(Quantity::relative(name, "m", FALL * e * e, height, 0.01));
        let name = format!("time until it rests, e {e}");
        outcome.check(Quantity::relative(name, "s", total, time, 0.01));
    }
    Ok(outcome)
}

/// Speed of a body after it has landed flat on the ground, relative to that before, without weight.
fn after(body: Body, e: f64) -> Result<f64, Error> {
    let scene = scene(1e-3, 1)
        .weightless()
        .with_body(body.at([0.0, 0.11]).with_velocity([0.0, -SPEED]))
        .with_obstacle(ground())
        .with_restitution(e);
    let mut simulation = Simulation::new(scene)?;
    while simulation.time() < 0.02 {
        simulation.step()?;
    }
    Ok(simulation.body("body")?.velocity().y / SPEED)
}

/// Height of the first rebound of a falling ball (m), and the last time at which it moves (s).
fn bounces(e: f64, until: f64) -> Result<[f64; 2], Error> {
    let h = 1e-3;
    let mut scene = scene(h, 1)
        .with_body(Body::rigid("ball", Circle::new(0.1), STONE).at([0.0, FALL + 0.1]))
        .with_obstacle(ground())
        .with_restitution(e);
    scene.time.integrator = Scheme::Bdf2;
    scene.contact.d_hat = Some(1e-4);

    let mut simulation = Simulation::new(scene)?;
    let [mut top, mut moved] = [0.0_f64, 0.0];
    while simulation.time() < until {
        simulation.step()?;
        let ball = simulation.body("ball")?;
        let speed = ball.velocity().y;
        if simulation.time() > 1.01 * (2.0 * FALL / G).sqrt() {
            top = top.max(ball.centre().y - 0.1);
        }
        if speed.abs() > 0.5 * G * h {
            moved = simulation.time();
        }
    }
    Ok([top, moved])
}

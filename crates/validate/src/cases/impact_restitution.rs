//! The law of restitution: speeds after an impact, and a ball that bounces until it rests.
//!
//! Newton's law says that bodies part with `v' = -e v`, where `v` is the speed at which they meet
//! and `e` the coefficient of restitution. A ball that falls from the height `h0` then rises to
//! `h0 e^2`. The fall takes `t0 = sqrt(2 h0 / g)`, flight number `k` takes `2 e^k t0`, and the
//! geometric series of all flights ends at `t0 (1 + e) / (1 - e)`.
//!
//! All tolerances are 1 %; at `e = 0` they are 0.01 of the speed of impact. The ball counts as
//! moving while it is faster than `g h / 2`, half of the speed that gravity gives it in a step. A
//! stack of five boxes must be slower than `g h / 10` one second after the start.

use crate::scenes::{Exact, G, STONE, after, ground, scene, until};
use crate::{Case, Outcome, Plot, Quantity, Weight};
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "impact_restitution",
    title: "Coefficients of restitution, and a bouncing ball",
    proves: "Disks, boxes and balls, rigid and affine, part with e times the speed at which they met, in long and short steps; a ball and a stack come to rest when they must.",
    formula: "v' = -e v; height h0 e^2; time sqrt(2 h0/g) (1 + e)/(1 - e)",
    source: "Newton's law of restitution; geometric series of flights",
    weight: Weight::Quick,
    run,
};

/// Speed of impacts (m/s), and height of the fall (m).
const SPEED: f64 = 2.0;
const FALL: f64 = 1.0;
/// Coefficients (1), and steps (s) that gain far less than the speed of impact.
const COEFFICIENTS: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
const STEPS: [f64; 3] = [1e-2, 1e-3, 1e-4];

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("e", "speed after / speed before"));
    outcome.plot.curve("e", [0.0, 1.0], |e| e);
    let disk = || Body::rigid("body", Circle::new(0.1), STONE);
    let polygon = || Body::affine("body", Disk::new(0.1, 16), STONE);
    let bodies = [
        ("disk", disk()),
        ("box", Body::rigid("body", Square::new(0.2, 1), STONE)),
        (
            "affine box",
            Body::affine("body", Square::new(0.2, 1), STONE),
        ),
    ];
    for h in STEPS {
        for (name, body) in &bodies {
            let name = format!("{name}, h {h:e} s");
            judge(&mut outcome, &name, |e| landed(body.clone(), e, h))?;
        }
        for (name, body) in [("balls", disk()), ("affine balls", polygon())] {
            let name = format!("{name}, h {h:e} s");
            judge(&mut outcome, &name, |e| met(&body, e, h))?;
        }
    }
    stack(&mut outcome)?;

    let fall = (2.0 * FALL / G).sqrt();
    for e in [0.5, 0.9] {
        let total = fall * (1.0 + e) / (1.0 - e);
        // A tenth more than the series, so that a ball that bounces too long shows.
        let [height, time] = bounces(e, 1.1 * total)?;
        let name = format!("height of the first rebound, e {e}");
        outcome.relative(name, "m", FALL * e * e, height, 0.01);
        let name = format!("time until it rests, e {e}");
        outcome.relative(name, "s", total, time, 0.01);
    }
    Ok(outcome)
}

/// Judges the ratio of speeds that bodies have with each coefficient.
fn judge(
    outcome: &mut Outcome,
    name: &str,
    ratio: impl Fn(f64) -> Result<f64, Error>,
) -> Result<(), Error> {
    let mut measured = Vec::new();
    for e in COEFFICIENTS {
        let got = ratio(e)?;
        let name = format!("{name}, e {e}");
        outcome.check(if e > 0.0 {
            Quantity::relative(name, "1", e, got, 0.01)
        } else {
            Quantity::absolute(name, "1", e, got, 0.01)
        });
        measured.push([e, got]);
    }
    outcome.plot.points(name.to_owned(), measured);
    Ok(())
}

/// Speed of a body after it has landed flat on the ground in steps of `h` (s), relative to that
/// before.
///
/// Before is the speed that gravity gives it down to where the impact leaves it, which is not the
/// end of a flight of a whole step.
fn landed(body: Body, e: f64, h: f64) -> Result<f64, Error> {
    let scene = scene(h, 1)
        .with_body(body.at([0.0, 0.13]).with_velocity([0.0, -SPEED]))
        .with_obstacle(ground())
        .with_restitution(e);
    let mut simulation = Simulation::new(scene)?;
    loop {
        let [height, speed] = height_and_speed(&simulation)?;
        simulation.step()?;
        let [end, after] = height_and_speed(&simulation)?;
        let before = (speed * speed + 2.0 * G * (height - end)).sqrt();
        // A body that still falls has about -before, one that has met the ground e times before.
        if after > -0.5 * before {
            return Ok(after / before);
        }
    }
}

/// Height of the body (m) and its speed upwards (m/s).
fn height_and_speed(simulation: &Simulation) -> Result<[f64; 2], Error> {
    let body = simulation.body("body")?;
    Ok([body.centre().y, body.velocity().y])
}

/// Speed with which two bodies part that have met without weight in steps of `h` (s), relative to
/// that before.
fn met(body: &Body, e: f64, h: f64) -> Result<f64, Error> {
    let mut bodies = [body.clone(), body.clone()];
    let mut scene = scene(h, 1).weightless().with_restitution(e);
    for (k, side) in [-1.0, 1.0].into_iter().enumerate() {
        ["left", "right"][k].clone_into(&mut bodies[k].name);
        let body = bodies[k].clone().at([0.13 * side, 0.0]);
        scene = scene.with_body(body.with_velocity([-0.5 * SPEED * side, 0.0]));
    }
    let simulation = until(scene, 0.06)?;
    let speed = |name: &str| -> Result<f64, Error> { Ok(simulation.body(name)?.velocity().x) };
    Ok((speed("right")? - speed("left")?) / SPEED)
}

/// Judges whether boxes that fall on each other come to rest.
fn stack(outcome: &mut Outcome) -> Result<(), Error> {
    let h = 2e-3;
    let mut scene = scene(h, 1)
        .with_friction(0.3)
        .with_restitution(0.5)
        .with_obstacle(ground());
    for k in 0..5 {
        let height = 0.12 + 0.24 * f64::from(k);
        let body = Body::rigid(format!("box {k}"), Square::new(0.2, 1), STONE);
        scene = scene.with_body(body.at([0.003 * f64::from(k % 2), height]));
    }
    let mut simulation = after(scene, 500)?;
    let mut fastest = 0.0_f64;
    for _ in 0..50 {
        simulation.step()?;
        for body in simulation.bodies() {
            fastest = fastest.max(body.velocity().norm());
        }
    }
    let name = "stack of five, e 0.5: largest speed after 1 s";
    outcome.at_most(name, "m/s", 0.1 * G * h, fastest);
    Ok(())
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
        // The start is higher than any rebound, so that heights count from the first impact on.
        if simulation.time() > 1.01 * (2.0 * FALL / G).sqrt() {
            top = top.max(ball.centre().y - 0.1);
        }
        if speed.abs() > 0.5 * G * h {
            moved = simulation.time();
        }
    }
    Ok([top, moved])
}

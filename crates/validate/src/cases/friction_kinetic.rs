//! A block with weaker kinetic friction: held, pushed, stopped, and pulled loose.
//!
//! `mu_s` holds at rest and `mu_k` acts while the block slides; `N` is the normal force (N), `v0`
//! the speed at the start (m/s) and `h` the step (s). The slope's tangent is between both
//! coefficients, so that a block at rest stays and a pushed one keeps sliding. The term `v0 h/2`
//! belongs to implicit Euler, which moves each step with the speed at its end.

use crate::formulas::{implicit_travel, rest_gap};
use crate::scenes::{DENSITY, Exact, G, STONE, ground, on_slope, scene, slope};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::body::{Load, TimeFunction};
use ipcsim::contact::barrier::BarrierShape;
use ipcsim::math::Vec2;
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "friction_kinetic",
    title: "Static and kinetic friction of a block",
    proves: "A block is held by static friction and slides with kinetic friction; a rising pull frees it at mu_s N.",
    formula: "a = g (sin t - mu_k cos t), s = v0^2/(2 mu_k g) - v0 h/2, F = mu_s m g",
    source: "Coulomb friction with two coefficients; closed forms of implicit Euler",
    weight: Weight::Quick,
    run,
};

/// Coefficients of static and of kinetic friction (1), speeds at which they act (m/s).
const STATIC: f64 = 0.5;
const KINETIC: f64 = 0.2;
const EPS_V: f64 = 1e-5;
const SLIDES: f64 = 1e-2;
/// Side of the block (m), and tangent of the slope, which is between both coefficients.
const SIDE: f64 = 0.2;
const STEEP: f64 = 0.35;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("pull / m g", "friction / m g"));
    on_the_slope(&mut outcome)?;
    on_the_flat(&mut outcome)?;
    pulled(&mut outcome)?;
    Ok(outcome)
}

/// A block on the slope: the creep of one at rest, and the travel of one that is pushed.
///
/// Creep is `eps_v (1 - sqrt(1 - tan t/mu_s))`, judged to 1e-3. Travel is `v0 T` and that of
/// implicit Euler at the acceleration `g (sin t - mu_k cos t)`, judged to 1e-5.
fn on_the_slope(outcome: &mut Outcome) -> Result<(), Error> {
    let angle = STEEP.atan();
    let share = 1.0 - (1.0 - STEEP / STATIC).sqrt();
    let acceleration = G * (angle.sin() - KINETIC * angle.cos());
    for steps in [100, 500] {
        let h = 1.0 / steps as f64;
        let creep = slide(angle, 0.0, h, steps)?[1];
        let name = format!("creep at rest / eps_v, h {h} s");
        outcome.relative(name, "1", share, creep / EPS_V, 1e-3);

        let travel = 0.2 + implicit_travel(acceleration, h, steps);
        let got = slide(angle, 0.2, h, steps)?[0];
        let name = format!("travel of a block pushed with 0.2 m/s, h {h} s");
        outcome.relative(name, "m", travel, got, 1e-5);
    }
    Ok(())
}

/// A block that slides on the flat until it stops.
fn on_the_flat(outcome: &mut Outcome) -> Result<(), Error> {
    let speed = 2.0;
    for steps in [120, 480] {
        let h = 1.2 / steps as f64;
        // Static friction in the last step, and the part of it that is left, are below 2e-4.
        let expected = speed * speed / (2.0 * KINETIC * G) - 0.5 * speed * h;
        let [travel, left] = slide(0.0, speed, h, steps)?;
        let name = format!("distance to rest, h {h} s");
        outcome.relative(name, "m", expected, travel, 2e-4);
        let name = format!("speed at the end, h {h} s");
        outcome.absolute(name, "m/s", 0.0, left, EPS_V);
    }
    Ok(())
}

/// A block that a rising force pulls.
///
/// Friction equals the pull until it reaches `mu_s m g`, then falls to `mu_k m g`. The peak and the
/// pull that frees the block are judged to 1 %, friction at the end to 1e-5.
fn pulled(outcome: &mut Outcome) -> Result<(), Error> {
    let weight = DENSITY * SIDE * SIDE * G;
    let pull = Rising { rate: 0.5 * weight };
    let mut setup = block(0.0, 0.0, 0.002).build()?;
    // Node 0 of a rigid body is its centre, and so the pull has no moment.
    let force = Box::new(pull);
    setup.world.loading.loads.push(Load { node: 0, force });
    let mut simulation = Simulation::from(setup);

    let mut friction = Vec::new();
    let mut freed = f64::NAN;
    // The pull grows to 0.6 m g, beyond static friction.
    for _ in 0..600 {
        simulation.step()?;
        let pull = 0.5 * simulation.time();
        let along: f64 = simulation.contacts().map(|c| c.friction_force.x).sum();
        friction.push([pull, -along / weight]);
        let slides = simulation.contacts().all(|contact| !contact.sticks);
        if freed.is_nan() && slides {
            freed = pull;
        }
    }
    let largest = friction.iter().map(|point| point[1]).fold(0.0, f64::max);
    let last = friction.last().map_or(f64::NAN, |point| point[1]);
    outcome.relative("largest friction / m g", "1", STATIC, largest, 1e-2);
    outcome.relative("pull that frees / m g", "1", STATIC, freed, 1e-2);
    outcome.relative("friction at the end / m g", "1", KINETIC, last, 1e-5);

    outcome.plot.curve("closed form", [0.0, 0.6], |pull| {
        if pull < STATIC { pull } else { KINETIC }
    });
    outcome.plot.points("friction", friction);
    Ok(())
}

/// A force to the right that grows from 0.
#[derive(Debug)]
struct Rising {
    /// Growth of the force (N/s).
    rate: f64,
}

impl TimeFunction for Rising {
    fn at(&self, t: f64) -> Vec2 {
        Vec2::new(self.rate * t, 0.0)
    }
}

/// Travel (m) and speed at the end (m/s) of a block that starts down a slope of this angle (rad)
/// with this speed (m/s), after steps of `h` (s).
fn slide(angle: f64, speed: f64, h: f64, steps: usize) -> Result<[f64; 2], Error> {
    let mut simulation = Simulation::new(block(angle, speed, h))?;
    let start = simulation.body("block")?.centre();
    simulation.run(steps)?;
    let block = simulation.body("block")?;
    Ok([(block.centre() - start).norm(), block.velocity().norm()])
}

/// A block at its gap at rest on a slope of this angle (rad), with this speed (m/s).
fn block(angle: f64, speed: f64, h: f64) -> Scene {
    let (sin, cos) = angle.sin_cos();
    let [d_hat, kappa] = [1e-3, 1e5];
    let share = 0.5 * DENSITY * G * cos * SIDE / kappa;
    let above = 0.5 * SIDE + d_hat * rest_gap(BarrierShape::Log, share);
    let block = Body::rigid("block", Square::new(SIDE, 1), STONE)
        .at(on_slope(angle, 0.0, above))
        .rotated(-angle.to_degrees())
        .with_velocity([speed * cos, -speed * sin]);
    let support = if angle == 0.0 { ground() } else { slope(angle) };
    let mut scene = scene(h, 1)
        .barrier(d_hat, kappa)
        .shape(BarrierShape::Log)
        .rough(STATIC, EPS_V)
        .creeping()
        .with_body(block)
        .with_obstacle(support);
    scene.contact.friction.kinetic = Some(KINETIC);
    scene.contact.friction.kinetic_speed = Some(SLIDES);
    scene
}

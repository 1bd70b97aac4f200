//! A block on a plane that tilts: it turns with the plane, and slides where Coulomb says.
//!
//! `t` is the tilt, which grows by 2 degrees per second from 1 s on, and `s` the travel along the
//! plane. The block sticks up to `atan 0.5`, 26.57 degrees, and slides slowly at first, since the
//! driving force grows from zero. The angle at a travel of 1 mm is therefore compared, not that of
//! the first motion.

use crate::formulas::runge_kutta;
use crate::scenes::{Exact, G, STONE, after, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::contact::barrier::BarrierShape;
use ipcsim::math::Vec2;
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "friction_tilt",
    title: "A block on a tilting plane sticks, then slides at atan mu",
    proves: "Friction is objective: a block that sticks does not drift as the plane turns. It slides from tan t = mu on.",
    formula: "drift 0 up to tan t = mu; then s'' = g (sin t - mu cos t), integrated to 1 mm",
    source: "Coulomb friction; the ordinary differential equation by Runge-Kutta",
    weight: Weight::Quick,
    run,
};

/// Coefficient of friction (1), tilt (rad/s), step (s), travel that is noticed (m).
const MU: f64 = 0.5;
const RATE: f64 = 2.0 * std::f64::consts::PI / 180.0;
const H: f64 = 0.01;
const NOTICED: f64 = 1e-3;

/// Judges the drift at 20 degrees to 5e-6 m and the angle at 1 mm to 1e-3, at two reaches of the
/// barrier.
///
/// Two values of `d_hat` tell whether the gap between block and plane causes a drift as both turn.
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("angle (degrees)", "travel along the plane (mm)"));
    let expected = expected();
    outcome.plot.line("expected", expected.clone());
    let slides = expected.last().map_or(f64::NAN, |point| point[0]);

    for d_hat in [4e-3, 1e-3] {
        let travel = travel(d_hat)?;
        let at = |angle: f64| travel.iter().find(|point| point[0] >= angle - 1e-9);
        let drift = at(20.0).map_or(f64::NAN, |point| point[1]) * 1e-3;
        let name = format!("drift at 20 degrees, d_hat {d_hat} m");
        outcome.absolute(name, "m", 0.0, drift, 5e-6);

        let last = travel.last().map_or(f64::NAN, |point| point[0]);
        let name = format!("angle at 1 mm, d_hat {d_hat} m");
        outcome.relative(name, "degrees", slides, last, 1e-3);
        outcome.plot.points(format!("d_hat {d_hat} m"), travel);
    }
    Ok(outcome)
}

/// Travel (mm) over angle (degrees) by the differential equation, up to [`NOTICED`].
fn expected() -> Vec<[f64; 2]> {
    let limit = MU.atan();
    let mut points = vec![[0.0, 0.0], [limit.to_degrees(), 0.0]];
    // Up to tan t = mu the block sticks, so that the equation begins there.
    let mut y = [0.0, 0.0, limit];
    while y[0] < NOTICED {
        y = runge_kutta(y, 1e-3, |[_, v, t]| [v, G * (t.sin() - MU * t.cos()), RATE]);
        points.push([y[2].to_degrees(), y[0] * 1e3]);
    }
    points
}

/// Travel (mm) over angle (degrees) of a block near the axis, up to [`NOTICED`].
fn travel(d_hat: f64) -> Result<Vec<[f64; 2]>, Error> {
    let turned = Keyframe::new(21.0, [0.0, 0.0]).rotated(-40.0);
    let mut plane = Obstacle::new("plane", HalfPlane::new([0.0, 1.0], [0.0, 0.0]));
    plane.keyframes = vec![Keyframe::new(1.0, [0.0, 0.0]), turned];
    let block = Body::rigid("block", Rectangle::new([0.2, 0.1], [1, 1]), STONE);
    let scene = scene(H, 1)
        .barrier(d_hat, 2e5)
        .shape(BarrierShape::Log)
        .rough(MU, 1e-7)
        .with_body(block.at([0.0, 0.05 + 0.99 * d_hat]))
        .with_obstacle(plane);

    // The plane is level for 100 steps, in which the block settles on the barrier.
    let mut simulation = after(scene, 100)?;
    let start = simulation.body("block")?.centre().x;
    let mut travel = Vec::new();
    while simulation.time() < 20.0 {
        simulation.step()?;
        let angle = RATE * (simulation.time() - 1.0);
        let along = Vec2::new(angle.cos(), -angle.sin());
        let moved = along.dot(&simulation.body("block")?.centre()) - start;
        travel.push([angle.to_degrees(), moved * 1e3]);
        if moved >= NOTICED {
            break;
        }
    }
    Ok(travel)
}

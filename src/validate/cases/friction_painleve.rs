//! A rod whose lower end slides on rough ground.
//!
//! In the direction of the paradox, friction presses the rod on the ground. Up to a coefficient of
//! 4/3 the equations of motion have one solution. Above it, at `tan t = 2`, rigid mechanics has
//! none without an impulse; the simulator must go on, and gain no energy.
//!
//! `t` is the rod's angle from the ground, `x` and `y` the place of its middle, `N` the normal
//! force and `I = m L^2/12`. The lower end stays on the ground, so that `y = (L/2) sin t`. Solved
//! for `N/m`, the denominator is `1 - 3 cos t (mu sin t - cos t)`, which vanishes at `mu = 4/3` for
//! `tan t = 2`.

use crate::contact::barrier::BarrierShape;
use crate::prelude::*;
use crate::validate::formulas::{rest_gap, runge_kutta};
use crate::validate::scenes::{Exact, G, STONE, ground, scene};
use crate::validate::{Case, Outcome, Plot, Quantity, Weight};

pub(super) const CASE: Case = Case {
    name: "friction_painleve",
    title: "Painleve's rod below and above its paradox",
    proves: "A sliding rod follows the equations of rigid mechanics where they have a solution, and gains no energy where they have none.",
    formula: "m x'' = mu N, N = m (g + y''), I t'' = (L/2) N (mu sin t - cos t); paradox for mu > 4/3",
    source: "Painleve 1895; Genot, Brogliato 1999, New results on Painleve paradoxes; integrated by Runge-Kutta",
    weight: Weight::Quick,
    run,
};

/// Length (m), speed of the lower end (m/s), duration (s), step (s).
const LENGTH: f64 = 1.0;
const SPEED: f64 = -8.0;
const DURATION: f64 = 0.1;
const H: f64 = 1e-4;
/// Number of edges of the rod.
const EDGES: usize = 50;

/// Judges the change of the angle in 0.1 s to 1 % for `mu` 0.25 and 1, and the energy for `mu` 2.
///
/// Where rigid mechanics has no solution nothing is compared but the total energy, which must not
/// exceed that of the start.
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("time (s)", "angle (rad)"));
    for mu in [0.25, 1.0] {
        let expected = exact(mu);
        let slid = slide(mu)?;
        let [want, got] = [&expected, &slid.angles].map(|points| points[points.len() - 1][1]);
        let start = 2.0_f64.atan();
        let name = format!("change of the angle in 0.1 s, mu {mu}");
        outcome.check(Quantity::relative(
            name,
            "rad",
            want - start,
            got - start,
            0.01,
        ));
        outcome.plot.line(format!("mu {mu}"), expected);
        outcome
            .plot
            .points(format!("measured, mu {mu}"), slid.angles);
    }

    let slid = slide(2.0)?;
    outcome.check(Quantity::at_most(
        "energy / initial energy, mu 2",
        "1",
        1.0,
        slid.energy,
    ));
    outcome.plot.points("measured, mu 2", slid.angles);
    Ok(outcome)
}

/// Angular acceleration (1/s^2) and normal force over the mass (m/s^2) at an angle and rate.
fn motion(mu: f64, angle: f64, rate: f64) -> [f64; 2] {
    // y'' = L/2 (t'' cos t - t'^2 sin t), and t'' = (6/L) (N/m) (mu sin t - cos t).
    let (sin, cos) = angle.sin_cos();
    let arm = 6.0 / LENGTH * (mu * sin - cos);
    let free = G - 0.5 * LENGTH * rate * rate * sin;
    let normal = free / (1.0 - 0.5 * LENGTH * cos * arm);
    [arm * normal, normal]
}

/// Angle (rad) over time (s) by the differential equation.
fn exact(mu: f64) -> Vec<[f64; 2]> {
    let mut y = [2.0_f64.atan(), 0.0];
    let mut points = vec![[0.0, y[0]]];
    while points[points.len() - 1][0] < DURATION - 0.5 * H {
        y = runge_kutta(y, H, |[angle, rate]| [rate, motion(mu, angle, rate)[0]]);
        points.push([H * points.len() as f64, y[0]]);
    }
    points
}

/// Motion of the simulated rod.
struct Slid {
    /// Angle (rad) over time (s).
    angles: Vec<[f64; 2]>,
    /// Largest total energy as a share of that at the start.
    energy: f64,
}

/// Slides a rod whose lower end begins on the ground.
fn slide(mu: f64) -> Result<Slid, Error> {
    // Half of the mass of each edge is at either end, so that many edges make a uniform rod.
    let start = 2.0_f64.atan();
    let [d_hat, kappa] = [1e-5, 1e8];
    let pressure =
        1000.0 * LENGTH * motion(mu.min(1.0), start, 0.0)[1] / (0.5 * LENGTH / EDGES as f64);
    let gap = d_hat * rest_gap(BarrierShape::Inverse, pressure / kappa);
    let at = |k: usize| [LENGTH * (k as f64 / EDGES as f64 - 0.5), 0.0];
    let line = Polyline::open((0..=EDGES).map(at).collect());
    let rod = Body::rigid("rod", line, STONE)
        .at([0.0, 0.5 * LENGTH * start.sin() + gap])
        .rotated(start.to_degrees())
        .with_velocity([SPEED, 0.0]);
    let scene = scene(H, 1)
        .barrier(d_hat, kappa)
        .rough(mu, 1e-4)
        .with_body(rod)
        .with_obstacle(ground());

    let mut simulation = Simulation::new(scene)?;
    let rod = simulation.body("rod")?;
    let first = rod.mass() * (0.5 * SPEED * SPEED + G * rod.centre().y);
    let mut slid = Slid {
        angles: vec![[0.0, start]],
        energy: 0.0,
    };
    while simulation.time() < DURATION - 0.5 * H {
        let record = simulation.step()?.record;
        let turned = simulation.body("rod")?.angle().unwrap_or(f64::NAN);
        slid.angles.push([simulation.time(), start + turned]);
        slid.energy = slid.energy.max(record.total / first);
    }
    Ok(slid)
}

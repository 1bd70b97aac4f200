//! A rod whose lower end slides on rough ground.
//!
//! In the direction of the paradox, friction presses the rod on the ground. `t` is the rod's angle
//! from the ground, `x` and `y` the place of its middle, `N` the normal force and `I = m L^2/12`.
//! While the lower end stays on the ground, `y = (L/2) sin t`. Solved for `N/m`, the denominator is
//! `1 - 3 cos t (mu sin t - cos t)`. It vanishes at `mu = 4/3` for `tan t = 2`, where the rods
//! start, and for no smaller coefficient at any angle.
//!
//! **Below**, the equations of motion have one solution: with `mu = 1.2` the rod lifts off after
//! 0.054 s. Angles agree to 1 %, and so does the normal force after 0.01 s.
//!
//! **From 4/3 on** there is none. The denominator is 0 or negative: a larger force presses the
//! end harder on the ground. The end can only be stopped by an impulse, at once (an impact
//! without collision). A contact of finite stiffness makes an impulse `P` (per mass) of that,
//! with the rates
//!
//! `w = (6/L) (mu sin t - cos t) P` of the angle, `u + (mu + 3 sin t (mu sin t - cos t)) P` along
//! the ground and `(1 - 3 cos t (mu sin t - cos t)) P`, at most 0, into it.
//!
//! Then the end sticks, and the ground returns between nothing and all of the work that has
//! pressed it in. If it returns nothing, the rod turns about its end with `3 |u| sin t / (2 L)`,
//! whatever `mu`, by its angular momentum about that point. If all, it turns a little slower. At
//! `mu = 4/3` the force is infinite only until the rate lifts the end, at `w^2 L sin t = 2 g`, so
//! that the end may not stop.
//!
//! The rate is judged between these bounds, and no energy may be gained. Above 4/3 the end must
//! have stopped within 5 ms; with `mu = 1.2` it still slides with 7 m/s then.

use crate::formulas::{rest_gap, runge_kutta};
use crate::scenes::{Exact, G, STONE, force_on, ground, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::contact::barrier::BarrierShape;
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "friction_painleve",
    title: "Painleve's rod below and above its paradox",
    proves: "A sliding rod follows the equations of rigid mechanics where they have a solution; where they have none its end is stopped at once, without energy gained.",
    formula: "m x'' = mu N, N = m (g + y''), I t'' = (L/2) N (mu sin t - cos t); paradox from mu = 4/3 on; there t' = 3 |u| sin t / 2 L",
    source: "Painleve 1895; Genot, Brogliato 1999, New results on Painleve paradoxes; integrated by Runge-Kutta",
    weight: Weight::Quick,
    run,
};

/// Length (m), speed of the lower end (m/s), step (s).
const LENGTH: f64 = 1.0;
const SPEED: f64 = -8.0;
const H: f64 = 1e-4;
/// Duration where the equations have a solution, and where they have none (s).
const DURATION: f64 = 0.1;
const SHORT: f64 = 0.02;
/// Step whose normal force is compared, at 0.01 s.
const FORCE_AT: usize = 100;
/// Time within which an end that jams has stopped (s).
const JAMS: f64 = 5e-3;
/// Number of edges of the rod.
const EDGES: usize = 50;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("time (s)", "angle (rad)"));
    for mu in [0.25, 1.0, 1.2] {
        follows(&mut outcome, mu)?;
    }
    for (name, mu) in [("4/3", 4.0 / 3.0), ("1.5", 1.5), ("2", 2.0)] {
        jams(&mut outcome, name, mu)?;
    }
    Ok(outcome)
}

/// Judges a rod whose equations have a solution.
fn follows(outcome: &mut Outcome, mu: f64) -> Result<(), Error> {
    let start = 2.0_f64.atan();
    let expected = exact(mu);
    let slid = slide(mu, DURATION)?;
    let [want, got] = [&expected, &slid.angles].map(|points| points[points.len() - 1][1] - start);
    let name = format!("change of the angle in 0.1 s, mu {mu}");
    outcome.relative(name, "rad", want, got, 0.01);

    let rate = |k: usize| (expected[k + 1][1] - expected[k - 1][1]) / (2.0 * H);
    let weight = motion(mu, expected[FORCE_AT][1], rate(FORCE_AT))[1] / G;
    let name = format!("normal force / weight after 0.01 s, mu {mu}");
    outcome.relative(name, "1", weight, slid.forces[FORCE_AT - 1], 0.01);

    outcome.plot.line(format!("mu {mu}"), expected);
    outcome
        .plot
        .points(format!("measured, mu {mu}"), slid.angles);
    Ok(())
}

/// Judges a rod whose equations have no solution, by the rate with which it leaves the ground.
fn jams(outcome: &mut Outcome, label: &str, mu: f64) -> Result<(), Error> {
    let slid = slide(mu, SHORT)?;
    let [.., before, last] = &slid.angles[..] else {
        return Ok(());
    };
    let rate = (last[1] - before[1]) / H;
    let [least, most] = rates(mu);
    let name = |what: &str| format!("{what}, mu {label}");
    outcome.at_least(name("rate"), "rad/s", least, rate);
    outcome.at_most(name("rate"), "rad/s", most, rate);
    let gained = name("energy / initial energy");
    outcome.at_most(gained, "1", 1.0, slid.energy);
    if mu > 1.4 {
        let what = name("time in which the end stops");
        outcome.at_most(what, "s", JAMS, slid.stopped);
    }
    outcome.plot.points(name("measured"), slid.angles);
    Ok(())
}

/// Least and largest rate of the angle (rad/s) after the impulse that stops the end.
fn rates(mu: f64) -> [f64; 2] {
    let (sin, cos) = 2.0_f64.atan().sin_cos();
    let pivots = 1.5 * SPEED.abs() * sin / LENGTH;
    // At 4/3 the end may lift off before it stops: the rate at which it does is the least.
    if mu < 1.4 {
        return [(2.0 * G / (LENGTH * sin)).sqrt(), pivots];
    }

    // Accelerations of the end by forces across and along the ground, per force over mass.
    let [across, coupling, along] = [
        1.0 + 3.0 * cos * cos,
        -3.0 * sin * cos,
        1.0 + 3.0 * sin * sin,
    ];
    let sticking = across - coupling * coupling / along;
    let impulse = SPEED.abs() / (mu * along + coupling);
    let inward = -(across + mu * coupling) * impulse;

    // Work that presses the end in while it slides, and until it turns round; returned in full.
    let pressed = 0.5 * inward * impulse + 0.5 * inward * inward / sticking;
    let outward = (2.0 * pressed * sticking).sqrt();
    let slower = 6.0 / LENGTH * (cos + coupling / along * sin) * outward / sticking;
    [pivots - slower, pivots]
}

/// Angular acceleration (1/s^2) and normal force over the mass (m/s^2) at an angle and rate; none
/// where the end lifts off.
fn motion(mu: f64, angle: f64, rate: f64) -> [f64; 2] {
    // y'' = L/2 (t'' cos t - t'^2 sin t), and t'' = (6/L) (N/m) (mu sin t - cos t).
    let (sin, cos) = angle.sin_cos();
    let arm = 6.0 / LENGTH * (mu * sin - cos);
    let free = G - 0.5 * LENGTH * rate * rate * sin;
    let normal = (free / (1.0 - 0.5 * LENGTH * cos * arm)).max(0.0);
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
    /// Normal force over the weight (1) after each step.
    forces: Vec<f64>,
    /// Largest total energy as a share of that at the start.
    energy: f64,
    /// Time after which the lower end no longer slides as at the start (s).
    stopped: f64,
}

/// Slides a rod whose lower end begins on the ground, for a duration (s).
fn slide(mu: f64, duration: f64) -> Result<Slid, Error> {
    // Half of the mass of each edge is at either end, so that many edges make a uniform rod.
    let start = 2.0_f64.atan();
    let [d_hat, kappa] = [1e-5, 1e8];
    // From 4/3 on no force solves the equations, and the force of 1.2 sets the gap at the start.
    let pressure =
        1000.0 * LENGTH * motion(mu.min(1.2), start, 0.0)[1] / (0.5 * LENGTH / EDGES as f64);
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
    let weight = rod.mass() * G;
    let first = rod.mass() * 0.5 * SPEED * SPEED + weight * rod.centre().y;
    let end = rod.body().vertices.start;
    let mut slid = Slid {
        angles: vec![[0.0, start]],
        forces: Vec::new(),
        energy: 0.0,
        stopped: f64::INFINITY,
    };
    while simulation.time() < duration - 0.5 * H {
        let record = simulation.step()?.record;
        let turned = simulation.body("rod")?.angle().unwrap_or(f64::NAN);
        slid.angles.push([simulation.time(), start + turned]);
        let force = force_on(&simulation, "rod");
        slid.forces.push(force.y / weight);
        slid.energy = slid.energy.max(record.total / first);

        if simulation.state().v[end].x > -1e-2 {
            slid.stopped = slid.stopped.min(simulation.time());
        }
    }
    Ok(slid)
}

//! A folded chain whose free end falls faster than freely.
//!
//! Both ends of a chain of the length `L` are at the same height at first, side by side, and one is let go. A
//! chain that keeps its energy pulls its free end down: at the depth `x` it has
//! `v^2 = 2 g x (1 - x / 2 L) / (1 - x / L)`, and reaches `x = L` in 0.8472 of the time of a free fall.
//!
//! The chain of the simulator has 24 rods without mass between small balls. The same chain is integrated
//! here by Runge-Kutta's method as a pendulum of 24 points. Times at which the free end has fallen by a
//! half, three quarters and nine tenths of `L` are judged to 0.3 %. The continuous chain is the limit of many
//! links; the last time is within 5 % of it, about a link in 24, and free fall takes 14 % longer.

use crate::formulas::{integral, runge_kutta};
use crate::scenes::{G, STONE, holder, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use nalgebra::{SMatrix, SVector};

pub(super) const CASE: Case = Case {
    name: "joint_folded_chain",
    title: "A folded chain falls faster than freely",
    proves: "The free end of a folded chain is pulled down by the part that hangs, as energy says.",
    formula: "v^2 = 2 g x (1 - x/2L)/(1 - x/L)",
    source: "Calkin and March 1989, The dynamics of a falling chain I, Am. J. Phys. 57",
    weight: Weight::Quick,
    run,
};

/// Number of links, length of the chain (m), radius of the balls (m), angle of the middle link (rad).
const LINKS: usize = 24;
const LENGTH: f64 = 1.0;
const RADIUS: f64 = 2e-3;
/// Step (s), steps of Runge-Kutta's method in each.
const H: f64 = 5e-4;
const FINE: usize = 4;
/// Steps, up to just after the free end has fallen by `L`.
const STEPS: usize = 840;
/// Depths of the free end over the length (1).
const DEPTHS: [f64; 3] = [0.5, 0.75, 0.9];

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("time (s)", "depth of the free end / L"));
    let continuous = |depth: f64| {
        // With `s = u^2` the integrand has no pole at the start.
        let along = |u: f64| 2.0 * ((1.0 - u * u) / (1.0 - 0.5 * u * u)).sqrt();
        (0.5 * LENGTH / G).sqrt() * integral([0.0, depth.sqrt()], 200, along)
    };
    let free = |depth: f64| (2.0 * LENGTH * depth / G).sqrt();
    let curve = |time: &dyn Fn(f64) -> f64| {
        (0..=64)
            .map(|k| f64::from(k) / 64.0)
            .map(|depth| [time(depth), depth])
            .collect()
    };
    outcome.plot.line("Calkin and March", curve(&continuous));
    outcome.plot.line("free fall", curve(&free));

    let [exact, measured] = [pendulum(), fallen()?];
    for depth in DEPTHS {
        let [expected, got] = [&exact, &measured].map(|fall| reached(fall, depth));
        let name = format!("time to {depth} L, chain of {LINKS} points");
        outcome.relative(name, "s", expected, got, 3e-3);
    }
    let last = DEPTHS[DEPTHS.len() - 1];
    let got = reached(&measured, last);
    let name = format!("time to {last} L, continuous chain");
    outcome.relative(name, "s", continuous(last), got, 0.05);
    let name = format!("time to {last} L, over that of a free fall");
    outcome.at_most(name, "1", 0.92, got / free(last));
    outcome
        .plot
        .points("measured", measured.into_iter().step_by(20).collect());
    Ok(outcome)
}

/// Time (s) at which the free end is at this depth over the length, of times (s) and depths.
fn reached(fall: &[[f64; 2]], depth: f64) -> f64 {
    let pair = fall.windows(2).find(|pair| pair[1][1] >= depth);
    pair.map_or(f64::NAN, |pair| {
        let share = (depth - pair[0][1]) / (pair[1][1] - pair[0][1]);
        pair[0][0] + share * (pair[1][0] - pair[0][0])
    })
}

/// Angle (rad) of a link from straight down at the start: the first half hangs, the second stands
/// beside it, and the link between leads across.
fn start(link: usize) -> f64 {
    use std::f64::consts::{FRAC_PI_2, PI};
    match link.cmp(&(LINKS / 2)) {
        std::cmp::Ordering::Less => 0.0,
        std::cmp::Ordering::Equal => FRAC_PI_2,
        std::cmp::Ordering::Greater => PI,
    }
}

/// Times (s) and depths of the free end over the length, of a pendulum of points.
///
/// With `n_ij` for the number of points below both links, `l` for their length and angles `a`:
/// `sum_j n_ij (cos(a_i - a_j) a_j'' + sin(a_i - a_j) a_j'^2) = -n_ii (g / l) sin a_i`.
fn pendulum() -> Vec<[f64; 2]> {
    const N: usize = LINKS;
    let part = LENGTH / N as f64;
    let below = |i: usize, j: usize| (N - i.max(j)) as f64;
    let motion = |y: [f64; 2 * N]| {
        let [angle, rate] = [&y[..N], &y[N..]];
        let matrix =
            SMatrix::<f64, N, N>::from_fn(|i, j| below(i, j) * (angle[i] - angle[j]).cos());
        let forces = SVector::<f64, N>::from_fn(|i, _| {
            let turning = |j: usize| below(i, j) * (angle[i] - angle[j]).sin() * rate[j].powi(2);
            -below(i, i) * G / part * angle[i].sin() - (0..N).map(turning).sum::<f64>()
        });
        let change = matrix
            .cholesky()
            .map_or(forces * f64::NAN, |matrix| matrix.solve(&forces));
        std::array::from_fn(|k| if k < N { rate[k] } else { change[k - N] })
    };

    let mut y: [f64; 2 * N] = std::array::from_fn(|k| if k < N { start(k) } else { 0.0 });
    let height = |y: &[f64; 2 * N]| -part * y[..N].iter().map(|angle| angle.cos()).sum::<f64>();
    let top = height(&y);
    let mut fall = vec![[0.0, 0.0]];
    for step in 1..=STEPS {
        for _ in 0..FINE {
            y = runge_kutta(y, H / FINE as f64, motion);
        }
        fall.push([H * step as f64, (top - height(&y)) / LENGTH]);
    }
    fall
}

/// Times (s) and depths of the free end over the length, of balls on rods.
fn fallen() -> Result<Vec<[f64; 2]>, Error> {
    let part = LENGTH / LINKS as f64;
    let mut scene = scene(H, 1).with_obstacle(holder("link 0", [0.0, 0.0]));
    scene.time = scene.time.by(Scheme::Bdf2);
    let mut at = [0.0, 0.0];
    for k in 0..LINKS {
        let (sin, cos) = start(k).sin_cos();
        let next = [at[0] + part * sin, at[1] - part * cos];
        let [above, name] = [format!("link {k}"), format!("link {}", k + 1)];
        let mut ball = Body::rigid(&name, Circle::new(RADIUS), STONE).at(next);
        ball.group = Some("jointed".to_owned());
        scene = scene
            .with_body(ball)
            .with_joint(Joint::rod(&above, &name, [at, next]));
        at = next;
    }

    let mut simulation = Simulation::new(scene)?;
    let mut fall = vec![[0.0, 0.0]];
    for _ in 0..STEPS {
        simulation.step()?;
        let end = simulation.body(&format!("link {LINKS}"))?.centre();
        fall.push([simulation.time(), (at[1] - end.y) / LENGTH]);
    }
    Ok(fall)
}

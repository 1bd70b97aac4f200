//! A rope with a radius around a drum that turns.
//!
//! Friction acts at the surface of the drum, at the radius `R`, and tension in the middle of the rope,
//! at `R + r`. Moments about the axis give `dT (R + r) = mu T R df`, so that the tensions of both legs
//! have the ratio `exp(mu pi R / (R + r))` after half a turn.
//!
//! The legs are pulled, then the drum turns until the rope slides along the whole of it. The rope does
//! not resist bending.

use super::friction_capstan::{drum, judge};
use crate::scenes::{Exact, STONE, after, scene};
use crate::{Case, Outcome, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::ElasticRod;
use std::f64::consts::PI;

pub(super) const CASE: Case = Case {
    name: "rod_capstan",
    title: "Capstan: tensions of a rope around a turning drum",
    proves: "Friction along a rope adds up to the exponential law, with the lever of its radius.",
    formula: "T1 / T2 = exp(mu pi R / (R + r))",
    source: "Euler 1769, Eytelwein 1808; with the thickness of the rope by its balance of moments",
    weight: Weight::Quick,
    run,
};

/// Radius of the drum, radius of the rope, reach of the barrier, length of a leg (m).
const RADIUS: f64 = 0.1;
const ROPE: f64 = 5e-4;
const D_HAT: f64 = 2e-5;
const LEG: f64 = 0.05;
/// Segments of a leg and around the drum.
const SEGMENTS: [usize; 2] = [10, 64];
/// Axial stiffness (N) and mass per length (kg/m).
const AXIAL: f64 = 1e4;
const MASS: f64 = 1e-3;

/// Judges the ratio of tensions to 0.5 % for three coefficients.
fn run() -> Result<Outcome, Error> {
    let law = |mu: f64| (mu * PI * RADIUS / (RADIUS + ROPE)).exp();
    judge("exp(mu pi R / (R + r))", law, ratio)
}

/// Ratio of the tensions of the legs while the rope slides: those of the last segments, whose ends
/// are pulled by 1 mm and held.
fn ratio(mu: f64) -> Result<f64, Error> {
    let points = line();
    let last = points.len() - 1;
    let pull = |vertex: usize| Prescribed {
        travel: Some(1e-3),
        ..Prescribed::moved(Selection::Indices(vec![vertex]), [0.0, -0.01])
    };
    let lengths = [0, last - 1].map(|k| {
        let [a, b] = [points[k], points[k + 1]];
        (b[0] - a[0]).hypot(b[1] - a[1])
    });
    let rod = ElasticRod::of_stiffness(AXIAL, 0.0, MASS).with_radius(ROPE);
    let rope = Body::rod("rope", rod, Polyline::open(points), STONE)
        .with_prescribed(pull(0))
        .with_prescribed(pull(last));

    let scene = scene(0.01, 100)
        .weightless()
        .tolerance(1e-7)
        .barrier(D_HAT, 1e6)
        .rough(mu, 1e-4)
        .with_body(rope)
        .with_obstacle(drum(RADIUS));
    let simulation = after(scene, 95)?;

    let x = simulation.body("rope")?.x();
    // Strains suffice: the stiffness is the same in both legs and cancels.
    let tension = |k: usize, length: f64| (x[k + 1] - x[k]).norm() / length - 1.0;
    let ratio = tension(0, lengths[0]) / tension(last - 1, lengths[1]);
    Ok(ratio.max(1.0 / ratio))
}

/// Points of the rope from the end of the left leg over the drum to that of the right one (m). Its
/// segments touch the drum in their middles, but for the gap.
fn line() -> Vec<[f64; 2]> {
    let [leg, round] = SEGMENTS;
    let middle = RADIUS + ROPE + 0.97 * D_HAT;
    let radius = middle / (0.5 * PI / round as f64).cos();
    let down = LEG / leg as f64;
    let place = |k: usize| {
        if k < leg {
            [-middle, -down * (leg - k) as f64]
        } else if k <= leg + round {
            let angle = PI * (k - leg) as f64 / round as f64;
            [-radius * angle.cos(), radius * angle.sin()]
        } else {
            [middle, -down * (k - leg - round) as f64]
        }
    };
    (0..=2 * leg + round).map(place).collect()
}

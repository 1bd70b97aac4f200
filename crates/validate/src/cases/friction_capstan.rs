//! An elastic strip around a drum that turns.
//!
//! The strip is made round, so that it has no stress of bending. Its legs are pulled, then the drum
//! turns until the strip slides along the whole of it. Friction acts at the radius `R` of the drum
//! and tension at the middle of the strip, at `r`: moments give `r dT = mu T R df`.
//!
//! `T1` and `T2` are the tensions of the legs, and `f` the angle along the drum (rad). The strip
//! wraps half of the drum, so that the integral over `pi` gives `T1/T2 = exp(mu pi R/r)`. A strip
//! without thickness has `R = r` and Euler's `exp(mu pi)`.

use crate::scenes::{Exact, RUBBER, after, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use std::f64::consts::PI;

pub(super) const CASE: Case = Case {
    name: "friction_capstan",
    title: "Tensions of a strip around a turning drum",
    proves: "Friction along a strip adds up to the exponential law of the capstan.",
    formula: "T1 / T2 = exp(mu pi R / r)",
    source: "Euler 1769, Eytelwein 1808; with the thickness of the strip by its balance of moments",
    weight: Weight::Full,
    run,
};

/// Radius of the drum (m).
pub(super) const RADIUS: f64 = 0.1;
/// Reach of the barrier (m).
pub(super) const D_HAT: f64 = 2e-4;
/// Thickness of the strip (m).
pub(super) const THICKNESS: f64 = 1e-3;
/// Length of a leg (m).
const LEG: f64 = 0.1;
/// Cells of a leg and around the drum.
const CELLS: [usize; 2] = [60, 576];

/// Judges the ratio of tensions to 0.5 % for three coefficients.
///
/// The law is exponential: an error of friction of 1 % changes the ratio by `0.01 mu pi`, which is
/// 1.6 % at `mu = 0.5`.
fn run() -> Result<Outcome, Error> {
    let middle = RADIUS + 0.97 * D_HAT + 0.5 * THICKNESS;
    let law = |mu: f64| (mu * PI * RADIUS / middle).exp();
    judge("exp(mu pi R / r)", law, ratio)
}

/// Compares ratios of tensions with a law of the coefficient, to 0.5 % for three coefficients.
///
/// # Errors
/// If a ratio cannot be measured.
pub(super) fn judge(
    formula: &str,
    law: impl Fn(f64) -> f64,
    ratio: fn(f64) -> Result<f64, Error>,
) -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("mu", "T1 / T2"));
    outcome.plot.curve(formula, [0.0, 0.55], &law);

    let mut measured = Vec::new();
    for mu in [0.1, 0.3, 0.5] {
        let ratio = ratio(mu)?;
        let name = format!("T1 / T2, mu {mu}");
        outcome.relative(name, "1", law(mu), ratio, 5e-3);
        measured.push([mu, ratio]);
    }
    outcome.plot.points("measured", measured);
    Ok(outcome)
}

/// A drum that stays until 0.2 s and has turned by 30 degrees at 1 s.
pub(super) fn drum(radius: f64) -> Obstacle {
    let mut drum = Obstacle::new("drum", Circle::new(radius));
    drum.keyframes = vec![
        Keyframe::new(0.2, [0.0, 0.0]),
        Keyframe::new(1.0, [0.0, 0.0]).rotated(30.0),
    ];
    drum
}

/// Ratio of the tensions of the legs while the strip slides.
///
/// The legs are pulled by 2 mm and held. The drum stays until 0.2 s and has turned by 30 degrees at
/// 1 s; tensions are taken at 0.95 s, in the middle of each leg.
fn ratio(mu: f64) -> Result<f64, Error> {
    let strip = strip(LEG, CELLS);
    let rows = strip.vertices.len() / 2;
    // The pull takes 0.1 s: it ends before the drum begins to turn.
    let pull = |vertices: [usize; 2]| Prescribed {
        travel: Some(2e-3),
        ..Prescribed::moved(Selection::Indices(vertices.to_vec()), [0.0, -0.02])
    };
    let strip = Body::deformable("strip", strip, RUBBER)
        .with_prescribed(pull([0, 1]))
        .with_prescribed(pull([2 * rows - 2, 2 * rows - 1]));

    let scene = scene(0.01, 100)
        .weightless()
        .tolerance(1e-7)
        .elastic(Law::neo_hookean(1e7, 0.0))
        .barrier(D_HAT, 1e5)
        .rough(mu, 1e-4)
        .with_body(strip)
        .with_obstacle(drum(RADIUS));

    // Rows in the middle of each leg. With nu = 0 the stress is mu_e (F - 1/F).
    let rest = LEG / CELLS[0] as f64;
    let simulation = after(scene, 95)?;
    let strip = simulation.body("strip")?;
    let stress = |row: usize| {
        let sides = [0, 1].map(|side| strip.x()[2 * row + 2 + side] - strip.x()[2 * row + side]);
        let stretch = 0.5 * (sides[0].norm() + sides[1].norm()) / rest;
        stretch - 1.0 / stretch
    };
    let low = CELLS[0] / 2;
    let ratio = stress(low) / stress(rows - 2 - low);
    // The law has the larger tension over the smaller one, whichever leg has it.
    Ok(ratio.max(1.0 / ratio))
}

/// Strip from the end of the left leg over the drum to that of the right one, for the `length` of a leg (m) and
/// the cells of a leg and around the drum: rows of two vertices, inner and outer.
pub(super) fn strip(length: f64, [leg, round]: [usize; 2]) -> InlineMesh {
    let inner = RADIUS + 0.97 * D_HAT;
    let mut vertices = Vec::new();
    for row in 0..=2 * leg + round {
        for radius in [inner, inner + THICKNESS] {
            let down = length / leg as f64;
            vertices.push(if row < leg {
                [-radius, -down * (leg - row) as f64]
            } else if row <= leg + round {
                let angle = PI * (row - leg) as f64 / round as f64;
                [-radius * angle.cos(), radius * angle.sin()]
            } else {
                [radius, -down * (row - leg - round) as f64]
            });
        }
    }

    let rows = 2 * leg + round;
    let cells = (0..rows).flat_map(|row| {
        let [a, b, c, d] = [2 * row, 2 * row + 2, 2 * row + 3, 2 * row + 1];
        [[a, b, c], [a, c, d]]
    });
    InlineMesh::new(vertices, cells.collect())
}

//! One elastic cell whose material is damped: the decrement of its vibration.
//!
//! The cell of `motion_oscillator` is one mass on a spring, `w^2 = E H / (L m)`. With Rayleigh's
//! factors `a` of mass and `b` of stiffness it is `u'' + (a + b w^2) u' + w^2 u = 0`, whose damping
//! ratio is `z = a / (2 w) + b w / 2`. A shear viscosity `n` and a bulk viscosity `k` resist a strain
//! along x in plane strain by `k + 4/3 n`, as `b E` does.
//!
//! From one maximum to the next the vibration shrinks by `exp(-d)` with
//! `d = 2 pi z / sqrt(1 - z^2)`. Implicit Euler damps by itself, `d = pi w h`, which adds up.

use crate::oscillator::{SIDE, STRETCH, YOUNG, cell, elongation, rate};
use crate::scenes::{DENSITY, Exact, RUBBER, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::Damping;
use ipcsim_store::ledger::Books;
use std::f64::consts::PI;

pub(super) const CASE: Case = Case {
    name: "motion_damping",
    title: "Logarithmic decrement of a damped vibration",
    proves: "Both parts of Rayleigh's damping and viscosity damp as they should, by every integrator.",
    formula: "d = 2 pi z / sqrt(1 - z^2), z = a / (2 w) + b w / 2; implicit Euler adds pi w h",
    source: "Clough, Penzien, Dynamics of Structures, sections 2.6 and 12.5",
    weight: Weight::Quick,
    run,
};

/// Number of steps of a period.
const STEPS: usize = 200;
/// Number of periods.
const PERIODS: usize = 3;

/// Judges the decrement of three kinds of damping by three integrators, to 1 %, and the ledger of
/// each run.
fn run() -> Result<Outcome, Error> {
    let rate = rate();
    let ratio = 0.05;
    let h = 2.0 * PI / rate / STEPS as f64;
    let expected = 2.0 * PI * ratio / (1.0 - ratio * ratio).sqrt();
    let own = PI * rate * h;
    let mut outcome = Outcome::new(Plot::new("time (s)", "elongation / initial elongation"));
    let end = (PERIODS * STEPS) as f64 * h;
    outcome
        .plot
        .curve("exp(-z w t)", [0.0, end], |t| (-ratio * rate * t).exp());
    for (label, damping) in kinds(ratio, rate) {
        for (name, scheme, added) in [
            ("trapezoid", Scheme::Trapezoid, 0.0),
            ("bdf2", Scheme::Bdf2, 0.0),
            ("implicit Euler", Scheme::ImplicitEuler, own),
        ] {
            let found = vibration(damping, scheme, h)?;
            let points = found.points;
            let wanted = expected + added;
            let title = format!("decrement, {label}, {name}");
            outcome.relative(title, "1", wanted, decrement(&points), 0.01);
            let title = format!("energy that the ledger does not explain, {label}, {name}");
            outcome.absolute(title, "1", 0.0, found.unexplained, 1e-9);

            // Without the integrator's own loss all that is lost is heat of damping.
            if name == "trapezoid" {
                let lost = 1.0 - left(ratio, rate * end);
                let title = format!("energy that damping takes, {label}");
                outcome.relative(title, "1", lost, found.damped, 0.01);
            }
            if label == "stiffness" {
                outcome.plot.points(name, points);
            }
        }
    }
    Ok(outcome)
}

/// Kinds of damping that give a vibration of the angular frequency `rate` (rad/s) this damping ratio
/// (1), with their names.
fn kinds(ratio: f64, rate: f64) -> [(&'static str, Damping); 3] {
    let none = Damping::default();
    let b = 2.0 * ratio / rate;
    [
        (
            "mass",
            Damping {
                mass: 2.0 * ratio * rate,
                ..none
            },
        ),
        (
            "stiffness",
            Damping {
                stiffness: b,
                ..none
            },
        ),
        (
            "viscosity",
            Damping {
                // All pairs with k + 4/3 n = b E damp alike, and 0.2 + 4/3 0.6 = 1.
                shear_viscosity: 0.6 * b * YOUNG,
                bulk_viscosity: 0.2 * b * YOUNG,
                ..none
            },
        ),
    ]
}

/// Share of the energy that is left after the phase `w t` of a vibration from rest.
fn left(ratio: f64, phase: f64) -> f64 {
    let root = (1.0 - ratio * ratio).sqrt();
    let (sin, cos) = (root * phase).sin_cos();
    let decay = (-2.0 * ratio * phase).exp();
    decay * ((cos + ratio / root * sin).powi(2) + (sin / root).powi(2))
}

/// Elongation as a share of that at the start, over time (s), and the change of energy that the
/// ledger does not explain, and that which damping takes, as shares of the energy at the start.
struct Vibration {
    points: Vec<[f64; 2]>,
    unexplained: f64,
    damped: f64,
}

/// A cell that is stretched, and left to itself.
fn vibration(damping: Damping, scheme: Scheme, h: f64) -> Result<Vibration, Error> {
    let steps = PERIODS * STEPS;
    // Without motion along y the strain is along x, which k + 4/3 n resists.
    let mut held = Prescribed::held(Selection::Indices(vec![2, 3]));
    held.axis = Some(Axis::Y);
    let material = Material::new(DENSITY, Law::linear(YOUNG, 0.0)).damped(damping);
    let mut scene = scene(h, steps)
        .tolerance(1e-13)
        .weightless()
        .with_material(RUBBER, material)
        .with_body(cell().with_prescribed(held));
    scene.time.integrator = scheme;
    scene.output.ledger = true;

    let mut simulation = Simulation::new(scene)?;
    let start = elongation(&simulation)?;
    let mut points = vec![[0.0, 1.0]];
    let mut books = Books::default();
    books.enter(&simulation.begin()?.record);
    for _ in 0..steps {
        books.enter(&simulation.step()?.record);
        points.push([simulation.time(), elongation(&simulation)? / start]);
    }

    // The energy at the start is that of the stretch; damping takes most of it.
    let stored = 0.5 * YOUNG * SIDE * SIDE * STRETCH * STRETCH;
    Ok(Vibration {
        points,
        unexplained: books.unexplained_work() / stored,
        damped: -books.work.damping / stored,
    })
}

/// Logarithm of the ratio of two maxima, a period apart: the mean over all periods.
///
/// A maximum is that of the parabola through the largest value and its neighbours.
fn decrement(points: &[[f64; 2]]) -> f64 {
    let mut maxima = Vec::new();
    for three in points.windows(3) {
        let [before, at, after] = [three[0][1], three[1][1], three[2][1]];
        if at > before && at >= after {
            let slope = 0.5 * (after - before);
            let curve = before - 2.0 * at + after;
            maxima.push(at - 0.5 * slope * slope / curve);
        }
    }
    let count = maxima.len().saturating_sub(1).max(1) as f64;
    match (maxima.first(), maxima.last()) {
        (Some(first), Some(last)) => (first / last).ln() / count,
        _ => f64::NAN,
    }
}

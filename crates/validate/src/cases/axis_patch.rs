//! Bodies of revolution: patch tests.
//!
//! A stretch of the radius and another one along the axis have a uniform stress in space, which
//! is in balance. Vertices inside of an irregular mesh must find it when the outline is moved so: with
//! linear triangles and straight quadratic ones, at the axis and away from it, for every law, and with a mean dilatation
//! near incompressibility. Stresses must be those of the law, also on the axis.

use crate::perturb::simulated;
use crate::scenes::Exact;
use crate::six_nodes::six_nodes;
use crate::turned::{grid, section, stresses, turned};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::math::Vec2;
use ipcsim::prelude::*;
use ipcsim::scene::schema::Selection;

pub(super) const CASE: Case = Case {
    name: "axis_patch",
    title: "Bodies of revolution: patch tests",
    proves: "Uniform stretches of the radius and along the axis are exact on irregular meshes, at the axis too, and so is their stress.",
    formula: "r = s R, z = t Z;  J sigma = mu (F F^T - I) + lambda ln J I",
    source: "Irons and Razzaque 1972; Zienkiewicz, Taylor and Zhu, The Finite Element Method",
    weight: Weight::Quick,
    run,
};

/// Stretches of the radius and along the axis (1), Young's modulus (Pa), Poisson's ratio (1).
const STRETCHES: [f64; 2] = [1.07, 0.95];
const ELASTIC: [f64; 2] = [1e5, 0.3];

/// Judges places to 1e-10 m, and stresses to 1e-9 of the largest.
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("law", "largest error of a place (m)"));
    outcome.plot.curve("exact", [0.0, 8.0], |_| 0.0);
    let mut points = Vec::new();
    for (number, (label, law, is_mean)) in laws().into_iter().enumerate() {
        let mut worst = 0.0_f64;
        for is_quadratic in [false, true] {
            for inner in [0.0, 0.5] {
                worst = worst.max(misplaced(law, is_mean, is_quadratic, inner)?);
            }
        }
        outcome.absolute(
            format!("largest |x - F X|, {label}"),
            "m",
            0.0,
            worst,
            1e-10,
        );
        points.push([number as f64, worst]);
    }
    outcome.plot.points("measured", points);

    for is_quadratic in [false, true] {
        let kind = if is_quadratic { "quadratic" } else { "linear" };
        let worst = misjudged(is_quadratic)?;
        let name = format!("largest error of the stress over the largest, {kind} triangles");
        outcome.absolute(name, "1", 0.0, worst, 1e-9);
    }
    Ok(outcome)
}

/// Laws, each with its name and whether its body has a mean dilatation.
fn laws() -> [(&'static str, Law, bool); 10] {
    let [young, poisson] = ELASTIC;
    let mu = young / 2.0 / (1.0 + poisson);
    let soft = |nu: f64| Law::neo_hookean(young, nu);
    [
        ("neo-Hookean", soft(poisson), false),
        (
            "fixed corotated",
            Law::fixed_corotated(young, poisson),
            false,
        ),
        (
            "Saint Venant",
            Law::st_venant_kirchhoff(young, poisson),
            false,
        ),
        ("linear", Law::linear(young, poisson), false),
        (
            "stable neo-Hookean",
            Law::stable_neo_hookean(young, poisson),
            false,
        ),
        (
            "Mooney-Rivlin",
            Law::mooney_rivlin(0.3 * mu, 0.2 * mu, young),
            false,
        ),
        ("Yeoh", Law::yeoh([0.5 * mu, 0.0, 0.0], young), false),
        ("neo-Hookean, mean dilatation", soft(0.4999), true),
        (
            "stable neo-Hookean, mean dilatation",
            Law::stable_neo_hookean(young, 0.4999),
            true,
        ),
        (
            "Yeoh, mean dilatation",
            Law::yeoh([0.5 * mu, 0.0, 0.0], 1e3 * young),
            true,
        ),
    ]
}

/// A distorted section from the radius `inner` (m), whose outline is stretched by a law.
fn stretched(law: Law, is_mean: bool, is_quadratic: bool, inner: f64) -> Result<Simulation, Error> {
    let [s, t] = if is_mean { [1.05, 0.9072] } else { STRETCHES };
    // Vertices inside are moved from their places in a square; those on the outline stay there.
    let plain = grid([4, 4], false, |at| {
        let bubble = 6.0 * at.x * (1.0 - at.x) * at.y * (1.0 - at.y);
        let shift = Vec2::new(0.2 * (7.0 * at.y).sin(), 0.2 * (5.0 * at.x).cos()) * bubble;
        Vec2::new(inner, 0.0) + at + shift
    });
    // Three points integrate the forces of uniform states exactly where sides are straight.
    let mesh = if is_quadratic {
        six_nodes(&plain, |[a, b]| (a + b) / 2.0)
    } else {
        plain
    };
    let across = format!("{}*x*t", s - 1.0);
    let along = format!("{}*y*t", t - 1.0);
    let outline = Prescribed::displaced(Selection::Boundary, [across.as_str(), along.as_str()]);
    let mut body = section(mesh).with_prescribed(outline);
    if is_mean {
        body = body.mean_dilatation();
    }
    let mut simulation = simulated(turned(1, law).tolerance(1e-12).with_body(body))?;
    simulation.step()?;
    Ok(simulation)
}

/// Largest distance (m) of a vertex from `F X`.
fn misplaced(law: Law, is_mean: bool, is_quadratic: bool, inner: f64) -> Result<f64, Error> {
    let [s, t] = if is_mean { [1.05, 0.9072] } else { STRETCHES };
    let simulation = stretched(law, is_mean, is_quadratic, inner)?;
    let both = simulation.state().x.iter().zip(&simulation.world().rest);
    let errors = both.map(|(x, rest)| (x - Vec2::new(s * rest.x, t * rest.y)).norm());
    Ok(errors.fold(0.0, f64::max))
}

/// Largest error of a neo-Hookean stress over its largest component (1), also on the axis.
fn misjudged(is_quadratic: bool) -> Result<f64, Error> {
    let [young, poisson] = ELASTIC;
    let simulation = stretched(Law::neo_hookean(young, poisson), false, is_quadratic, 0.0)?;
    let mu = young / 2.0 / (1.0 + poisson);
    let lambda = 2.0 * mu * poisson / (1.0 - 2.0 * poisson);
    let [s, t] = STRETCHES;
    let j = s * s * t;
    let across = (mu * (s * s - 1.0) + lambda * j.ln()) / j;
    let along = (mu * (t * t - 1.0) + lambda * j.ln()) / j;
    let largest = across.abs().max(along.abs());
    let misses = stresses(&simulation).into_iter().flat_map(|found| {
        let errors = [
            found.xx - across,
            found.zz - across,
            found.yy - along,
            found.xy,
        ];
        errors.map(|error| error.abs() / largest)
    });
    Ok(misses.fold(0.0, f64::max))
}

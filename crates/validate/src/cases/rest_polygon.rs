//! Rigid polygons with more and more corners against the integral over a smooth circle.
//!
//! A smooth circle of the radius `R` whose lowest point is at the gap `g` has the gap
//! `g + R (1 - cos t)` at the angle `t` from there. The pressure `p` of the barrier acts on the arc
//! within its reach, and its integral carries the weight `pi R^2 rho g` per metre of depth.
//! Simpson's rule and bisection give the gap of that limit.
//!
//! Polygons of 192, 768 and 3072 corners have tolerances of 5e-3, 3e-4 and 2e-5. Each has four
//! times the corners of the one before and about a 16th of its tolerance: order 2 in the length of
//! a side.

use crate::formulas::{integral, pressure, root};
use crate::scenes::{DENSITY, Exact, G, STONE, after, ground, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::contact::barrier::BarrierShape;
use ipcsim::prelude::*;
use std::f64::consts::PI;

pub(super) const CASE: Case = Case {
    name: "rest_polygon",
    title: "Gap of a polygon converges to that of its circle",
    proves: "Contact is weighted by length: the force of a polygon converges to the integral of the barrier's pressure along the smooth boundary.",
    formula: "R integral of p(g + R (1 - cos t)) dt = pi R^2 rho g",
    source: "Li et al. 2023, Convergent Incremental Potential Contact, section 3; the integral by Simpson's rule",
    weight: Weight::Quick,
    run,
};

/// Radius (m), reach (m) and stiffness (Pa) of the barrier.
const RADIUS: f64 = 0.1;
const D_HAT: f64 = 1e-3;
const KAPPA: f64 = 1e5;

fn run() -> Result<Outcome, Error> {
    let limit = root([1e-3, 1.0], |s| {
        force(s) - PI * RADIUS * RADIUS * DENSITY * G
    });
    let mut outcome = Outcome::new(Plot::logarithmic("corners", "error of gap / d_hat"));

    let mut measured = Vec::new();
    for (corners, tolerance) in [(192, 5e-3), (768, 3e-4), (3072, 2e-5)] {
        let polygon = Outline::new(corners_of(corners));
        let scene = scene(0.05, 120)
            .barrier(D_HAT, KAPPA)
            .with_body(Body::rigid("polygon", polygon, STONE).at([0.0, RADIUS + 0.93 * D_HAT]))
            .with_obstacle(ground());

        let simulation = after(scene, 120)?;
        // The centre, since a polygon may rest on a corner or on a side.
        let gap = (simulation.body("polygon")?.centre().y - RADIUS) / D_HAT;
        let name = format!("gap / d_hat, {corners} corners");
        outcome.relative(name, "1", limit, gap, tolerance);
        measured.push([corners as f64, (gap - limit).abs()]);
    }

    outcome
        .plot
        .curve("order 2", [192.0, 3072.0], |n| 3e-3 * (192.0 / n).powi(2));
    outcome.plot.points("measured", measured);
    Ok(outcome)
}

/// Force (N) of the barrier along a smooth circle whose lowest gap is `s d_hat`.
fn force(s: f64) -> f64 {
    // At the end of the reach the gap is d_hat: R (1 - cos t) = d_hat (1 - s).
    let reach = (1.0 - D_HAT * (1.0 - s) / RADIUS).acos();
    let at = |t: f64| {
        let gap = s + RADIUS * (1.0 - t.cos()) / D_HAT;
        KAPPA * pressure(BarrierShape::Inverse, gap.min(1.0))
    };
    2.0 * RADIUS * integral([0.0, reach], 200, at)
}

/// Corners on the circle, with one at the bottom (m).
fn corners_of(count: usize) -> Vec<[f64; 2]> {
    let at = |k: usize| {
        let angle = 2.0 * PI * k as f64 / count as f64;
        [RADIUS * angle.sin(), -RADIUS * angle.cos()]
    };
    (0..count).map(at).collect()
}

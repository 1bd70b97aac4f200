//! A metal strip that is bent and let go: what is left of its curvature.
//!
//! A perfectly plastic strip yields at its faces at the curvature `k_e = 2 Y / (E h)`, where it has the
//! moment `M_e`. At a larger curvature `k` it has `M = M_e (3/2 - (k_e/k)^2 / 2)`, and when it is let
//! go it springs back by `M / (E I)`. The strip is held at one end, and the other is led on the arc of
//! a circle; then it is let go.

use crate::scenes::{Exact, RUBBER, after, statics};
use crate::{Case, Outcome, Plot, Quantity, Weight};
use ipcsim::material::Metal;
use ipcsim::math::Vec2;
use ipcsim::prelude::*;
use ipcsim::scene::schema::{Plane, Varying};

pub(super) const CASE: Case = Case {
    name: "plastic_strip",
    title: "Plasticity: a strip that is bent and let go",
    proves: "A bent strip springs back by its elastic curvature and keeps the rest.",
    formula: "k_left = k - k_e (3/2 - (k_e/k)^2 / 2), k_e = 2 Y/(E h)",
    source: "Timoshenko, Strength of Materials II, chapter IX; Hill 1950, chapter IV",
    weight: Weight::Quick,
    run,
};

/// Length and height (m), cells along and across.
const SIZE: [f64; 2] = [1.0, 0.05];
const CELLS: [usize; 2] = [24, 6];
/// The metal: moduli and stresses in Pa.
const METAL: Metal = Metal {
    young: 2e11,
    poisson: 0.3,
    yield_stress: 2e8,
    hardening: 0.0,
};
/// Steps of bending; two more let go.
const STEPS: usize = 8;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("curvature (1/m)", "curvature left (1/m)"));
    let yielding = 2.0 * METAL.yield_stress / (METAL.young * SIZE[1]);
    let left = |bent: f64| {
        // Up to the curvature at yield the strip springs back wholly.
        let share = (yielding / bent).min(1.0);
        bent - yielding * (1.5 - 0.5 * share * share).min(bent / yielding)
    };
    outcome
        .plot
        .curve("closed form", [yielding, 5.0 * yielding], left);

    let mut found = Vec::new();
    for times in [0.9, 2.0, 4.0] {
        let [bent, kept] = bent(times * yielding)?;
        let name = format!("curvature left after {times} times that at yield");
        let quantity = Quantity::absolute(name, "1/m", left(times * yielding), kept, 0.01 * bent);
        outcome.check(quantity);
        found.push([bent, kept]);
    }
    outcome.plot.points("strip", found);
    Ok(outcome)
}

/// Curvature of the middle half of a strip (1/m): bent to an arc of this curvature, and let go.
fn bent(curvature: f64) -> Result<[f64; 2], Error> {
    // A section at the distance s from the left end stands at (sin(k s), 1 - cos(k s)) / k, and is
    // turned by k s. The formulas see the place at the start, about the middle of the strip.
    let [length, _] = SIZE;
    let half = 0.5 * length;
    let k = format!("({curvature}*min(t/0.8, 1))");
    let angle = format!("({k}*{length})");
    // At t = 0 the arc is straight, and a curvature of nearly 0 leads to the same place.
    let x = format!("sin({angle} + 1e-9)/({k} + 1e-9/{length}) - {length} - y*sin({angle})");
    let y = format!("(1 - cos({angle}))/({k} + 1e-9) + y*(cos({angle}) - 1)");
    let ends = [Side::Left, Side::Right].map(Selection::side);
    let [left, right] = ends;
    let strip = Body::deformable("strip", Rectangle::new(SIZE, CELLS), RUBBER)
        .quadratic()
        .with_prescribed(Prescribed::held(left))
        .with_prescribed(
            Prescribed::displaced(right, [x, y].map(Varying::Formula)).between(0.0, 0.85),
        );

    // Eight of ten increments bend it up to 0.8 s; the script ends at 0.85 s and lets it go.
    let mut scene = statics(STEPS + 2)
        .weightless()
        .elastic(Law::j2(METAL))
        .with_body(strip);
    scene.plane = Plane::Stress;
    let mut simulation = after(scene, STEPS)?;
    let held = of_middle(&simulation, half);
    simulation.run(2)?;
    Ok([held, of_middle(&simulation, half)])
}

/// Curvature (1/m) of the middle half of a strip of this half length (m), by the circle through three
/// points of its middle line.
fn of_middle(simulation: &Simulation, half: f64) -> f64 {
    let rest = &simulation.world().rest;
    let at = |along: f64| {
        let near = |i: &usize| (rest[*i] - Vec2::new(along, 0.0)).norm();
        let nearest = (0..rest.len()).min_by(|i, j| near(i).total_cmp(&near(j)));
        nearest.map_or(Vec2::zeros(), |i| simulation.state().x[i])
    };
    let [a, b, c] = [-0.5 * half, 0.0, 0.5 * half].map(at);
    let twice_area = (b - a).perp(&(c - a));
    2.0 * twice_area / ((b - a).norm() * (c - b).norm() * (c - a).norm())
}

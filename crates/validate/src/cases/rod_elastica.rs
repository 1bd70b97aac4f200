//! A cantilever with a force at its end that bends far: the elastica as a rod.
//!
//! The force `P` keeps its direction. `t(s)` (rad) is the angle of the tangent at the arc length `s`
//! (m) from the clamped root. Equilibrium is `E I t'' = -P cos t` with `t(0) = 0` and `t'(L) = 0`,
//! and elliptic integrals give deflection `w`, shortening `u` and the angle of the end.
//!
//! A rod clamps by two vertices, half a segment before the root and half a segment behind it, so that
//! its first bend is between the root and the length of a segment. Results agree to 0.5 % with 40
//! segments, and errors are of order 2 in their length.

use crate::formulas::{root, runge_kutta};
use crate::scenes::{STONE, statics};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::ElasticRod;

pub(super) const CASE: Case = Case {
    name: "rod_elastica",
    title: "Elastica: a rod with a force at its end",
    proves: "A rod bends by any angle as the elastica does, with an error of order 2.",
    formula: "E I t'' = -P cos t, t(0) = 0, t'(L) = 0",
    source: "Mattiasson 1981, Numerical results from large deflection beam and frame problems",
    weight: Weight::Quick,
    run,
};

/// Loads `P L^2 / E I` with deflection `w / L`, shortening `u / L` and angle of the end (rad), from
/// the table of the source.
const TABLE: [[f64; 4]; 5] = [
    [1.0, 0.301_721, 0.056_433, 0.461_352],
    [2.0, 0.493_457, 0.160_642, 0.781_750],
    [3.0, 0.603_253, 0.254_420, 0.986_017],
    [5.0, 0.713_792, 0.387_628, 1.215_368],
    [10.0, 0.810_609, 0.554_996, 1.430_286],
];
/// Length (m) and bending stiffness (N m^2) of the rod.
const LENGTH: f64 = 1.0;
const BENDING: f64 = 1.0;
/// Axial stiffness (N), with which the largest load stretches the rod by 1e-6.
const AXIAL: f64 = 1e7;
/// Numbers of segments.
const SEGMENTS: [usize; 2] = [20, 40];

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("x / L", "y / L"));
    let names = ["deflection w / L", "shortening u / L", "angle of the end"];
    for [load, expected @ ..] in TABLE {
        outcome
            .plot
            .line(format!("P L^2 / E I = {load}"), elastica(load));
        let [coarse, fine] = [bent(load, SEGMENTS[0])?, bent(load, SEGMENTS[1])?];
        for (k, name) in names.into_iter().enumerate() {
            let unit = if k == 2 { "rad" } else { "1" };
            let label = format!("{name}, P L^2 / E I = {load}");
            outcome.relative(label, unit, expected[k], fine[k], 0.005);

            // Twice as many segments have a fourth of the error.
            let limit = (4.0 * fine[k] - coarse[k]) / 3.0;
            let label = format!("{name}, extrapolated, P L^2 / E I = {load}");
            outcome.relative(label, unit, expected[k], limit, 2e-4);
        }
        let end = [LENGTH - fine[1], -fine[0]];
        outcome.plot.points(format!("measured, {load}"), vec![end]);
    }
    Ok(outcome)
}

/// Points of the elastica for this load `P L^2 / E I` by shooting, in units of its length.
fn elastica(load: f64) -> Vec<[f64; 2]> {
    const STEPS: usize = 200;
    let shoot = |curvature: f64| {
        let mut y = [0.0, -curvature, 0.0, 0.0];
        let mut points = vec![[0.0, 0.0]];
        for _ in 0..STEPS {
            y = runge_kutta(y, 1.0 / STEPS as f64, |[t, k, _, _]| {
                [k, load * t.cos(), t.cos(), t.sin()]
            });
            points.push([y[2], y[3]]);
        }
        (y[1], points)
    };
    // The moment at the root is at most P L, and so the curvature is at most the load.
    shoot(root([0.0, 1.01 * load], |curvature| shoot(curvature).0)).1
}

/// Deflection and shortening over length, and the angle of the end (rad), of a rod with this number
/// of segments under a load `P L^2 / E I`.
fn bent(load: f64, segments: usize) -> Result<[f64; 3], Error> {
    // Half of the first segment is behind the root.
    let part = LENGTH / (segments as f64 - 0.5);
    let line = Polyline::open(vec![[-0.5 * part, 0.0], [LENGTH, 0.0]]).divided(segments);
    let rod = ElasticRod::of_stiffness(AXIAL, BENDING, 1.0);
    let force = -load * BENDING / (LENGTH * LENGTH);
    let scene = statics(1)
        .with_gravity([0.0, 0.0])
        .with_body(
            Body::rod("rod", rod, line, STONE)
                .with_prescribed(Prescribed::held(Selection::Indices(vec![0, 1]))),
        )
        .with_load(Load::force("rod", [0.0, force]).on(Selection::Indices(vec![segments])));

    let mut simulation = Simulation::new(scene)?;
    simulation.step()?;
    let x = simulation.body("rod")?.x();
    let end = x[segments];

    // The last two segments, whose angles are those at their middles, extrapolated to the end with
    // the curvature 0 there: the angle grows as `s^2` from the end.
    let angle = |k: usize| {
        let way = x[k] - x[k - 1];
        -way.y.atan2(way.x)
    };
    let [last, before] = [angle(segments), angle(segments - 1)];
    let tip = last + (last - before) / 8.0;
    Ok([-end.y / LENGTH, 1.0 - end.x / LENGTH, tip])
}

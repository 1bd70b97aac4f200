//! A slender cantilever that bends far under its own weight.
//!
//! `t(s)` (rad) is the angle of the tangent at the arc length `s` (m) from the clamped root, and
//! `q` the weight per length (N/m). The moment at `s` is that of the weight beyond it, and its
//! derivative gives the equation. For `L = 1` the one parameter is the load `q L^3/(E I)`, here
//! 0.5, 2 and 6, with `I = H^3/12` and `nu = 0`, so that no factor of plane strain enters.

use crate::formulas::{root, runge_kutta};
use crate::scenes::{DENSITY, Exact, RUBBER, after, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "elastic_elastica",
    title: "Heavy elastica: large deflection of a cantilever",
    proves: "Large rotations of a slender body are those of the elastica.",
    formula: "E I t'' = -q (L - s) cos t, t(0) = 0, t'(L) = 0",
    source: "Wang 1986, A critical review of the heavy elastica; solved by shooting with Runge-Kutta",
    weight: Weight::Full,
    run,
};

/// Length and height (m), Young's modulus (Pa).
const SIZE: [f64; 2] = [1.0, 0.05];
const YOUNG: f64 = 1e7;

/// Judges place and drop of the free end (m) to 1 %.
///
/// Linear triangles are too stiff in bending by an error of order 2, so that results with four and
/// eight cells through the height are extrapolated by `(4 fine - coarse)/3`. The elastica neglects
/// shear and stretching, which are small at `H/L = 1/20`.
fn run() -> Result<Outcome, Error> {
    judge(bent, 4, 0.01)
}

/// Compares the free end of a cantilever with that of the elastica, for three loads.
///
/// `bent` gives points (m) of the middle line for a load and a number of cells through the height, the
/// free end last. Ends with `cells` and with twice as many cells are extrapolated with order 2.
///
/// # Errors
/// If a cantilever cannot be bent.
pub(super) fn judge(
    bent: impl Fn(f64, usize) -> Result<Vec<[f64; 2]>, Error>,
    cells: usize,
    tolerance: f64,
) -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("x (m)", "y (m)"));
    for load in [0.5, 2.0, 6.0] {
        let curve = elastica(load);
        let end = curve[curve.len() - 1];
        outcome.plot.line(format!("q L^3 / E I = {load}"), curve);

        let coarse = bent(load, cells)?;
        let fine = bent(load, 2 * cells)?;
        for (axis, name) in ["x of the end", "drop of the end"].into_iter().enumerate() {
            let [coarse, fine] =
                [&coarse, &fine].map(|points| points[points.len() - 1][axis].abs());
            let limit = (4.0 * fine - coarse) / 3.0;
            let name = format!("{name}, q L^3 / E I = {load}");
            outcome.relative(name, "m", end[axis].abs(), limit, tolerance);
        }
        outcome.plot.points(format!("measured, {load}"), fine);
    }
    Ok(outcome)
}

/// Points (m) of the elastica for this load `q L^3 / E I`, whose curvature at the root is found by
/// shooting.
///
/// The unknowns are angle, curvature, arc length and place. Shooting seeks the curvature at the
/// root for which that at the free end vanishes. Small deflections give half of the load for it, so
/// that the interval from 0 to 0.6 of the load contains it.
pub(super) fn elastica(load: f64) -> Vec<[f64; 2]> {
    const STEPS: usize = 400;
    // Angles count upwards here and the strip bends down, so that the sign is not that of the
    // formula.
    let shoot = |curvature: f64| {
        let mut y = [0.0, -curvature, 0.0, 0.0, 0.0];
        let mut points = vec![[0.0, 0.0]];
        for _ in 0..STEPS {
            y = runge_kutta(y, 1.0 / STEPS as f64, |[t, k, s, _, _]| {
                [k, load * (1.0 - s) * t.cos(), 1.0, t.cos(), t.sin()]
            });
            points.push([y[3], y[4]]);
        }
        (y[1], points)
    };
    shoot(root([0.0, 0.6 * load], |curvature| shoot(curvature).0)).1
}

/// Points (m) of the middle line of a simulated cantilever with these cells through its height.
fn bent(load: f64, cells: usize) -> Result<Vec<[f64; 2]>, Error> {
    // The load q L^3 / E I, solved for g with q = rho g H and I = H^3/12.
    let gravity = load * YOUNG * SIZE[1].powi(2) / (12.0 * DENSITY * SIZE[0].powi(3));
    let along = 20 * cells;
    let end = Bounds::new([-1e-6, -1.0], [1e-6, 1.0]);
    let beam = Body::deformable("beam", Rectangle::new(SIZE, [along, cells]), RUBBER)
        .at([0.5 * SIZE[0], 0.0])
        .with_prescribed(Prescribed::held(Selection::Box(end)));
    let scene = scene(0.2, 60)
        .tolerance(1e-8)
        .elastic(Law::neo_hookean(YOUNG, 0.0))
        .with_gravity([0.0, -gravity])
        .with_body(beam);

    let simulation = after(scene, 60)?;
    let x = simulation.body("beam")?.x();
    let middle = (0..=along).map(|i| x[i * (cells + 1) + cells / 2]);
    Ok(middle.map(|x| [x.x, x.y]).collect())
}

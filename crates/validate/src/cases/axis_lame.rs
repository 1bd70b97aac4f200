//! Bodies of revolution: thick cylinder and thick sphere under pressure inside.
//!
//! Lame's displacements, with a modulus so large that strains are small. The cylinder is between two
//! planes without friction. Errors fall with order 2 for linear triangles, and with a higher one for
//! quadratic ones. Near incompressibility nothing locks with a mean dilatation.

use crate::perturb::simulated;
use crate::turned::{at_height, moved, on_y, rectangle, section, shell, stresses, turned};
use crate::turned::{at_radius, nearest};
use crate::{Case, Outcome, Plot, Quantity, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::{InlineMesh, Selection, Side};

pub(super) const CASE: Case = Case {
    name: "axis_lame",
    title: "Bodies of revolution: thick cylinder and thick sphere",
    proves: "A pressure inside widens both as Lame's solutions say, with the order of the elements, the stress around the axis, and without locking at nu 0.4999.",
    formula: "cylinder u = (1 + nu)/E p a^2/(b^2 - a^2) ((1 - 2 nu) r + b^2/r); sphere u = p a^3/(b^3 - a^3) ((1 - 2 nu) r/E + (1 + nu) b^3/(2 E r^2))",
    source: "Lame 1852; Timoshenko and Goodier, Theory of Elasticity, articles 28 and 136",
    weight: Weight::Quick,
    run,
};

/// Radii inside and outside (m), Young's modulus (Pa) and pressure (Pa).
const RADII: [f64; 2] = [1.0, 2.0];
const YOUNG: f64 = 1e9;
const PRESSURE: f64 = 100.0;

/// Displacement (m) of the cylinder at a radius.
fn cylinder(nu: f64, r: f64) -> f64 {
    let [a, b] = RADII.map(|radius| radius * radius);
    (1.0 + nu) / YOUNG * PRESSURE * a / (b - a) * ((1.0 - 2.0 * nu) * r + b / r)
}

/// Displacement (m) of the sphere at a radius.
fn sphere(nu: f64, r: f64) -> f64 {
    let [a, b] = RADII.map(|radius| radius.powi(3));
    let shear = (1.0 + nu) * b / (2.0 * YOUNG * r * r);
    PRESSURE * a / (b - a) * ((1.0 - 2.0 * nu) * r / YOUNG + shear)
}

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("r (m)", "u (m)"));
    outcome.plot.curve("cylinder", RADII, |r| cylinder(0.3, r));
    outcome.plot.curve("sphere", RADII, |r| sphere(0.3, r));

    orders(&mut outcome)?;
    nearly_incompressible(&mut outcome)?;
    hoop(&mut outcome)?;
    Ok(outcome)
}

/// Judges displacements and the orders of their errors, by halving cells.
///
/// The order is `log2(e(h) / e(h/2))` of the error `e` at the bore. Linear triangles need an
/// order of 1.8, quadratic ones of the cylinder 2.5.
fn orders(outcome: &mut Outcome) -> Result<(), Error> {
    for is_quadratic in [false, true] {
        let kind = if is_quadratic { "quadratic" } else { "linear" };
        let least = if is_quadratic { 2.5 } else { 1.8 };
        let cells = if is_quadratic { [4, 8] } else { [6, 12] };

        // The cylinder, and then the sphere, on a mesh and on one with half the size.
        let errors = cells.map(|n| {
            let found = widened(&pipe(n, is_quadratic), 0.3, false)?;
            Ok(found / cylinder(0.3, RADII[0]) - 1.0)
        });
        let [coarse, fine]: [Result<f64, Error>; 2] = errors;
        let [coarse, fine] = [coarse?, fine?];
        outcome.relative(
            format!("displacement of the bore, cylinder, {kind}"),
            "1",
            1.0,
            1.0 + fine,
            1e-3,
        );
        outcome.at_least(
            format!("order of its error, {kind}"),
            "1",
            least,
            (coarse / fine).abs().log2(),
        );

        let errors = cells.map(|n| {
            let found = widened(&ball(2 * n, is_quadratic), 0.3, false)?;
            Ok(found / sphere(0.3, RADII[0]) - 1.0)
        });
        let [coarse, fine]: [Result<f64, Error>; 2] = errors;
        let [coarse, fine] = [coarse?, fine?];
        let tolerance = if is_quadratic { 2e-3 } else { 1e-2 };
        outcome.relative(
            format!("displacement of the bore, sphere, {kind}"),
            "1",
            1.0,
            1.0 + fine,
            tolerance,
        );
        outcome.at_least(
            format!("order of its error, sphere, {kind}"),
            "1",
            1.8,
            (coarse / fine).abs().log2(),
        );
    }
    Ok(())
}

/// Judges displacements near incompressibility, on meshes with few cells.
///
/// Without the mean dilatation such meshes would lock: the volume of each element could hardly change.
fn nearly_incompressible(outcome: &mut Outcome) -> Result<(), Error> {
    for is_quadratic in [false, true] {
        let kind = if is_quadratic { "quadratic" } else { "linear" };
        for (shape, mesh, expected, within) in [
            (
                "cylinder",
                pipe(8, is_quadratic),
                cylinder(0.4999, RADII[0]),
                0.01,
            ),
            (
                "sphere",
                ball(16, is_quadratic),
                sphere(0.4999, RADII[0]),
                0.02,
            ),
        ] {
            let found = widened(&mesh, 0.4999, true)?;
            let name =
                format!("displacement of the bore, {shape}, nu 0.4999, mean dilatation, {kind}");
            outcome.check(Quantity::relative(name, "m", expected, found, within));
        }
    }
    Ok(())
}

/// A slice of the cylinder with `n` cells through its wall.
fn pipe(n: usize, is_quadratic: bool) -> InlineMesh {
    rectangle(RADII, [0.0, 0.5], [n, n.div_ceil(2)], is_quadratic)
}

/// A quarter of the shell with `n` cells along it.
fn ball(n: usize, is_quadratic: bool) -> InlineMesh {
    shell(RADII, [n, n.div_ceil(2)], is_quadratic)
}

/// Shape under pressure on what is nearest to the axis or the centre.
///
/// A mesh that reaches above y = 1.5 m is the shell of the sphere. Its lower side is its plane of
/// symmetry; the slice of the cylinder is held at both ends.
fn pressed(mesh: &InlineMesh, nu: f64, is_mean: bool) -> Result<Simulation, Error> {
    let is_shell = mesh.vertices.iter().any(|x| x[1] > 1.5);
    let mut body = section(mesh.clone()).with_prescribed(on_y(at_height(0.0, 1e-9)));
    let inside = if is_shell {
        Selection::disk([0.0, 0.0], 1.000_01 * RADII[0])
    } else {
        body = body.with_prescribed(on_y(Selection::side(Side::Top)));
        at_radius(RADII[0], 1e-9)
    };
    if is_mean {
        body = body.mean_dilatation();
    }
    let scene = turned(1, Law::neo_hookean(YOUNG, nu))
        .with_body(body)
        .with_load(Load::pressure("body", PRESSURE).on(inside));
    let mut simulation = simulated(scene)?;
    simulation.step()?;
    Ok(simulation)
}

/// Displacement of the bore (m).
fn widened(mesh: &InlineMesh, nu: f64, is_mean: bool) -> Result<f64, Error> {
    let simulation = pressed(mesh, nu, is_mean)?;
    Ok(moved(&simulation, "body", [RADII[0], 0.0])?.x)
}

/// Judges the stress around the axis of the cylinder, and the stress at the pole of the sphere, which is
/// on the axis.
///
/// At the bore of the cylinder it is `p (a^2 + b^2) / (b^2 - a^2)`, at the outside of the sphere
/// `3/2 p a^3 / (b^3 - a^3)`. On the axis the stress is a limit, so that this judges the limit,
/// too.
fn hoop(outcome: &mut Outcome) -> Result<(), Error> {
    let [a, b] = RADII;
    let simulation = pressed(&pipe(8, true), 0.3, false)?;

    // The bore, in the middle of the slice.
    let found = stresses(&simulation)[nearest(&simulation, "body", [a, 0.25])?];
    let expected = PRESSURE * (a * a + b * b) / (b * b - a * a);
    outcome.relative(
        "stress around the bore of the cylinder",
        "Pa",
        expected,
        found.zz,
        0.02,
    );

    let simulation = pressed(&ball(16, true), 0.3, false)?;
    let found = stresses(&simulation)[nearest(&simulation, "body", [0.0, b])?];
    let around = 1.5 * PRESSURE * a.powi(3) / (b.powi(3) - a.powi(3));
    outcome.relative(
        "stress around the axis at the pole of the sphere",
        "Pa",
        around,
        found.zz,
        0.02,
    );
    Ok(())
}

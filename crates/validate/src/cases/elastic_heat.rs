//! Bodies that expand by heat: a bimetal strip, free blocks, and a clamped bar.
//!
//! The strip has two equal layers whose expansions differ by `da`. Its curvature at the temperature `T`
//! follows from the moments of the stresses by which the layers hold each other. In plane strain the
//! thickness stays, which presses on the material across the plane and makes it grow by the factor
//! `1 + nu` more in the plane.
//!
//! Quadratic triangles contain the strip's displacements away from its ends. What is left is the
//! difference of strains of 1e-3 from small ones.

use crate::scenes::{Exact, RUBBER, after, booked, statics};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::math::Vec2;
use ipcsim::prelude::*;
use ipcsim::scene::schema::{Axis, Plane, Region, Where};

pub(super) const CASE: Case = Case {
    name: "elastic_heat",
    title: "Heat: a bimetal strip, free blocks, a clamped bar",
    proves: "Differences of expansion bend a strip, in plane strain by the factor 1 + nu more; what is free grows without stress; what is clamped has the stress of the strain that it lacks.",
    formula: "curvature = 3/2 da T/h, times 1 + nu in plane strain; sigma = -E alpha T",
    source: "Timoshenko 1925, Analysis of bi-metal thermostats; Boley, Weiner, Theory of Thermal Stresses",
    weight: Weight::Quick,
    run,
};

/// Length and height (m), cells along and across the strip.
const SIZE: [f64; 2] = [1.0, 0.1];
const CELLS: [usize; 2] = [40, 4];
/// Young's modulus (Pa), expansion (1/K) and temperature (K).
const YOUNG: f64 = 1e9;
const EXPANSION: f64 = 1e-5;
const TEMPERATURE: f64 = 100.0;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("x (m)", "y (m)"));
    let strain = EXPANSION * TEMPERATURE;
    for (label, plane, poisson, factor) in [
        ("nu = 0", Plane::Strain, 0.0, 1.0),
        ("plane strain, nu = 0.3", Plane::Strain, 0.3, 1.3),
        ("plane stress, nu = 0.3", Plane::Stress, 0.3, 1.0),
    ] {
        let line = bimetal(plane, poisson)?;
        let expected = 1.5 * factor * strain / SIZE[1];
        let name = format!("curvature, {label}");
        outcome.relative(name, "1/m", expected, curvature(&line), 0.01);
        outcome.plot.points(label, line);
    }

    // A free block: strain in the plane, and stress in it and across.
    for (label, plane, poisson) in [
        ("plane strain", Plane::Strain, 0.3),
        ("plane stress", Plane::Stress, 0.3),
    ] {
        let thick = plane == Plane::Strain;
        let (grown, stresses) = heated(plane, poisson, false)?;
        let expected = strain * if thick { 1.0 + poisson } else { 1.0 };
        let name = format!("strain of a free block, {label}");
        outcome.relative(name, "1", expected, grown, 1e-3);
        // In plane strain the thickness cannot grow, and the only stress is E alpha T across the
        // plane.
        let across = if thick { YOUNG * strain } else { 0.0 };
        let name = format!("von Mises stress of a free block, {label}");
        outcome.absolute(name, "Pa", across, stresses, 2e-3 * YOUNG * strain);
    }
    let (_, stress) = heated(Plane::Stress, 0.0, true)?;
    let name = "von Mises stress of a clamped bar";
    outcome.relative(name, "Pa", YOUNG * strain, stress, 2e-3);

    // A heated block that rings, with the work of its temperature in the ledger.
    for (scheme, label) in [
        (Scheme::ImplicitEuler, "implicit Euler"),
        (Scheme::Trapezoid, "trapezoid"),
        (Scheme::TrBdf2, "TR-BDF2"),
    ] {
        let (work, unexplained) = ringing(scheme)?;
        let name = format!("unexplained energy over the work of temperature, {label}");
        outcome.absolute(name, "1", 0.0, unexplained / work, 1e-9);
    }
    Ok(outcome)
}

/// Place of the vertices on the middle line (m) of a bimetal strip that is held at its left end.
fn bimetal(plane: Plane, poisson: f64) -> Result<Vec<[f64; 2]>, Error> {
    let upper = Region::new("upper", Where::Positive("y".to_owned()));
    let strip = Body::deformable("strip", Rectangle::new(SIZE, CELLS), RUBBER)
        .with_region(upper)
        .heated(TEMPERATURE)
        .quadratic()
        .with_prescribed(Prescribed::held(Selection::side(Side::Left)));
    let law = Law::neo_hookean(YOUNG, poisson);
    // The lower layer grows more, so that the strip bends upwards and its curvature is positive.
    let mut scene = statics(1)
        .weightless()
        .with_material(
            RUBBER,
            Material::new(1000.0, law).expanding(2.0 * EXPANSION),
        )
        .with_material("upper", Material::new(1000.0, law).expanding(EXPANSION))
        .with_body(strip);
    scene.plane = plane;
    let mut simulation = Simulation::new(scene)?;
    simulation.step()?;
    let rest = simulation.world().rest.iter();
    let both = rest.zip(&simulation.state().x);
    let mut line: Vec<[f64; 2]> = both
        .filter(|(rest, _)| rest.y.abs() < 1e-9)
        .map(|(_, x)| [x.x, x.y])
        .collect();
    line.sort_by(|a, b| a[0].total_cmp(&b[0]));
    Ok(line)
}

/// Curvature (1/m) of a line between a quarter and three quarters of its points, counter-clockwise:
/// that of the circle through three of them.
fn curvature(line: &[[f64; 2]]) -> f64 {
    let [a, b, c] = [1, 2, 3].map(|k| Vec2::from(line[k * (line.len() - 1) / 4]));
    let twice_area = (b - a).perp(&(c - a));
    2.0 * twice_area / ((b - a).norm() * (c - b).norm() * (c - a).norm())
}

/// Strain across the height, and von Mises stress in the middle (Pa), of a heated block; free, or
/// clamped at both ends.
fn heated(plane: Plane, poisson: f64, clamped: bool) -> Result<(f64, f64), Error> {
    let mut block =
        Body::deformable("block", Rectangle::new(SIZE, [20, 2]), RUBBER).heated("100*t");
    if clamped {
        block = block
            .with_prescribed(Prescribed::held(Selection::side(Side::Left)))
            .with_prescribed(Prescribed::held(Selection::side(Side::Right)));
    } else {
        // One vertex holds the place, another one the angle.
        block = block.with_prescribed(Prescribed::held(Selection::Indices(vec![1])));
        let mut turning = Prescribed::held(Selection::Indices(vec![4]));
        turning.axis = Some(Axis::Y);
        block = block.with_prescribed(turning);
    }
    let law = Law::neo_hookean(YOUNG, poisson);
    let mut scene = statics(2)
        .weightless()
        .with_material(RUBBER, Material::new(1000.0, law).expanding(EXPANSION))
        .with_body(block);
    scene.plane = plane;
    let simulation = after(scene, 2)?;
    let x = &simulation.state().x;
    // Columns have three vertices: these two are the ends of the middle column.
    let height = (x[x.len() / 2 + 1] - x[x.len() / 2 - 1]).norm();
    let stress = simulation.stress();
    Ok((height / SIZE[1] - 1.0, stress[stress.len() / 2]))
}

/// Work of the temperature and energy that no term of the ledger explains (J), of a block whose
/// temperature changes within its vibrations.
fn ringing(scheme: Scheme) -> Result<(f64, f64), Error> {
    let block = Body::deformable("block", Rectangle::new([0.2, 0.1], [4, 2]), RUBBER)
        .heated("2000*sin(40*t)*(1 + x)");
    let mut scene = Scene::new(Time::new(1e-3, 40).by(scheme))
        .weightless()
        .with_material(
            RUBBER,
            Material::new(1000.0, Law::neo_hookean(1e6, 0.3)).expanding(EXPANSION),
        )
        .with_body(block);
    scene.solver.tolerance = Some(1e-8);
    let books = booked(scene, 40)?;
    Ok((books.work.temperature.abs(), books.unexplained_work()))
}

//! Bodies of two materials.
//!
//! Without a Poisson effect the stress is uniform in a bar whose two halves are one behind the
//! other, and linear triangles have the exact solution on every mesh that follows the seam. The
//! three ways to name the second half must give the same triangles, hence the same result to
//! rounding.
//!
//! Both parts carry the same force, so that `E_1 u_1 = E_2 (u - u_1)` with the displacements `u_1`
//! of the seam and `u` of the end (m). Here the seam moves by 8 mm of 10 mm.

use crate::scenes::{Exact, RUBBER, after, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::{Area, Curve, Region, Where};

pub(super) const CASE: Case = Case {
    name: "elastic_regions",
    title: "A bar of two materials, one behind the other",
    proves: "Two materials bonded in one body stretch as two springs in a row do, whether the second is named by a part, a curve or a formula.",
    formula: "u_1 = u E_2/(E_1 + E_2) for equal lengths and nu = 0",
    source: "Hooke's law in both parts, with the same force",
    weight: Weight::Quick,
    run,
};

/// Length of each part and height of the bar (m); Young's moduli (Pa); displacement of the end (m).
const LENGTH: f64 = 0.5;
const HEIGHT: f64 = 0.2;
/// Young's moduli (Pa) of the left part and of the right one, which is the region.
const YOUNG: [f64; 2] = [1e6, 4e6];
/// Displacement of the right end (m); the left end is held.
const PULL: f64 = 0.01;

/// Steps of the pull.
const STEPS: usize = 4;

/// Densities of the parts (kg/m^3).
const DENSITIES: [f64; 2] = [1000.0, 3000.0];

/// Judges the displacement of the seam to 1e-10 m and the mass of the bar to 1e-12 of it.
///
/// The exact solution is linear in each part, and triangles follow the seam, so that no error of
/// the mesh is left. The mass `rho_1 A_1 + rho_2 A_2` tells whether each triangle has its own
/// material.
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("x (m)", "u (m)"));
    let seam = PULL * YOUNG[1] / (YOUNG[0] + YOUNG[1]);
    let exact = vec![[0.0, 0.0], [LENGTH, seam], [2.0 * LENGTH, PULL]];
    outcome.plot.line("two springs", exact);

    let stiff = Curve::polygon(rectangle(LENGTH, 2.0 * LENGTH));
    for (label, place) in [
        ("part", Where::Group("stiff".to_owned())),
        ("curve", Where::Inside(stiff)),
        ("formula", Where::Positive(format!("x - {LENGTH}"))),
    ] {
        let Stretched { points, mass } = stretched(place)?;
        let at_seam = points.iter().filter(|[x, _]| (x - LENGTH).abs() < 1e-9);
        let largest = at_seam.map(|[_, u]| (u - seam).abs()).fold(0.0, f64::max);
        let name = format!("largest error at the seam, {label}");
        outcome.absolute(name, "m", 0.0, largest, 1e-10);

        let expected = LENGTH * HEIGHT * (DENSITIES[0] + DENSITIES[1]);
        outcome.relative(format!("mass, {label}"), "kg", expected, mass, 1e-12);
        outcome.plot.points(label, points);
    }
    Ok(outcome)
}

/// A bar that is pulled.
struct Stretched {
    /// Place at rest and displacement along the bar of each vertex (m).
    points: Vec<[f64; 2]>,
    /// Mass of the bar (kg).
    mass: f64,
}

/// Corners of a rectangle as high as the bar between two places along it (m).
fn rectangle(from: f64, to: f64) -> [[f64; 2]; 4] {
    [[from, 0.0], [to, 0.0], [to, HEIGHT], [from, HEIGHT]]
}

/// The bar at rest after its right end has moved.
fn stretched(stiff: Where) -> Result<Stretched, Error> {
    let area = Area::new(Curve::polygon(rectangle(0.0, 2.0 * LENGTH)))
        .with_part("stiff", Curve::polygon(rectangle(LENGTH, 2.0 * LENGTH)))
        .with_size(0.06);
    let mut pull = Prescribed::moved(Selection::side(Side::Right), [PULL / STEPS as f64, 0.0]);
    pull.travel = Some(PULL);
    let bar = Body::deformable("bar", area, RUBBER)
        .with_region(Region::new("stiff", stiff))
        .with_prescribed(Prescribed::moved(Selection::side(Side::Left), [0.0; 2]))
        .with_prescribed(pull);

    let mut whole = scene(10.0, 2 * STEPS)
        .tolerance(1e-14)
        .weightless()
        .with_material(
            RUBBER,
            Material::new(DENSITIES[0], Law::linear(YOUNG[0], 0.0)),
        )
        .with_material(
            "stiff",
            Material::new(DENSITIES[1], Law::linear(YOUNG[1], 0.0)),
        )
        .with_body(bar);
    // The speed of the pull is PULL over the number of steps, and so a step lasts 1 s.
    whole.time.step = 1.0;
    let simulation = after(whole, 2 * STEPS)?;

    let world = simulation.world();
    let x = &simulation.state().x;
    let points = world
        .rest
        .iter()
        .zip(x)
        .map(|(rest, x)| [rest.x, x.x - rest.x]);
    Ok(Stretched {
        points: points.collect(),
        mass: world.model.mass.iter().map(|mass| mass.x).sum(),
    })
}

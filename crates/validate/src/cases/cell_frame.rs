//! Cells that repeat: square frames of struts.
//!
//! Struts along x and y share a vertex at each corner. Under the shear `g` corners that are welded turn by half
//! of the angle, so that all struts bend alike: `P_xy = 6 E I g / L^3`. Along a strut the stress is the one of
//! its section, `P_xx = E A e / L`. A rod of segments is stiffer or softer by their square.

use crate::repeated::{Course, repeated, strained};
use crate::scenes::{Exact, STONE, statics};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::{ElasticRod, RodJoin};

pub(super) const CASE: Case = Case {
    name: "cell_frame",
    title: "Cells that repeat: frames of struts",
    proves: "Struts that go on across the period and share corners have the stiffness of a welded frame in shear, with an error of second order, and of a truss along the struts; the place at which a frame is drawn does not matter.",
    formula: "P_xy = 6 E I g / L^3, P_xx = E A e / L",
    source: "Gibson and Ashby 1997, frames of slender struts",
    weight: Weight::Quick,
    run,
};

/// Side of the cell, and length of a strut (m).
const SIDE: f64 = 0.1;
/// Axial stiffness of struts (N).
const AXIAL: f64 = 1e4;
/// Bending stiffness of struts (N m^2).
const BENDING: f64 = 1e-3;
/// Strain (1), small enough that its square is not seen.
const STRAIN: f64 = 1e-5;

/// Judges shear and stretch of frames, their order, and a frame that is drawn elsewhere.
///
/// # Errors
/// If a scene cannot be read, or an increment fails.
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("segments", "error (1)"));
    let shear = 6.0 * BENDING * STRAIN / SIDE.powi(3);
    let mut errors = Vec::new();
    for count in [8, 16, 32] {
        let found = stress(count, [0.0; 2], [0.0, 0.0, STRAIN])?[2];
        errors.push([f64::from(count), (found / shear - 1.0).abs()]);
    }
    outcome.at_most("shear by 32 segments", "1", 0.002, errors[2][1]);
    let order = (errors[1][1] / errors[2][1]).log2();
    outcome.absolute("order of convergence", "1", 2.0, order, 0.1);

    let expected = stress(16, [0.0; 2], [0.0, 0.0, STRAIN])?[2];
    let elsewhere = stress(16, [0.03, 0.02], [0.0, 0.0, STRAIN])?[2];
    outcome.relative("shear, drawn elsewhere", "Pa", expected, elsewhere, 1e-8);
    let along = stress(16, [0.0; 2], [STRAIN, 0.0, 0.0])?[0];
    outcome.relative("stretch", "Pa", AXIAL * STRAIN / SIDE, along, 1e-6);
    outcome.plot.points("shear", errors);
    Ok(outcome)
}

/// Mean stress (Pa) of a frame of this number of segments for each strut, drawn from a place (m) on, for mean
/// strains `xx`, `yy` and `xy` (1).
///
/// # Errors
/// As [`run`].
fn stress(count: u32, from: [f64; 2], strains: [f64; 3]) -> Result<[f64; 3], Error> {
    let mut scene = repeated(SIDE, Law::linear(1e6, 0.3), statics(1)).tolerance(1e-13);
    if let Some(periodic) = &mut scene.periodic {
        periodic.rods = RodJoin::Rigid;
    }
    for (name, way) in [("lying", [1.0, 0.0]), ("standing", [0.0, 1.0])] {
        let points = (0..=count).map(|k| {
            let share = f64::from(k) / f64::from(count);
            [0, 1].map(|axis: usize| from[axis] + SIDE * way[axis] * share)
        });
        let rod = ElasticRod::of_stiffness(AXIAL, BENDING, 0.01);
        let line = Polyline::open(points.collect());
        scene = scene.with_body(Body::rod(name, rod, line, STONE));
    }
    Ok(Course::of(strained(scene, strains))?.stress())
}

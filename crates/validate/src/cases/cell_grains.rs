//! Cells that repeat: grains under a mean stress, and the same grains from two places.
//!
//! Two discs of the radius `r` in a square cell are a square packing that is turned by 45 degrees: each
//! touches four images of the other, at the distance `d = L / sqrt(2)`. By the mean stress `s` on the sides the
//! contacts carry `f = s L^2 / (2 d)` per thickness (Love 1927, Weber 1966). A free cell swings, and
//! comes to rest by the losses of contact.

use crate::perturb::simulated;
use crate::repeated::{Course, repeated, strained};
use crate::scenes::{Exact, STONE, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::{MeanStress, Varying};

pub(super) const CASE: Case = Case {
    name: "cell_grains",
    title: "Cells that repeat: grains under a mean stress",
    proves: "Grains in a cell come to rest at the mean stress that is prescribed, their contacts carry it, and it does not matter which image of a grain is drawn, by all integrators.",
    formula: "f = s L^2 / (2 d)",
    source: "Love 1927, Weber 1966, exact",
    weight: Weight::Quick,
    run,
};

/// Side of the cell (m).
const SIDE: f64 = 0.1;
/// Radius of the discs (m), a little less than where they touch.
const RADIUS: f64 = 0.034;
/// Mean stress on the sides (Pa); compression is negative.
const STRESS: f64 = -1e3;

/// Judges grains at rest under a mean stress, and the same grains from two places.
///
/// # Errors
/// If a scene cannot be read, or a run fails.
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("t (s)", "stress (Pa)"));

    // At rest under a stress.
    let mut pressed = discs([0.25, 0.25], scene(1e-3, 600)).tolerance(1e-9);
    if let Some(periodic) = &mut pressed.periodic {
        let stress = Some(Varying::from(STRESS));
        periodic.stress = MeanStress {
            xx: stress.clone(),
            yy: stress,
            xy: None,
        };
    }
    let mut simulation = simulated(pressed)?;
    let mut points = Vec::new();
    let mut last = None;
    for _ in 0..600 {
        last = simulation.step()?.record.cell;
        let stress = last.and_then(|cell| cell.stress);
        points.extend(stress.map(|stress| [simulation.time(), stress[1]]));
    }
    let cell = last;
    let [xx, yy, _] = cell.map_or([f64::NAN; 3], |cell| cell.stress.unwrap_or([f64::NAN; 3]));
    outcome.relative("mean stress along x", "Pa", STRESS, xx, 1e-6);
    outcome.relative("mean stress along y", "Pa", STRESS, yy, 1e-6);
    let shrunk = cell.map_or([f64::NAN; 3], |cell| cell.strain);
    let side = SIDE * (1.0 + shrunk[0]);
    let apart = side / 2.0_f64.sqrt();
    let force = -STRESS * SIDE * side / (2.0 * apart);
    let contacts = simulation.contacts();
    let most = contacts.map(|own| own.normal_force).fold(0.0, f64::max);
    outcome.relative("force of a contact", "N", force, most, 1e-6);
    outcome.plot.points("free cell", points);

    // Squeezed from two places, by each integrator.
    for scheme in [
        Scheme::ImplicitEuler,
        Scheme::Bdf2,
        Scheme::Trapezoid,
        Scheme::TrBdf2,
    ] {
        let stress = |at: [f64; 2]| -> Result<f64, Error> {
            let mut own = scene(1e-3, 14).tolerance(1e-11);
            own.time = Time::new(1e-3, 14).by(scheme);
            let own = strained(discs(at, own).with_friction(0.3), [-2.68, -2.68, 0.05]);
            Ok(Course::of(own)?.stress()[1])
        };
        let name = format!("{scheme:?}: drawn elsewhere");
        let expected = stress([0.25, 0.25])?;
        outcome.relative(name, "Pa", expected, stress([0.62, 0.9])?, 1e-6);
    }
    Ok(outcome)
}

/// Two discs, the first of them at a place in parts of the side, the other half a side on along x and y.
///
/// The place has no influence on forces, since the cell goes on in all directions.
fn discs(at: [f64; 2], scene: Scene) -> Scene {
    let mut scene = repeated(SIDE, Law::linear(1e6, 0.3), scene).barrier(1e-4, 1e4);
    for (name, way) in [("even", 0.0), ("odd", 0.5)] {
        let place = at.map(|at| SIDE * (at + way).rem_euclid(1.0));
        let disc = Body::rigid(name, Circle::new(RADIUS), STONE);
        scene = scene.with_body(disc.at(place));
    }
    scene
}

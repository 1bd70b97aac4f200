//! Upsetting: a billet between two rough plates, by the slab method.
//!
//! A billet without hardening, twice as wide as high, flows outwards on both sides of its middle. Plates with the
//! coefficient of friction `mu` hold it back, so that the pressure grows towards the middle. Equilibrium of a
//! slice of the width `w` and the height `h` gives the mean pressure
//!
//! `p / 2k = 1 + mu w / (2 h)`, `2k = 2 Y / sqrt 3`,
//!
//! to first order in `mu`, in plane strain. The billet is free: nothing holds it before the plates arrive in the
//! second increment, and afterwards only friction that slides to both sides.

use crate::pressure::{pressed, total};
use crate::scenes::{Exact, RUBBER, statics};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::material::Metal;
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "plastic_upset",
    title: "Upsetting: a billet between rough plates",
    proves: "Friction raises the pressure of flow, and holds a body that slides on it to both sides.",
    formula: "p = 2 Y / sqrt 3 (1 + mu w / (2 h))",
    source: "Hosford and Caddell, Metal Forming, chapter on slab analysis",
    weight: Weight::Quick,
    run,
};

/// The metal: moduli and stresses in Pa.
const METAL: Metal = Metal {
    young: 7e10,
    poisson: 0.3,
    yield_stress: 1e8,
    hardening: 0.0,
};
/// Width and height (m), and cells along them.
const SIZE: [f64; 2] = [0.02, 0.01];
const CELLS: [usize; 2] = [16, 8];
/// Gap at the start and motion of each plate (m), and increments.
const GAP: f64 = 2e-5;
const TRAVEL: f64 = 3e-4;
const STEPS: usize = 12;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("friction", "pressure / 2k"));
    let height = SIZE[1] - 2.0 * (TRAVEL - GAP);
    // Flow keeps the area.
    let width = SIZE[0] * SIZE[1] / height;
    let slab = |friction: f64| 1.0 + 0.5 * friction * width / height;
    outcome.plot.curve("slab method", [0.0, 0.2], slab);

    let twice_shear = 2.0 * METAL.yield_stress / 3.0_f64.sqrt();
    let mut found = Vec::new();
    for friction in [0.05, 0.1, 0.15] {
        let pressure = upset(friction)? / (width * twice_shear);
        let name = format!("pressure / 2k with friction {friction}");
        outcome.relative(name, "1", slab(friction), pressure, 0.02);

        found.push([friction, pressure]);
    }
    outcome.plot.points("billet", found);
    Ok(outcome)
}

/// Force of a plate on the billet at the end (N for a thickness of 1 m).
fn upset(friction: f64) -> Result<f64, Error> {
    let billet = Body::deformable("billet", Rectangle::new(SIZE, CELLS), RUBBER).quadratic();
    let mut scene = statics(STEPS)
        .weightless()
        .with_material(RUBBER, Material::new(2700.0, Law::j2(METAL)))
        .with_body(billet)
        .with_friction(friction);

    // Plates that come nearer by the same.
    for (name, up) in [("top", 1.0), ("bottom", -1.0)] {
        let plane = HalfPlane::new([0.0, -up], [0.0, up * (0.5 * SIZE[1] + GAP)]);
        scene = scene.with_obstacle(Obstacle::new(name, plane).with_velocity([0.0, -up * TRAVEL]));
    }

    let mut simulation = Simulation::new(scene)?;
    simulation.run(STEPS)?;
    // Both plates press.
    Ok(0.5 * total(&pressed(&simulation, "billet")?))
}

//! A rigid flat punch on a metal without hardening: Prandtl's limit load.
//!
//! In plane strain a half-plane that yields at the stress `Y` (von Mises) carries the pressure
//! `p = (2 + pi) k = (2 + pi) Y / sqrt 3 = 2.9685 Y` under a punch and no more, with friction and without.
//!
//! Half of the half-plane is a block of five half-widths `a` by three and a half, on rollers where symmetry
//! has them; the fields of Hill and Prandtl reach to `2 a` and `3 a`. Quadratic triangles do not lock. At the
//! corner displacements of a mesh cannot jump, which costs about `0.2 h / a` of the pressure for cells of the
//! size `h`: with 4, 6 and 8 cells under half of the punch the pressure is judged to 5 %, and extrapolated
//! to `h = 0` to 1.5 %.

use crate::pressure::{pressed, total};
use crate::scenes::{Exact, RUBBER, statics};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::material::Metal;
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "plastic_punch",
    title: "Prandtl: a flat punch on a perfectly plastic half-plane",
    proves: "A punch sinks into a metal at the limit load of slip-line theory, pressed on by contact.",
    formula: "p = (2 + pi) Y / sqrt 3",
    source: "Prandtl 1920; Hill 1950, The Mathematical Theory of Plasticity, chapter IX",
    weight: Weight::Full,
    run,
};

/// The metal: moduli and stresses in Pa.
const METAL: Metal = Metal {
    young: 1e10,
    poisson: 0.3,
    yield_stress: 1e6,
    hardening: 0.0,
};
/// Sizes of the block (m), for a punch of the half-width 1 m.
const SIZE: [f64; 2] = [5.0, 3.5];
/// Reach of the barrier and displacement of the punch (m), and increments.
const D_HAT: f64 = 1e-5;
const TRAVEL: f64 = 0.003;
const STEPS: usize = 12;

fn run() -> Result<Outcome, Error> {
    let limit = (2.0 + std::f64::consts::PI) / 3.0_f64.sqrt();
    let mut outcome = Outcome::new(Plot::new("displacement / a", "pressure / Y"));
    outcome.plot.curve("limit", [0.0, TRAVEL], |_| limit);

    let mut last = Vec::new();
    for cells in [4, 6, 8] {
        let pressures = sunk(cells)?;
        let collapse = pressures.last().map_or(f64::NAN, |at| at[1]);
        let name = format!("pressure at collapse / Y, {cells} cells");
        outcome.relative(name, "1", limit, collapse, 0.05);
        outcome.plot.points(format!("{cells} cells"), pressures);
        last.push(collapse);
    }
    // Errors are in proportion to the size of cells.
    let extrapolated = 2.0 * last[2] - last[0];
    let name = "pressure at collapse / Y, extrapolated from 4 and 8 cells";
    outcome.relative(name, "1", limit, extrapolated, 0.015);
    Ok(outcome)
}

/// Displacement of the punch (m) and mean pressure over the yield stress at the end of each increment,
/// with this number of cells in half of the punch.
fn sunk(cells: usize) -> Result<Vec<[f64; 2]>, Error> {
    let [width, depth] = SIZE;
    let count = SIZE.map(|size| {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "some dozens"
        )]
        let count = (size * cells as f64) as usize;
        count
    });
    let mut body = Body::deformable("body", Rectangle::new(SIZE, count), RUBBER)
        .quadratic()
        .at([0.5 * width, -0.5 * depth])
        .with_prescribed(Prescribed::held(Selection::side(Side::Bottom)));
    for side in [Side::Left, Side::Right] {
        let mut held = Prescribed::held(Selection::AllOf(vec![
            Selection::side(side),
            Selection::Not(Box::new(Selection::side(Side::Bottom))),
        ]));
        held.axis = Some(Axis::X);
        body = body.with_prescribed(held);
    }
    let punch = vec![[-1.0, 0.0], [1.0, 0.0], [1.0, 1.0], [-1.0, 1.0]];
    let punch = Obstacle::new("punch", Outline::new(punch))
        .at([0.0, D_HAT])
        .with_velocity([0.0, -TRAVEL - D_HAT]);
    let scene = statics(STEPS)
        .weightless()
        .barrier(D_HAT, METAL.young)
        .with_material(RUBBER, Material::new(1000.0, Law::j2(METAL)))
        .with_body(body)
        .with_obstacle(punch);

    let mut simulation = Simulation::new(scene)?;
    let mut found = Vec::with_capacity(STEPS);
    for _ in 0..STEPS {
        simulation.step()?;
        let force = total(&pressed(&simulation, "body")?);
        let down = simulation.time() * TRAVEL;
        found.push([down, force / METAL.yield_stress]);
    }
    Ok(found)
}

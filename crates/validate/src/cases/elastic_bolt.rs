//! A bolt that is tightened, and then loaded: the joint diagram.
//!
//! A shank of the stiffness `k_b` and what it clamps, of the stiffness `k_c`, are one bar between two walls. Tightened
//! to the force `F`, the shank is shorter by
//!
//! `s = F (1 / k_b + 1 / k_c)`, with `k = E A / L` of each,
//!
//! and a load `P` where both meet, after the length is locked, changes the force in the shank by its share
//! `P k_b / (k_b + k_c)`. With Poisson's ratio 0 and small strains the bar is that of the formula.

use crate::scenes::{Exact, statics};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim::quantities::{Moment, of_body};
use ipcsim::scene::schema::{Elements, Plane, Preload, Region, Where};
use std::f64::consts::PI;

pub(super) const CASE: Case = Case {
    name: "elastic_bolt",
    title: "A bolt that is tightened to a force, and then loaded",
    proves: "A section that is tightened has the force that is wanted, the length of the formula, and the share of later loads.",
    formula: "s = F (1/k_b + 1/k_c), dF = P k_b/(k_b + k_c)",
    source: "VDI 2230 part 1; Shigley, Mechanical Engineering Design, chapter 8",
    weight: Weight::Quick,
    run,
};

/// Radius or half of the width, length of the shank, and of what it clamps (m).
const HALF: f64 = 0.01;
const LENGTHS: [f64; 2] = [0.04, 0.06];
/// Young's moduli of both (Pa).
const YOUNG: [f64; 2] = [2e11, 7e10];
/// Force and load, as strains of the shank (1).
const STRAINS: [f64; 2] = [1e-5, 4e-6];

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("load P (N)", "force in the shank (N)"));
    for (plane, elements, name) in [
        (Plane::Stress, Elements::Linear, "plane stress"),
        (
            Plane::Strain,
            Elements::Quadratic,
            "plane strain, quadratic",
        ),
        (Plane::Axisymmetric, Elements::Linear, "full turn"),
    ] {
        let area = match plane {
            Plane::Axisymmetric => PI * HALF * HALF,
            _ => 2.0 * HALF,
        };
        let [shank, clamped] = [0, 1].map(|k| YOUNG[k] * area / LENGTHS[k]);
        let [force, load] = STRAINS.map(|strain| strain * YOUNG[0] * area);
        let mut simulation = Simulation::new(bar(plane, elements, [force, load]))?;

        // Tightened, and then loaded.
        simulation.run(2)?;
        let [tightened, length] = ["tension", "shortening"].map(|name| of_bolt(&simulation, name));
        simulation.run(2)?;
        let loaded = of_bolt(&simulation, "tension");
        let named = |what: &str| format!("{what}, {name}");
        let expected = force * (1.0 / shank + 1.0 / clamped);
        let share = load * shank / (shank + clamped);
        outcome.relative(named("force"), "N", force, tightened, 2e-6);
        outcome.relative(named("shortening"), "m", expected, length, 1e-4);
        outcome.relative(
            named("share of the load"),
            "N",
            share,
            loaded - tightened,
            1e-3,
        );
        if plane == Plane::Axisymmetric {
            let line = |load: f64| force + load * shank / (shank + clamped);
            outcome.plot.curve("springs", [0.0, load], line);
            outcome
                .plot
                .points("measured", vec![[0.0, tightened], [load, loaded]]);
        }
    }
    Ok(outcome)
}

/// Value of a quantity of the bolt; NaN if it has none.
fn of_bolt(simulation: &Simulation, name: &str) -> f64 {
    let bolt = simulation.body("bolt").ok();
    let moment = Moment::of(simulation.world(), simulation.state());
    let value = of_body(name).zip(bolt);
    let value = value.and_then(|(quantity, bolt)| quantity.at_body(&moment, bolt.body()));
    value.unwrap_or(f64::NAN)
}

/// A bar between two walls along y: a shank below and what it clamps above. It is tightened to a force (N) in
/// 1 s, and then loaded where both meet.
fn bar(plane: Plane, elements: Elements, [force, load]: [f64; 2]) -> Scene {
    // A body of revolution begins at its axis.
    let (width, left) = match plane {
        Plane::Axisymmetric => (HALF, 0.0),
        _ => (2.0 * HALF, -HALF),
    };
    let [shank, clamped] = LENGTHS;
    let whole = shank + clamped;
    let material = |k: usize| Material::new(7850.0, Law::linear(YOUNG[k], 0.0));

    // The shape counts from its middle. The section is in the middle of the shank.
    let section = 0.5 * (shank - whole);
    let soft = format!("y - {}", shank - 0.5 * whole);
    let preload = Preload::new(
        [[-1.0, section], [1.0, section]],
        format!("{force} * min(t, 1)").as_str(),
    );
    let mut bolt = Body::deformable("bolt", Rectangle::new([width, whole], [4, 20]), "steel")
        .at([left + 0.5 * width, 0.5 * whole])
        .with_region(Region::new("soft", Where::Positive(soft)))
        .tightened(preload.locked_at(1.0));
    bolt.elements = elements;
    let row = |y: f64| Selection::within([-1.0, y - 1e-6], [1.0, y + 1e-6]);
    for y in [0.0, whole] {
        let mut held = Prescribed::held(row(y));
        held.axis = (plane == Plane::Axisymmetric || y > 0.0).then_some(Axis::Y);
        bolt = bolt.with_prescribed(held);
    }
    let pull = format!("{load} * max(t - 1, 0)");
    let pull = [Varying::from(0.0), Varying::from(pull.as_str())];

    let mut scene = statics(2)
        .weightless()
        .with_material("steel", material(0))
        .with_material("soft", material(1))
        .with_body(bolt)
        .with_load(Load::force("bolt", pull).on(row(shank)));
    scene.time.steps = 4;
    scene.plane = plane;
    scene
}

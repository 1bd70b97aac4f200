//! A heavy strip that a force lifts off a floor by its end.
//!
//! A strip of the weight `q` per length and the bending stiffness `EI` lies on a floor, and a force `F`
//! lifts its end. Where the strip leaves the floor it has neither slope nor curvature, so that the floor
//! gives the force `q l / 2` there, and `q` per length behind:
//!
//! `l = 2 F / q` is lifted, the end rises by `2 F^4 / (3 q^3 EI)`.
//!
//! The floor's concentrated force, which is `F` as well, is at the vertex with the largest force. It is
//! the force within `l / 4` of that place, less the weight of the part that lies there. Place, force and height are
//! judged to 1 % for three forces; the height goes as the fourth power of `F / q`.

use crate::scenes::{Exact, G, STONE, ground, statics};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::{Displaced, ElasticRod};

pub(super) const CASE: Case = Case {
    name: "rod_strip",
    title: "A heavy strip that is lifted off a floor",
    proves: "A strip leaves the floor where its slope and curvature vanish, with the concentrated force of beam theory there.",
    formula: "l = 2 F / q, height 2 F^4 / (3 q^3 EI)",
    source: "Timoshenko and Gere 1961; equilibrium of a beam with a free boundary of contact",
    weight: Weight::Quick,
    run,
};

/// Length (m), segments, weight of a length (N/m), axial (N) and bending stiffness (N m^2): slopes are
/// below 0.01.
const LENGTH: f64 = 5.0;
const SEGMENTS: usize = 500;
const WEIGHT: f64 = 1.0;
const AXIAL: f64 = 1e6;
const BENDING: f64 = 100.0;
/// Reach (m) and stiffness (Pa) of the barrier.
const D_HAT: f64 = 2e-6;
const KAPPA: f64 = 100.0;
/// Forces that lift the end (N).
const FORCES: [f64; 3] = [0.6, 0.8, 1.0];

/// Judges lifted length, height and concentrated force to 1 %.
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("x (m)", "height (m)"));
    let mut simulation = Simulation::new(scene())?;
    for force in FORCES {
        simulation.step()?;
        let length = 2.0 * force / WEIGHT;
        let height = 2.0 * force.powi(4) / (3.0 * WEIGHT.powi(3) * BENDING);
        let shape = |x: f64| {
            let along = x.max(0.0);
            let parts = force * along.powi(3) / 6.0 - WEIGHT * along.powi(4) / 24.0;
            parts / BENDING
        };
        let from = LENGTH - length;
        let label = format!("F = {force} N");
        outcome
            .plot
            .curve(label, [2.0, LENGTH], |x| shape(x - from));

        // The floor from the end that lies on it.
        let floor: Vec<[f64; 2]> = simulation
            .contacts()
            .map(|contact| [contact.point.x, contact.normal_force])
            .collect();
        let strongest = floor.iter().max_by(|a, b| a[1].total_cmp(&b[1]));
        let leaves = strongest.map_or(f64::NAN, |part| part[0]);
        let lifted = LENGTH - leaves;
        let near = floor
            .iter()
            .filter(|part| (part[0] - leaves).abs() < 0.25 * length);
        let [sum, farthest] = near.fold([0.0, leaves], |[sum, farthest], part| {
            [sum + part[1], part[0].min(farthest)]
        });
        let behind = leaves - farthest + 0.5 * LENGTH / SEGMENTS as f64;
        let concentrated = sum - behind * WEIGHT;

        let x = simulation.body("strip")?.x();
        let rise = x[SEGMENTS].y - x[0].y;
        let named = |name: &str| format!("{name}, F = {force} N");
        outcome.relative(named("lifted length"), "m", length, lifted, 0.01);
        outcome.relative(named("height of the end"), "m", height, rise, 0.01);
        outcome.relative(
            named("force where it leaves the floor"),
            "N",
            force,
            concentrated,
            0.01,
        );
        let points = x.iter().step_by(10).map(|x| [x.x, x.y]);
        outcome
            .plot
            .points(format!("measured, {force} N"), points.collect());
    }
    Ok(outcome)
}

/// A strip at its gap at rest on the ground, whose end a force lifts that takes its values in turn.
fn scene() -> Scene {
    let line = Polyline::open(vec![[0.0, 0.7 * D_HAT], [LENGTH, 0.7 * D_HAT]]);
    let rod = ElasticRod::of_stiffness(AXIAL, BENDING, WEIGHT / G);
    let mut held = Prescribed::held(Selection::Indices(vec![0]));
    held.displacement = Some(Displaced {
        x: Some(0.0.into()),
        y: None,
    });
    let strip = Body::rod("strip", rod, line.divided(SEGMENTS), STONE).with_prescribed(held);

    let count = FORCES.len();
    let times = (0..=count).map(|k| k as f64 / count as f64);
    let values = std::iter::once(0.0).chain(FORCES);
    let lift = Varying::Table(Table {
        times: times.collect(),
        values: values.collect(),
    });
    let end = Selection::Indices(vec![SEGMENTS]);
    statics(count)
        .with_gravity([0.0, -G])
        .barrier(D_HAT, KAPPA)
        .with_body(strip)
        .with_obstacle(ground())
        .with_load(Load::force("strip", [0.0.into(), lift]).on(end))
}

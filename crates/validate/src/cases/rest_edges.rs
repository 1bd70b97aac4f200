//! Gap of a block at rest where contact is integrated along edges, on floors that are described in
//! different ways.
//!
//! Where contact is integrated along edges, a flat side at the gap `g` has the same pressure at all
//! of its points, and the weight per width, `rho g H` for a block of the height `H`, fixes it. With
//! the inverse barrier, `b = kappa d_hat (1 - s)^3 / s` with `s = gap / d_hat`, the pressure is
//! `-db/dg = kappa (1 - s)^2 (1 + 2 s) / s^2`. The root `s` is found by bisection.
//!
//! The quantity is the depth of the block in the barrier, `1 - s`, to 2e-3, which is stricter than
//! the gap where that is nearly `d_hat`.

use crate::formulas::{pressure, root};
use crate::scenes::{DENSITY, Exact, G, STONE, after, ground, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::contact::ContactModel;
use ipcsim::contact::barrier::BarrierShape;
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "rest_edges",
    title: "Gap at rest, contact along edges, on four floors",
    proves: "Forces do not depend on the vertices that describe a flat side, nor on a block's height.",
    formula: "(1 - s)^2 (1 + 2 s) / s^2 = rho g H / kappa with s = gap / d_hat",
    source: "Statics; Li et al. 2023, section 5, as an integral",
    weight: Weight::Quick,
    run,
};

/// Width of the block, reach of the barrier (m); stiffness of the barrier (Pa).
const WIDTH: f64 = 1.0;
const D_HAT: f64 = 1e-3;
const KAPPA: f64 = 1e5;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("gap / d_hat", "pressure / kappa"));
    let formula = |s| pressure(BarrierShape::Inverse, s);
    outcome.plot.curve("inverse", [0.4, 1.0], formula);
    for (name, floor) in floors() {
        let mut measured = Vec::new();
        for height in [0.1, 0.5, 2.0] {
            let share = DENSITY * G * height / KAPPA;
            let expected = root([1e-9, 1.0], |s| formula(s) - share);
            let gap = gap(floor.clone(), height)? / D_HAT;
            let label = format!("penetration / d_hat, {name}, height {height} m");
            outcome.relative(label, "1", 1.0 - expected, 1.0 - gap, 2e-3);
            measured.push([gap, share]);
        }
        outcome.plot.points(name, measured);
    }
    Ok(outcome)
}

/// The same floor as a half-plane, one edge, a box and many edges.
fn floors() -> [(&'static str, Obstacle); 4] {
    let edges = |count: u32| {
        let place = |k: u32| [8.0 * f64::from(k) / f64::from(count) - 4.0, 0.0];
        Polyline::open((0..=count).map(place).collect())
    };
    [
        ("half-plane", ground()),
        ("one edge", Obstacle::new("floor", edges(1))),
        (
            "box",
            Obstacle::new("floor", Rectangle::new([8.0, 1.0], [1, 1])).at([0.0, -0.5]),
        ),
        // 583 edges put the corners of the block between two vertices of the floor.
        ("583 edges", Obstacle::new("floor", edges(583))),
    ]
}

/// Gap (m) of a block of this height (m) on a floor.
fn gap(floor: Obstacle, height: f64) -> Result<f64, Error> {
    let block = Body::rigid("block", Rectangle::new([WIDTH, height], [1, 1]), STONE);
    let mut scene = scene(0.02, 150)
        .barrier(D_HAT, KAPPA)
        .with_body(block.at([0.0, 0.5 * height + 0.8 * D_HAT]))
        .with_obstacle(floor);
    scene.contact.model = ContactModel::Edges;
    let simulation = after(scene, 150)?;
    Ok(simulation.body("block")?.centre().y - 0.5 * height)
}

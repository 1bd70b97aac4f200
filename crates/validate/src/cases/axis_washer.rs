//! Bodies of revolution: a Belleville washer pressed flat.
//!
//! Almen and Laszlo turn the section as a rigid one, so that strains are those around the axis. That
//! holds for a narrow, thin and shallow washer, and without contraction: their factor `1 - nu^2` belongs to
//! a plate that is held sideways. So Poisson's ratio is 0 here, the radii are as 5 to 4, and the force is
//! judged to 2 % over the whole way. It falls behind the linear one by half.

use crate::perturb::simulated;
use crate::turned::{grid, on_y, section, turned};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::math::Vec2;
use ipcsim::prelude::*;
use ipcsim::scene::schema::Selection;

pub(super) const CASE: Case = Case {
    name: "axis_washer",
    title: "Bodies of revolution: a Belleville washer",
    proves: "A disc spring has the force of Almen and Laszlo until it is flat, a large rotation of its section.",
    formula: "P = E d/(M a^2) ((h - d)(h - d/2) t + t^3), M = 6/(pi ln q) ((q - 1)/q)^2, q = a/b",
    source: "Almen and Laszlo 1936, The Uniform-Section Disk Spring, Transactions of the ASME 58",
    weight: Weight::Quick,
    run,
};

/// Radii (m), height of the cone and thickness (m), Young's modulus (Pa), number of increments.
const RADII: [f64; 2] = [0.08, 0.1];
const HEIGHT: f64 = 1e-3;
const THICKNESS: f64 = 8e-4;
const YOUNG: f64 = 2e11;
const INCREMENTS: usize = 4;

/// Force (N) at a deflection (m).
fn force(d: f64) -> f64 {
    let [b, a] = RADII;
    let ratio = a / b;
    let share = (ratio - 1.0) / ratio;
    let m = 6.0 / std::f64::consts::PI / ratio.ln() * share * share;
    let bent = (HEIGHT - d) * (HEIGHT - 0.5 * d) * THICKNESS + THICKNESS.powi(3);
    YOUNG * d / (m * a * a) * bent
}

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("deflection (m)", "force (N)"));
    outcome.plot.curve("Almen and Laszlo", [0.0, HEIGHT], force);
    let [b, a] = RADII;
    let mesh = grid([16, 1], true, |s| {
        let along = HEIGHT * (1.0 - s.x) + THICKNESS * s.y;
        Vec2::new(b + (a - b) * s.x, along)
    });
    let near = 1e-3 * THICKNESS;
    let mut pushed = Prescribed::moved(
        Selection::disk([b, HEIGHT + THICKNESS], near),
        [0.0, -HEIGHT],
    );
    pushed.axis = Some(Axis::Y);
    let body = section(mesh)
        .with_prescribed(on_y(Selection::disk([a, 0.0], near)))
        .with_prescribed(pushed);
    let scene = turned(INCREMENTS, Law::st_venant_kirchhoff(YOUNG, 0.0)).with_body(body);
    let mut simulation = simulated(scene)?;

    let mut points = Vec::new();
    for k in 1..=INCREMENTS {
        simulation.step()?;
        let d = HEIGHT * k as f64 / INCREMENTS as f64;
        let reactions = simulation.reactions();
        let found = reactions.map(|own| own.force.y).fold(0.0, f64::max);
        let percent = 100 * k / INCREMENTS;
        outcome.relative(
            format!("force at {percent} % of the way"),
            "N",
            force(d),
            found,
            0.02,
        );
        points.push([d, found]);
    }
    outcome.plot.points("measured", points);
    Ok(outcome)
}

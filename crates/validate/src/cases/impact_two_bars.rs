//! A bar that hits an equal bar, which is clamped at its far end.
//!
//! A bar of the length `L` flies at `v` against an equal one at rest. Waves of the speed `c = sqrt(E / rho)`
//! make a stress of `rho c v / 2` on both sides of the contact, and return from the free end as waves of
//! release and from the clamp as waves of twice the stress. The stress at the contact stays
//! `rho c v / 2` through all of that, for `4 L / c`; then the first bar leaves with `-v`, and the second is at
//! rest.
//!
//! The numbers are those of the case SDNL111 of `Code_Aster`. The time of contact, the force from 20 % to 80 % of it and
//! the velocity afterwards are judged to 1 %. The integrator is `tr_bdf2`, which smears the fronts of waves
//! by a few steps.

use crate::scenes::{Exact, RUBBER, force_between, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "impact_two_bars",
    title: "A bar hits an equal bar that is clamped",
    proves: "Two bars touch for two passages of a wave through both, under a constant stress, and part with the velocity reversed.",
    formula: "contact 4 L / c, stress rho c v / 2, velocity -v after",
    source: "Code_Aster V5.02.111, SDNL111; Saint-Venant 1867",
    weight: Weight::Full,
    run,
};

/// Length and height of a bar (m), Young's modulus (Pa), density (kg/m^3), velocity (m/s).
const LENGTH: f64 = 1.0;
const HEIGHT: f64 = 0.02;
const YOUNG: f64 = 2e11;
const DENSITY: f64 = 7800.0;
const VELOCITY: f64 = 100.0;
/// Gap at the start and reach of the barrier (m), cells of a bar, steps in `L / c`.
const GAP: f64 = 2e-3;
const D_HAT: f64 = 1e-3;
const CELLS: usize = 150;
const STEPS: f64 = 300.0;

fn run() -> Result<Outcome, Error> {
    let speed = (YOUNG / DENSITY).sqrt();
    let contact = 4.0 * LENGTH / speed;
    let force = 0.5 * DENSITY * speed * VELOCITY * HEIGHT;
    let h = LENGTH / speed / STEPS;
    let mut outcome = Outcome::new(Plot::new("time (s)", "force (N)"));
    outcome
        .plot
        .curve("rho c v A / 2", [0.0, contact], |_| force);

    let mut simulation = Simulation::new(scene_of(h))?;
    let mut forces = Vec::new();
    while simulation.time() < 1.3 * contact {
        simulation.step()?;
        let own = force_between(&simulation, "second", "first").x;
        forces.push([simulation.time(), own]);
    }
    let touching = forces.iter().filter(|at| at[1] > 0.5 * force);
    let times: Vec<f64> = touching.map(|at| at[0]).collect();
    let [first, last] = [times.first(), times.last()].map(|at| at.copied().unwrap_or(f64::NAN));
    outcome.relative("time of contact", "s", contact, last - first + h, 0.01);
    let steady = forces
        .iter()
        .filter(|at| (0.2..0.8).contains(&((at[0] - first) / contact)));
    let steady: Vec<f64> = steady.map(|at| at[1]).collect();
    let mean = steady.iter().sum::<f64>() / steady.len() as f64;
    outcome.relative("force during contact", "N", force, mean, 0.01);
    let after = simulation.body("first")?.velocity().x;
    outcome.relative("velocity afterwards", "m/s", -VELOCITY, after, 0.01);
    outcome.plot.points("measured", forces);
    Ok(outcome)
}

/// Both bars, with steps of `h` (s).
fn scene_of(h: f64) -> Scene {
    let bar = |name: &str, x: f64| {
        let shape = Rectangle::new([LENGTH, HEIGHT], [CELLS, 1]);
        Body::deformable(name, shape, RUBBER).at([x, 0.0])
    };
    let first = bar("first", -0.5 * (LENGTH + GAP)).with_velocity([VELOCITY, 0.0]);
    let second = bar("second", 0.5 * (LENGTH + GAP));
    let clamp = Prescribed::held(Selection::side(Side::Right));
    let mut scene = scene(h, 1)
        .weightless()
        .tolerance(1e-4)
        .with_material(RUBBER, Material::new(DENSITY, Law::linear(YOUNG, 0.0)))
        .barrier(D_HAT, 100.0 * YOUNG)
        .with_body(first)
        .with_body(second.with_prescribed(clamp));
    scene.time = scene.time.by(Scheme::TrBdf2);
    scene
}

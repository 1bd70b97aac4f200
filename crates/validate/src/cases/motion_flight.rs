//! Free flight of every kind of body.
//!
//! Implicit Euler has the speed `v_y - g h k` after step `k` and moves by it. The sum of `n` steps
//! is `v_y t - g h^2 n (n + 1) / 2` with `t = n h`: the parabola, less `g h t / 2`, which is 5 cm
//! here.
//!
//! The expected value is this sum and not the parabola, so that what remains is rounding: 1e-11 m.
//! Centres of affine and deformable bodies follow the same sum, because inner forces do not move
//! them.

use crate::formulas::implicit_travel;
use crate::scenes::{Exact, G, RUBBER, STONE, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "motion_flight",
    title: "Projectile, all kinds of bodies",
    proves: "Free flight is the closed form of implicit Euler to rounding, for each kind of body.",
    formula: "x = v_x t, y = v_y t - g h^2 n (n + 1)/2",
    source: "Sum of the series of implicit Euler",
    weight: Weight::Quick,
    run,
};

/// Initial velocity (m/s), step (s), number of steps.
const VELOCITY: [f64; 2] = [3.0, 5.0];
const H: f64 = 0.01;
const STEPS: usize = 100;

/// Throws a square of each kind, and judges its centre after 1 s.
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("x (m)", "y (m)"));
    outcome.plot.curve("parabola", [0.0, 3.0], |x| {
        let t = x / VELOCITY[0];
        VELOCITY[1] * t - 0.5 * G * t * t
    });

    let time = H * STEPS as f64;
    let expected = [
        VELOCITY[0] * time,
        VELOCITY[1] * time - implicit_travel(G, H, STEPS),
    ];
    for (label, kind, material) in [
        ("rigid", Kind::Rigid, STONE),
        ("affine", Kind::Affine(Affine::default()), STONE),
        ("deformable", Kind::Deformable, RUBBER),
    ] {
        let body = Body::new("body", kind, Square::new(0.2, 2), material).with_velocity(VELOCITY);
        let scene = scene(H, STEPS)
            .elastic(Law::neo_hookean(1e6, 0.3))
            .with_body(body);
        let mut simulation = Simulation::new(scene)?;
        let mut path = Vec::new();
        for _ in 0..STEPS {
            simulation.step()?;
            let centre = simulation.body("body")?.centre();
            path.push([centre.x, centre.y]);
        }

        let got = path[STEPS - 1];
        for (k, axis) in ["x", "y"].into_iter().enumerate() {
            let name = format!("{axis} after 1 s, {label}");
            outcome.absolute(name, "m", expected[k], got[k], 1e-11);
        }
        outcome.plot.points(label, path);
    }
    Ok(outcome)
}

//! A block on a slope that Coulomb friction just holds, and one that it just does not hold.
//!
//! A contact that sticks holds by the elastic slip since it began to stick, so that nothing creeps.
//! All numbers of contact are the defaults, at three sizes.
//!
//! `t` is the angle of the slope. Friction holds while `tan t < mu`. Sizes from 1 mm to 1 km have
//! time steps with the square root of the size and moduli with the size, so that all are the same
//! problem in their own units, and a number with a fixed unit among the defaults would show.

use crate::scenes::{DENSITY, G, RUBBER, after, on_slope, slope};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "friction_anchors",
    title: "A held block stays where it is, a freed one slides",
    proves: "By default what sticks does not creep, at any size, and what slides has Coulomb's acceleration.",
    formula: "mu = 1.02 tan t: v = 0; mu = .98 tan t: a = g (sin t - mu cos t)",
    source: "Coulomb friction on an inclined plane; Prandtl 1928, a spring and a slider in series",
    weight: Weight::Full,
    run,
};

/// Tangent of the slope (1).
const TANGENT: f64 = 0.5;

/// Steps until the block is at rest, also a soft one that rocks when it is let go, and steps in
/// which it must not move.
const SETTLING: usize = 2000;
/// Steps in which a block that friction holds must not move.
const RESTING: usize = 1000;

/// Steps of a block that slides; its acceleration is that of the second half.
const SLIDING: usize = 800;

/// Judges the drift of a held block, 1e-9 of its size in 1000 steps, and the acceleration of a
/// freed one to 1e-3.
///
/// With `mu = .98 tan t` friction takes 98 % of the driving force: an error of friction of 1e-3
/// would change the acceleration by 5 %. The acceleration is that of the second half of the slide,
/// so that the start has no part in it.
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("time (s) / sqrt(size / 1 m)", "speed / (a t)"));
    outcome
        .plot
        .line("closed form", vec![[0.0, 1.0], [1.0, 1.0]]);
    for kind in [Kind::Rigid, Kind::Deformable] {
        let label = if kind == Kind::Rigid {
            "rigid"
        } else {
            "deformable"
        };
        for size in [1e-3, 1.0, 1e3] {
            let drift = drift(kind, size)? / size;
            let name = format!("drift in {RESTING} steps / size, {label}, {size} m");
            outcome.absolute(name, "1", 0.0, drift, 1e-9);
        }

        let speeds = speeds(kind)?;
        // With mu = .98 tan t the acceleration is g (sin t - .98 sin t).
        let expected = G * (1.0 - 0.98) * TANGENT.atan().sin();
        let [first, last] = [speeds[SLIDING / 2], speeds[SLIDING - 1]];
        let got = (last[1] - first[1]) / (last[0] - first[0]);
        let name = format!("acceleration, {label}, mu .98 tan t");
        outcome.relative(name, "m/s^2", expected, got, 1e-3);
        let shares = speeds.iter().map(|&[t, v]| [t, v / (expected * t)]);
        outcome.plot.points(label, shares.collect());
    }
    Ok(outcome)
}

/// A block of this size (m) on a slope, with a coefficient of friction that is a multiple of the
/// slope's tangent. The time step follows the size, as falling does.
fn block(kind: Kind, size: f64, share: f64) -> Scene {
    let angle = TANGENT.atan();
    let h = 0.01 * size.sqrt();
    let mut scene = Scene::new(Time::new(h, SETTLING + RESTING))
        .with_material(
            RUBBER,
            Material::new(DENSITY, Law::neo_hookean(1e6 * size, 0.3)),
        )
        .with_body(
            Body::new("block", kind, Square::new(size, 4), RUBBER)
                .at(on_slope(
                    angle,
                    0.0,
                    size * (0.5 + 0.9 * 5e-3 * f64::sqrt(2.0)),
                ))
                .rotated(-angle.to_degrees()),
        )
        .with_obstacle(slope(angle))
        .with_friction(share * TANGENT);
    // The tolerance follows the speed that a step of free fall gains, as all else does the size.
    scene.solver.tolerance = Some(1e-8 * G * h);
    scene
}

/// Farthest way (m) of a vertex of a block that friction holds, after it has settled.
fn drift(kind: Kind, size: f64) -> Result<f64, Error> {
    let mut simulation = after(block(kind, size, 1.02), SETTLING)?;
    let before = simulation.body("block")?.x().to_vec();
    simulation.run(RESTING)?;
    let after = simulation.body("block")?;
    let ways = after
        .x()
        .iter()
        .zip(&before)
        .map(|(x, was)| (x - was).norm());
    Ok(ways.fold(0.0, f64::max))
}

/// Times (s) and speeds (m/s) of a block that friction does not hold.
fn speeds(kind: Kind) -> Result<Vec<[f64; 2]>, Error> {
    let mut simulation = Simulation::new(block(kind, 1.0, 0.98))?;
    let mut speeds = Vec::new();
    for _ in 0..SLIDING {
        simulation.step()?;
        let speed = simulation.body("block")?.velocity().norm();
        speeds.push([simulation.time(), speed]);
    }
    Ok(speeds)
}

//! Friction in an oblique impact.
//!
//! A disk flies at the ground with 10 m/s along it and 2 m/s towards it, without gravity. While it
//! slides, friction is `mu N` at each instant, so that the impulses have the ratio `mu` however the
//! normal force goes. Friction takes three times `mu` of the change of `v_y` from the slip of a
//! solid disk: even a full rebound at `mu = 0.5` takes 6 m/s of 10 m/s, and the disk never rolls.

use crate::scenes::{Exact, STONE, ground, scene, until};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::math::Vec2;
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "friction_impact",
    title: "Impulses of friction and contact in an oblique impact",
    proves: "In an impact with sliding the impulse of friction is mu times the normal impulse, at any step.",
    formula: "change of v_x / change of v_y = mu",
    source: "Routh 1860: Coulomb friction integrated over an impact",
    weight: Weight::Quick,
    run,
};

/// Judges the ratio of the changes of velocity to 1e-6, rigid and affine, with steps of 10 and 1
/// ms.
///
/// Coulomb's ratio does not depend on the time step, so that both steps have the same tolerance.
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("mu", "ratio of impulses"));
    outcome.plot.curve("mu", [0.0, 0.6], |mu| mu);

    for (label, kind) in [
        ("rigid", Kind::Rigid),
        ("affine", Kind::Affine(Affine::default())),
    ] {
        for h in [1e-2, 1e-3] {
            let mut measured = Vec::new();
            for mu in [0.1, 0.3, 0.5] {
                let ratio = ratio(kind, mu, h)?;
                let name = format!("ratio of impulses, {label}, mu {mu}, h {h} s");
                outcome.relative(name, "1", mu, ratio, 1e-6);
                measured.push([mu, ratio]);
            }
            outcome.plot.points(format!("{label}, h {h} s"), measured);
        }
    }
    Ok(outcome)
}

/// Ratio of the changes of velocity of a disk that hits the ground.
fn ratio(kind: Kind, mu: f64, h: f64) -> Result<f64, Error> {
    // Fast enough along the ground to slide to the end of the impact.
    let before = Vec2::new(10.0, -2.0);
    let body = match kind {
        Kind::Rigid => Body::rigid("disk", Circle::new(0.1), STONE),
        _ => Body::new("disk", kind, Disk::new(0.1, 4), STONE),
    };
    let scene = scene(h, 1)
        .weightless()
        .barrier(1e-3, 1e6)
        .rough(mu, 1e-4)
        .with_body(body.at([0.0, 0.12]).with_velocity([before.x, before.y]))
        .with_obstacle(ground());

    let simulation = until(scene, 0.2)?;
    let change = simulation.body("disk")?.velocity() - before;
    Ok(-change.x / change.y)
}

//! Creep of a block that Coulomb friction would hold.
//!
//! Smooth friction has the force `mu N f1(v / eps_v)` with `f1(y) = 2 y - y^2`. It balances the
//! weight along the slope at a small speed instead of none.
//!
//! `N` is the normal force (N), `v` the speed of sliding and `eps_v` that of full friction (m/s).
//! At the slope's angle `t`, `2 y - y^2 = tan t/mu` with `y = v/eps_v` has the root
//! `y = 1 - sqrt(1 - tan t/mu)`, here 0.86: friction is used to 98 %, so that the creep is most of
//! `eps_v`.

use crate::scenes::{Exact, RUBBER, STONE, after, on_slope, scene, slope};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "friction_creep",
    title: "Creep of a block that friction should hold, without anchors",
    proves: "Without anchors a held block creeps with the share of eps_v at which smooth friction balances the slope.",
    formula: "v = eps_v (1 - sqrt(1 - tan t / mu))",
    source: "Li et al. 2020, Incremental Potential Contact, eq. 14: f1(y) = 2 y - y^2 = tan t / mu",
    weight: Weight::Quick,
    run,
};

/// Judges the creep over `eps_v` at three values of it: to 1e-6 for rigid and affine blocks, to
/// 1e-4 for deformable ones.
///
/// The creep is proportional to `eps_v`, so that the plot is a straight line of slope 1.
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::logarithmic("eps_v (m/s)", "creep (m/s)"));
    let share = 1.0 - (1.0 - 0.5 / 0.51_f64).sqrt();
    outcome.plot.line(
        "closed form",
        vec![[1e-6, 1e-6 * share], [1e-2, 1e-2 * share]],
    );

    for (label, kind, material, tolerance) in [
        ("rigid", Kind::Rigid, STONE, 1e-6),
        ("affine", Kind::Affine(Affine::default()), STONE, 1e-6),
        ("deformable", Kind::Deformable, RUBBER, 1e-4),
    ] {
        let mut measured = Vec::new();
        for eps_v in [1e-2, 1e-4, 1e-6] {
            let speed = creep(kind, material, eps_v)?;
            let name = format!("creep / eps_v, {label}, eps_v {eps_v:e} m/s");
            outcome.relative(name, "1", share, speed / eps_v, tolerance);
            measured.push([eps_v, speed]);
        }
        outcome.plot.points(label, measured);
    }
    Ok(outcome)
}

/// Speed (m/s) of a block on a slope of tan 0.5 after 1000 s, with mu 0.51.
fn creep(kind: Kind, material: &str, eps_v: f64) -> Result<f64, Error> {
    let angle = 0.5_f64.atan();
    let block = Body::new("block", kind, Square::new(0.2, 2), material)
        .at(on_slope(angle, 0.0, 0.1 + 0.98e-3))
        .rotated(-angle.to_degrees());
    // The creep settles in milliseconds, so that in steps of 5 s the start has no part in it.
    let scene = scene(5.0, 200)
        .tolerance(1e-12)
        .elastic(Law::neo_hookean(1e6, 0.3))
        .barrier(1e-3, 1e5)
        .rough(0.51, eps_v)
        .creeping()
        .with_body(block)
        .with_obstacle(slope(angle));

    let simulation = after(scene, 200)?;
    Ok(simulation.body("block")?.velocity().norm())
}

//! A shallow truss of two springs that snaps through under a growing force.
//!
//! Springs of stiffness `k` and length `l0` lead from two supports at the distance `b` to a joint at
//! the height `a`. Where the joint has sunk by `w` they have the length `l`, with
//! `l^2 = b^2 + (a - w)^2`, and carry the force `F` (von Mises 1923). The force has a maximum; beyond it
//! the next equilibrium is below the supports, where the springs hang. Statics jumps there by damped
//! motion, and says so.

use crate::formulas::root;
use crate::scenes::{Exact, STONE, holder, statics};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::Springy;
use ipcsim::time::Fallback;

pub(super) const CASE: Case = Case {
    name: "static_snap",
    title: "Statics: a shallow truss snaps through",
    proves: "A structure follows its equilibria up to the limit point, and then jumps to the next one by damped motion, which the report says.",
    formula: "F = 2 k (l0 - l) (a - w) / l",
    source: "von Mises 1923, Ueber die Stabilitaetsprobleme der Elastizitaetstheorie",
    weight: Weight::Quick,
    run,
};

/// Half of the span and height (m), stiffness (N/m), the force at the time 1 s (N), increments.
const SPAN: f64 = 1.0;
const HEIGHT: f64 = 0.2;
const STIFFNESS: f64 = 1000.0;
const MOST: f64 = 4.0;
const INCREMENTS: usize = 10;

/// Force (N) of the truss at a joint that has sunk by `w` (m).
fn force(w: f64) -> f64 {
    let left = HEIGHT - w;
    let rest = SPAN.hypot(HEIGHT);
    let length = SPAN.hypot(left);
    2.0 * STIFFNESS * (rest - length) * left / length
}

/// Judges the way of the joint to 1e-6 at each increment, and that one jump is reported.
///
/// Before the limit point the way is below `0.43 a`, where the force of a shallow truss is largest;
/// after it above `2 a`.
fn run() -> Result<Outcome, Error> {
    let limit = (0..1000).map(|i| force(HEIGHT * f64::from(i) / 1000.0));
    let limit = limit.fold(0.0, f64::max);
    let mut joint = Body::rigid("joint", Circle::new(0.01), STONE).at([0.0, HEIGHT]);
    joint.fixed = vec![Axis::Angle];
    joint.group = Some("jointed".to_owned());
    let spring = |support: &str, x: f64| {
        Joint::Spring(Springy {
            bodies: [support.to_owned(), "joint".to_owned()],
            ends: [[x, 0.0], [0.0, HEIGHT]],
            stiffness: STIFFNESS,
            ..Springy::default()
        })
    };
    let scene = statics(INCREMENTS)
        .weightless()
        .with_body(joint)
        .with_obstacle(holder("left", [-SPAN, 0.0]))
        .with_obstacle(holder("right", [SPAN, 0.0]))
        .with_joint(spring("left", -SPAN))
        .with_joint(spring("right", SPAN))
        .with_load(Load::force("joint", ["0", "-4 * t"]));
    let mut simulation = Simulation::new(scene)?;

    let mut outcome = Outcome::new(Plot::new("way of the joint (m)", "force (N)"));
    let mut measured = Vec::new();
    let mut jumps = 0.0;
    for increment in 1..=INCREMENTS {
        let report = simulation.step()?;
        let recovery = report.recovery.map(|recovery| recovery.rung);
        jumps += f64::from(recovery == Some(Fallback::DampedMotion));

        let way = HEIGHT - simulation.body("joint")?.centre().y;
        let applied = MOST * increment as f64 / INCREMENTS as f64;
        let branch = if applied < limit {
            [0.0, 0.42 * HEIGHT]
        } else {
            [2.0 * HEIGHT, 3.0 * HEIGHT]
        };
        let expected = root(branch, |w| force(w) - applied);
        let name = format!("way of the joint at {applied} N");
        outcome.relative(name, "m", expected, way, 1e-6);
        measured.push([way, applied]);
    }
    outcome.absolute("jumps", "1", 1.0, jumps, 0.0);
    outcome.plot.curve("von Mises", [0.0, 2.4 * HEIGHT], force);
    outcome.plot.points("measured", measured);
    Ok(outcome)
}

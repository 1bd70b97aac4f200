//! The path of a shallow truss of two springs beyond its limit points, by arc length.
//!
//! The truss is that of `static_snap`: two springs of stiffness `k` and length `l0` lead from supports at
//! the distance `b` to a joint at the height `a`, and where the joint has sunk by `w` they carry the force
//! `F(w)`. Under a force alone the path snaps through: the force has a maximum and a minimum, and between
//! them equilibria are unstable. Pressed by a soft spring `c` in series, whose other end moves by `u`, it
//! snaps back: `u = w + F(w)/c` falls where `F' < -c`, while an increment of `u` would jump.

use crate::scenes::{Exact, STONE, holder};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::Springy;

pub(super) const CASE: Case = Case {
    name: "static_path",
    title: "Statics by arc length: a shallow truss snaps through, and back",
    proves: "A path of equilibria is followed through limit points of load and of prescribed motion, stable or not, and the number of negative eigenvalues tells which.",
    formula: "F = 2 k (l0 - l) (a - w) / l;  u = w + F / c",
    source: "von Mises 1923, Ueber die Stabilitaetsprobleme der Elastizitaetstheorie; Crisfield 1981, A fast incremental/iterative solution procedure that handles snap-through",
    weight: Weight::Quick,
    run,
};

/// Half of the span and height (m), stiffness of the truss and of the soft spring (N/m), and its
/// length (m).
const SPAN: f64 = 1.0;
const HEIGHT: f64 = 0.2;
const STIFFNESS: f64 = 1000.0;
const SOFT: f64 = 15.0;
const REACH: f64 = 1.0;
/// Force per load time (N/s).
const RATE: f64 = 4.0;
/// Number of increments, and the largest way in each (m).
const INCREMENTS: usize = 60;
const LENGTH: f64 = 0.01;

/// Force (N) of the truss at a joint that has sunk by `w` (m).
fn force(w: f64) -> f64 {
    let left = HEIGHT - w;
    let length = SPAN.hypot(left);
    2.0 * STIFFNESS * (SPAN.hypot(HEIGHT) - length) * left / length
}

/// Derivative of the force (N/m): negative where the truss alone is unstable.
fn slope(w: f64) -> f64 {
    let length = SPAN.hypot(HEIGHT - w);
    2.0 * STIFFNESS * (1.0 - SPAN.hypot(HEIGHT) * SPAN * SPAN / length.powi(3))
}

/// The truss, in increments that change the load time by at most `step` (s).
fn truss(step: f64) -> Scene {
    let mut joint = Body::rigid("joint", Circle::new(0.01), STONE).at([0.0, HEIGHT]);
    // Held along x, the joint has the one coordinate of the formula.
    joint.fixed = vec![Axis::X, Axis::Angle];
    joint.group = Some("jointed".to_owned());
    Scene::new(Time::new(step, INCREMENTS).along(LENGTH))
        .with_material(STONE, Material::rigid(1000.0))
        .weightless()
        .with_body(joint)
        .with_obstacle(holder("left", [-SPAN, 0.0]))
        .with_obstacle(holder("right", [SPAN, 0.0]))
        .with_joint(spring("left", [-SPAN, 0.0], STIFFNESS))
        .with_joint(spring("right", [SPAN, 0.0], STIFFNESS))
}

/// A spring between an obstacle at a place and the joint.
fn spring(name: &str, at: [f64; 2], stiffness: f64) -> Joint {
    Joint::Spring(Springy {
        bodies: [name.to_owned(), "joint".to_owned()],
        ends: [at, [0.0, HEIGHT]],
        stiffness,
        ..Springy::default()
    })
}

/// A state on a path.
struct Reached {
    /// Load time (s).
    time: f64,
    /// Way of the joint (m).
    way: f64,
    /// Number of negative eigenvalues of the stiffness.
    unstable: usize,
}

/// States of a path.
///
/// # Errors
/// If an increment fails.
fn path(scene: Scene) -> Result<Vec<Reached>, Error> {
    let mut simulation = Simulation::new(scene)?;
    let mut states = Vec::new();
    for _ in 0..INCREMENTS {
        let record = simulation.step()?.record;
        states.push(Reached {
            time: record.time,
            way: HEIGHT - simulation.body("joint")?.centre().y,
            unstable: record.unstable.unwrap_or(usize::MAX),
        });
    }
    Ok(states)
}

/// Judges a path: the load times `expected` of the way at each state, to 1e-6 of `scale` (s), which
/// states are unstable, and that the load time falls at some.
fn judge(
    outcome: &mut Outcome,
    name: &str,
    states: &[Reached],
    scale: f64,
    [expected, stiffness]: [fn(f64) -> f64; 2],
) {
    let error = |state: &Reached| (state.time - expected(state.way)).abs() / scale;
    let largest = states.iter().map(error).fold(0.0, f64::max);
    let label = format!("largest error of the load along the path, {name}, relative");
    outcome.absolute(label, "1", 0.0, largest, 1e-6);

    let wrong = |state: &&Reached| state.unstable != usize::from(stiffness(state.way) < 0.0);
    let wrong = states.iter().filter(wrong).count() as f64;
    let label = format!("states whose stability is wrong, {name}");
    outcome.absolute(label, "1", 0.0, wrong, 0.0);

    let falls = states.windows(2).filter(|pair| pair[1].time < pair[0].time);
    let label = format!("increments in which the load falls, {name}");
    outcome.at_least(label, "1", 5.0, falls.count() as f64);

    let points = states.iter().map(|state| [state.way, state.time / scale]);
    outcome.plot.points(name, points.collect());
}

/// Judges the snap-through under a force, and the snap-back under a motion.
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("way of the joint (m)", "load / scale"));
    let under_force = truss(0.1).with_load(Load::force("joint", ["0", "-4 * t"]));
    let limit = (0..1000).map(|i| force(HEIGHT * f64::from(i) / 1000.0));
    let limit = limit.fold(0.0, f64::max) / RATE;
    let states = path(under_force)?;
    judge(
        &mut outcome,
        "snap-through",
        &states,
        limit,
        [|w| force(w) / RATE, slope],
    );

    // The end of the soft spring moves by 1 m/s; the joint is unstable where both springs together are.
    let mut hand = holder("hand", [0.0, HEIGHT + REACH]);
    hand.velocity = [0.0, -1.0];
    let in_series =
        truss(0.02)
            .with_obstacle(hand)
            .with_joint(spring("hand", [0.0, HEIGHT + REACH], SOFT));
    let states = path(in_series)?;
    let of_both = [|w| w + force(w) / SOFT, |w| slope(w) + SOFT];
    judge(&mut outcome, "snap-back", &states, HEIGHT, of_both);

    let ways = [0.0, 2.4 * HEIGHT];
    outcome
        .plot
        .curve("F / limit", ways, |w| force(w) / RATE / limit);
    outcome
        .plot
        .curve("u / a", ways, |w| (w + force(w) / SOFT) / HEIGHT);
    Ok(outcome)
}

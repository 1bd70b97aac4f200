//! A slender column between two walls that stop its buckling.
//!
//! The column of the length `L` and the bending stiffness `EI` is clamped at both ends, and its right
//! end moves towards the left one. The walls are at a distance `delta` from it, so small that linear theory
//! holds. `k = sqrt(P / EI)` belongs to the force `P` along the column.
//!
//! - From `P L^2 / EI = 4 pi^2 = 39.478` on the column leans on a wall in one point. Each half is a clamped
//!   beam-column of the length `a = L / 2`, whose ends are `delta` apart across it, and the wall has the
//!   force `2 P k delta / (k a - 2 tan(k a / 2))`.
//! - From `16 pi^2 = 157.914` on it lies on the wall along `L - 4 pi / k`. Transitions are
//!   `delta (k x - sin k x) / (2 pi)`, which meet the wall without curvature, and the wall presses with
//!   `P k delta / (2 pi)` at each end of the flat part.
//! - At `36 pi^2 = 355.306` the flat part buckles as a clamped column of this length, and `P` falls.
//!
//! Up to 0.95 of the last force, forces of the wall are judged to 1 % and the length of the flat part,
//! by the distance of the two forces, to 1 % of `L`. The largest force is judged to 3 %: increments are
//! 1.5 % of it, and the flat part buckles from the places that the barrier gives its vertices.

use crate::scenes::{Exact, STONE, statics};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::{Displaced, ElasticRod};
use std::f64::consts::PI;

pub(super) const CASE: Case = Case {
    name: "rod_walls",
    title: "A column that buckles between two walls",
    proves: "A wall carries a buckled column in one point, then at both ends of a flat part, which buckles in its turn.",
    formula: "N = 2 P k delta / (k a - 2 tan(k a/2)) up to P = 16 pi^2 EI/L^2, P k delta / pi up to 36 pi^2",
    source: "Beam-columns of linear theory; Domokos, Holmes, Royce 1997, Constrained Euler buckling",
    weight: Weight::Quick,
    run,
};

/// Bending stiffness (N m^2) and axial stiffness (N) of the column of the length 1 m, segments between
/// its clamps, and distance of the walls (m).
const BENDING: f64 = 1.0;
const AXIAL: f64 = 1e8;
const SEGMENTS: usize = 400;
const DELTA: f64 = 2e-3;
/// Reach (m) and stiffness (Pa) of the barrier.
const D_HAT: f64 = 2e-6;
const KAPPA: f64 = 1e6;
/// Shortening (m), and increments to it.
const SHORTENING: f64 = 3e-5;
const INCREMENTS: usize = 80;
/// Forces `P L^2 / EI` at which the column lies flat, and at which the flat part buckles (1).
const FLAT: f64 = 16.0 * PI * PI;
const BUCKLES: f64 = 36.0 * PI * PI;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("P L^2 / EI", "force of the wall (N)"));
    outcome.plot.curve("one point", [45.0, FLAT], wall_force);
    outcome.plot.curve("flat", [FLAT, BUCKLES], wall_force);
    let states = pressed()?;
    let largest = states.iter().map(|state| state.force).fold(0.0, f64::max);

    // States before the flat part buckles, and the largest errors among them.
    let before = states.split(|state| state.force >= largest).next();
    let leaning = before.unwrap_or_default().iter();
    let leaning = leaning.filter(|state| (45.0..0.95 * BUCKLES).contains(&state.force));
    let [mut wall, mut flat] = [0.0_f64; 2];
    for state in leaning.clone() {
        wall = wall.max((state.wall / wall_force(state.force) - 1.0).abs());
        let length = (1.0 - 4.0 * PI / state.force.sqrt()).max(0.0);
        flat = flat.max((state.flat - length).abs());
    }
    let count = leaning.clone().count() as f64;
    outcome.at_least("states that lean on the wall", "1", 20.0, count);
    outcome.absolute(
        "largest relative error of the wall's force",
        "1",
        0.0,
        wall,
        0.01,
    );
    outcome.absolute("largest error of the flat part / L", "1", 0.0, flat, 0.01);
    outcome.relative(
        "force at which the flat part buckles",
        "N",
        BUCKLES,
        largest,
        0.03,
    );
    let last = states.last().map_or(f64::NAN, |state| state.away / DELTA);
    outcome.at_least("middle off the wall / delta, at the end", "1", 0.1, last);

    let points = leaning.map(|state| [state.force, state.wall]);
    outcome.plot.points("measured", points.collect());
    Ok(outcome)
}

/// Force of the wall (N) on a column of length and stiffness 1 under a force (N).
fn wall_force(force: f64) -> f64 {
    let k = force.sqrt();
    if force < FLAT {
        2.0 * force * k * DELTA / (0.5 * k - 2.0 * (0.25 * k).tan())
    } else {
        force * k * DELTA / PI
    }
}

/// Force along the column (N), force of the wall (N), mean distance of its parts (m), and distance of
/// the middle from the wall (m).
struct Leaning {
    force: f64,
    wall: f64,
    flat: f64,
    away: f64,
}

/// The column between the walls. Half a segment is behind each clamp, and it starts a little bent.
fn scene() -> Scene {
    let points = (0..=SEGMENTS + 1).map(|k| {
        let x = (k as f64 - 0.5) / SEGMENTS as f64;
        let within = x.clamp(0.0, 1.0);
        [x, 0.25 * DELTA * (1.0 - (2.0 * PI * within).cos())]
    });
    let mut moved = Prescribed::held(Selection::Indices(vec![SEGMENTS, SEGMENTS + 1]));
    moved.displacement = Some(Displaced {
        x: Some(format!("-{SHORTENING}*t").as_str().into()),
        y: Some(0.0.into()),
    });
    let rod = ElasticRod::of_stiffness(AXIAL, BENDING, 1.0).straight();
    let column = Body::rod("column", rod, Polyline::open(points.collect()), STONE)
        .with_prescribed(Prescribed::held(Selection::Indices(vec![0, 1])))
        .with_prescribed(moved);

    // Gaps at rest are about half of the reach.
    let place = DELTA + 0.5 * D_HAT;
    statics(INCREMENTS)
        .with_gravity([0.0, 0.0])
        .barrier(D_HAT, KAPPA)
        .with_body(column)
        .with_obstacle(Obstacle::new(
            "above",
            HalfPlane::new([0.0, -1.0], [0.0, place]),
        ))
        .with_obstacle(Obstacle::new(
            "below",
            HalfPlane::new([0.0, 1.0], [0.0, -place]),
        ))
}

/// States of the column after each increment.
fn pressed() -> Result<Vec<Leaning>, Error> {
    let mut simulation = Simulation::new(scene())?;
    let mut states = Vec::new();
    for _ in 0..INCREMENTS {
        simulation.step()?;
        let reactions = simulation.reactions();
        let force = reactions.map(|reaction| reaction.force.x.abs());
        let parts: Vec<[f64; 2]> = simulation
            .contacts()
            .map(|contact| [contact.normal_force, (contact.point.x - 0.5).abs()])
            .collect();
        let wall: f64 = parts.iter().map(|part| part[0]).sum();
        let lever: f64 = parts.iter().map(|part| part[0] * part[1]).sum();
        let middle = simulation.body("column")?.x()[SEGMENTS / 2 + 1].y;
        states.push(Leaning {
            force: force.fold(0.0, f64::max),
            wall,
            flat: 2.0 * lever / wall,
            away: DELTA - middle,
        });
    }
    Ok(states)
}

//! A wedge that a guided block presses on, and that friction holds.
//!
//! The wedge of the angle `a` lies on a floor, and a block that moves only up and down presses on its
//! inclined face with the force `F`. The floor has the coefficient `f` and the face `mu`. The wedge is
//! driven out where `tan a > (mu + f) / (1 - mu f)`: with a smooth floor from `a = atan mu` on, and with
//! two equal faces from `a = 2 atan mu` on.
//!
//! With the masses `m` of the wedge and `M` of the block its acceleration is then
//! `F s / (m c + M s tan a)`, with `c = cos a + mu sin a` and `s = sin a - mu cos a - f c`.
//!
//! Coefficients 1 % above and below the limit bracket it: the wedge stays to 1e-8 m from 0.6 s on, when
//! all gaps have found their rest, or has the acceleration of the closed form. Accelerations are judged to
//! 1e-3 of that without friction.

use crate::scenes::{Exact, ground, holder, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::Guide;

pub(super) const CASE: Case = Case {
    name: "friction_wedge",
    title: "A wedge that locks itself",
    proves: "A wedge stays where friction of both of its faces can hold it, and is driven out where it cannot.",
    formula: "tan a = (mu + f)/(1 - mu f) at the limit",
    source: "Coulomb friction; equilibrium and acceleration of two bodies",
    weight: Weight::Quick,
    run,
};

/// Force (N) on the block, step (s), and steps until the gaps are at rest and from then on.
const FORCE: f64 = 1000.0;
const H: f64 = 0.005;
const STEPS: [usize; 2] = [120, 60];
/// Time in which the force grows (s), and gap at the start (m).
const GROWS: f64 = 0.2;
const GAP: f64 = 0.99e-4;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new(
        "mu / limit",
        "acceleration / that without friction",
    ));
    for (degrees, is_rough, name) in [
        (8.0_f64, false, "8 degrees, smooth floor"),
        (20.0, false, "20 degrees, smooth floor"),
        (16.0, true, "16 degrees, rough floor"),
    ] {
        let angle = degrees.to_radians();
        let limit = if is_rough { 0.5 * angle } else { angle }.tan();
        let smooth = driven_out(angle, [0.0; 2]);
        let expected = |share: f64| {
            let mu = share * limit;
            driven_out(angle, [mu, if is_rough { mu } else { 0.0 }]) / smooth
        };
        outcome.plot.curve(name, [0.0, 1.0], expected);

        let mut points = Vec::new();
        for share in [0.5, 0.99] {
            let [got, _] = moved(angle, share * limit, is_rough)?;
            let label = format!("acceleration at {share} of the limit, {name}");
            outcome.absolute(label, "1", expected(share), got / smooth, 1e-3);
            points.push([share, got / smooth]);
        }
        let [_, distance] = moved(angle, 1.01 * limit, is_rough)?;
        let label = format!("displacement at 1.01 of the limit, {name}");
        outcome.absolute(label, "m", 0.0, distance, 1e-8);
        outcome.plot.points(format!("measured, {name}"), points);
    }
    Ok(outcome)
}

/// Lengths (m): base of the wedge, and from where to where the block presses on it.
const BASE: f64 = 1.0;
const BLOCK: [f64; 2] = [0.4, 0.7];
/// Height of the upper side of the block (m).
const TOP: f64 = 0.6;
/// Density of both (kg/m^3): at half of the limits the wedge moves by some centimetres.
const HEAVY: f64 = 1e4;

/// Acceleration (m/s^2) of a wedge of this angle (rad) with the coefficients of face and floor (1).
fn driven_out(angle: f64, [face, floor]: [f64; 2]) -> f64 {
    let (sin, cos) = angle.sin_cos();
    let tan = angle.tan();
    let wedge = 0.5 * HEAVY * BASE * BASE * tan;
    let [from, to] = BLOCK;
    let block = HEAVY * (to - from) * (TOP - 0.5 * (from + to) * tan);

    let c = cos + face * sin;
    let s = sin - face * cos - floor * c;
    FORCE * s / (wedge * c + block * s * tan)
}

/// Acceleration (m/s^2) and displacement (m), once gaps are at rest, of the wedge of this angle (rad)
/// with this coefficient of its face, and of the floor as well if that is rough.
fn moved(angle: f64, mu: f64, is_rough: bool) -> Result<[f64; 2], Error> {
    let tan = angle.tan();
    let wedge = Outline::new(vec![[0.0, 0.0], [BASE, 0.0], [BASE, BASE * tan]]);
    let [from, to] = BLOCK;
    let block = Outline::new(vec![
        [from, from * tan],
        [to, to * tan],
        [to, TOP],
        [from, TOP],
    ]);
    let middle = [0.5 * (from + to), TOP];
    let guide = Guide {
        bodies: ["holder".to_owned(), "block".to_owned()],
        at: middle,
        axis: [0.0, 1.0],
        ..Guide::default()
    };

    // A force that grows has no impact, which would give the wedge a start.
    let force = format!("-{FORCE}*min(1, t/{GROWS})");
    let mut scene = scene(H, 1)
        .weightless()
        .tolerance(1e-8)
        .barrier(1e-4, 1e7)
        .rough(mu, 1e-6)
        .with_material("heavy", Material::rigid(HEAVY))
        .with_body(Body::rigid("wedge", wedge, "heavy").at([0.0, GAP]))
        .with_body(Body::rigid("block", block, "heavy").at([0.0, 2.0 * GAP]))
        .with_obstacle(ground())
        .with_obstacle(holder("holder", middle))
        .with_joint(Joint::Slider(guide))
        .with_load(Load::force("block", ["0", force.as_str()]));
    if !is_rough {
        scene.contact.friction.pairs = vec![FrictionPair::new("wedge", "ground", 0.0)];
    }
    let mut simulation = Simulation::new(scene)?;
    simulation.run(STEPS[0])?;
    let before = simulation.body("wedge")?;
    let [speed, place] = [before.velocity().x, before.centre().x];
    simulation.run(STEPS[1])?;
    let wedge = simulation.body("wedge")?;
    let acceleration = (wedge.velocity().x - speed) / (H * STEPS[1] as f64);
    Ok([acceleration, wedge.centre().x - place])
}

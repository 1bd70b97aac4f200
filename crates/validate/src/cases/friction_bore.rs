//! A roller that spins in a fine polygonal bore.
//!
//! A roller in a bore is within reach of many short edges and of the vertices between them.
//! Friction must act on their resultant. The torque of friction is `mu R_n r`, where `R_n` is the
//! resultant of the normal forces.
//!
//! `N` is the resultant of the normal forces (N) and `r` the radius of the roller. If friction
//! acted on each of the nearly parallel contacts with a normal force of its own, its sum could
//! exceed `mu N`.

use crate::scenes::{Exact, STONE, after, force_on, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "friction_bore",
    title: "Friction torque of a roller in a bore of 720 edges",
    proves: "Contacts with neighbouring edges are not counted several times by friction, however well the roller fits.",
    formula: "torque = mu N r with the resultant N of the normal forces",
    source: "Coulomb friction",
    weight: Weight::Quick,
    run,
};

/// Radius of the bore (m), coefficient of friction (1), step (s).
const BORE: f64 = 0.1;
const MU: f64 = 0.1;
const H: f64 = 1e-3;

/// Judges the torque over `mu N r` to 1 %, for rollers from 0.05 to 0.9 of the bore's radius.
///
/// The larger the roller, the more edges are within reach of the barrier at once.
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("r / R", "torque / (mu N r)"));
    outcome.plot.curve("Coulomb", [0.0, 1.0], |_| 1.0);

    let mut measured = Vec::new();
    for share in [0.05, 0.3, 0.5, 0.9] {
        let ratio = torque(share)?;
        let name = format!("torque / (mu N r), r / R {share}");
        outcome.relative(name, "1", 1.0, ratio, 0.01);
        measured.push([share, ratio]);
    }
    outcome.plot.points("measured", measured);
    Ok(outcome)
}

/// Torque as a share of Coulomb's, for a roller of this share of the bore's radius.
///
/// Torque is the loss of spin times the inertia, and `N` the force towards the centre of the bore,
/// both summed over 40 steps as impulses.
fn torque(share: f64) -> Result<f64, Error> {
    let radius = share * BORE;
    let start = -(BORE - radius - 0.48e-3);
    // All rims have the same speed, so high that friction hardly slows them in 60 steps.
    let roller = Body::rigid("roller", Circle::new(radius), STONE)
        .at([0.0, start])
        .with_spin(2e5 * BORE / radius / 10.0);
    let scene = scene(H, 60)
        .barrier(5e-4, 1e5)
        .rough(MU, 1e-4)
        .with_body(roller)
        .with_obstacle(Obstacle::new("bore", Ring::new(0.12, BORE, 720)));

    // Impulses of friction and of the resultant, after a first settling.
    let mut simulation = after(scene, 20)?;
    let [mut turned, mut pressed] = [0.0; 2];
    for _ in 0..40 {
        let before = simulation.body("roller")?.angular_velocity();
        simulation.step()?;
        let roller = simulation.body("roller")?;
        let change = before.zip(roller.angular_velocity()).map(|(a, b)| a - b);
        turned += change.unwrap_or(f64::NAN) * roller.node_mass()[1].x;

        let direction = roller.centre().normalize();
        pressed -= H * force_on(&simulation, "roller").dot(&direction);
    }
    Ok(turned / (MU * pressed * radius))
}

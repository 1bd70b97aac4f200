//! A ratchet: a pawl lets a wheel turn one way and stops it at the next tooth the other way.
//!
//! The wheel has 12 teeth with radial faces, and begins with a face at the pawl. A motor turns it forward by
//! an angle and then back, with a largest torque `T`. Forward it turns freely, but for the spring of the
//! pawl. Back it stands where the last tooth that has passed meets the pawl: at the multiple of 30 degrees
//! below the angle forward. There the pawl has the moment `T` of the motor, which slips.
//!
//! Angles are judged to 0.1 degrees, which is what the reach of contact and the play at the start are at the
//! radius of the pawl, and the moment of the pawl about the axle to 0.1 %.

use crate::scenes::{Exact, STONE, holder, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::{Hinge, Motor, Torsion};
use std::f64::consts::TAU;

pub(super) const CASE: Case = Case {
    name: "joint_ratchet",
    title: "A ratchet and its pawl",
    proves: "A pawl lets a wheel turn freely one way, and stops it at the last tooth against the whole torque of a motor.",
    formula: "angle = 30 degrees floor(angle forward / 30 degrees), moment of the pawl = T",
    source: "Geometry and equilibrium of moments",
    weight: Weight::Quick,
    run,
};

/// Number of teeth, radii of their tips and roots (m).
const TEETH: usize = 12;
const RADII: [f64; 2] = [0.085, 0.1];
/// Play of the pawl at the start and reach of the barrier (m).
const PLAY: f64 = 4e-5;
const D_HAT: f64 = 2e-5;
/// Largest torque of the motor (N m), step (s), steps forward and back.
const TORQUE: f64 = 50.0;
const H: f64 = 2e-3;
const STEPS: usize = 300;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new(
        "angle forward (degrees)",
        "angle after (degrees)",
    ));
    outcome.plot.curve("closed form", [0.0, 120.0], |angle| {
        30.0 * (angle / 30.0).floor()
    });
    let mut measured = Vec::new();
    for forward in [10.0, 50.0, 100.0] {
        let [most, last, moment] = turned(forward)?;
        let named = |name: &str| format!("{name}, {forward} degrees forward");
        let stop = 30.0 * (forward / 30.0_f64).floor();
        outcome.absolute(named("angle forward"), "degrees", forward, most, 0.1);
        outcome.absolute(named("angle after"), "degrees", stop, last, 0.1);
        outcome.relative(named("moment of the pawl"), "N m", TORQUE, moment, 1e-3);
        measured.push([forward, last]);
    }
    outcome.plot.points("measured", measured);
    Ok(outcome)
}

/// Angle (degrees) of a wheel after it has turned forward by an angle (degrees), its angle after it has
/// been turned back, and the moment of the pawl on it (N m).
fn turned(forward: f64) -> Result<[f64; 3], Error> {
    let duration = H * STEPS as f64;
    let times = vec![0.0, duration, 2.0 * duration];
    let drive = Table {
        times,
        values: vec![0.0, forward, forward - 60.0],
    };
    let axle = Hinge {
        bodies: ["axle".to_owned(), "wheel".to_owned()],
        motor: Some(Motor {
            angle_deg: Some(Varying::Table(drive)),
            torque: TORQUE,
            ..Motor::default()
        }),
        ..Hinge::default()
    };
    // The pivot is above the tip, so that a tooth draws the pawl in.
    let pivot = [0.12, 0.115];
    let sprung = Hinge {
        bodies: ["frame".to_owned(), "pawl".to_owned()],
        at: pivot,
        spring: Some(Torsion {
            stiffness: 10.0,
            rest_deg: 20.0,
            ..Torsion::default()
        }),
        ..Hinge::default()
    };
    let scene = scene(H, 1)
        .weightless()
        .tolerance(1e-8)
        .barrier(D_HAT, 1e8)
        .with_body(Body::rigid("wheel", wheel(), STONE))
        .with_body(Body::rigid("pawl", pawl(), STONE))
        .with_obstacle(holder("axle", [0.0, -1.0]))
        .with_obstacle(holder("frame", [0.0, 1.0]))
        .with_joint(Joint::Hinge(axle))
        .with_joint(Joint::Hinge(sprung));

    let mut simulation = Simulation::new(scene)?;
    let angle = |simulation: &Simulation| -> Result<f64, Error> {
        let angle = simulation.body("wheel")?.angle();
        Ok(angle.unwrap_or(f64::NAN).to_degrees())
    };
    simulation.run(STEPS)?;
    let most = angle(&simulation)?;
    simulation.run(STEPS)?;
    let moment = simulation.contacts().map(|contact| {
        let force = contact.force_on("wheel");
        contact.point.x * force.y - contact.point.y * force.x
    });
    Ok([most, angle(&simulation)?, moment.sum()])
}

/// The wheel: radial faces from root to tip, and straight backs from there to the next root.
fn wheel() -> Outline {
    let points = (0..TEETH).flat_map(|k| {
        let (sin, cos) = (TAU * k as f64 / TEETH as f64).sin_cos();
        RADII.map(|radius| [radius * cos, radius * sin])
    });
    Outline::new(points.collect())
}

/// The pawl, whose upright end faces the tooth at the top of the wheel.
fn pawl() -> Outline {
    let root = RADII[0] + 5e-4;
    let points = [
        [PLAY, root],
        [0.13, 0.108],
        [0.13, 0.122],
        [PLAY, root + 0.014],
    ];
    Outline::new(points.to_vec())
}

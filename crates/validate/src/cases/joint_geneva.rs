//! A Geneva drive: a pin turns a cross with four slots by quarters, and a disk locks it in between.
//!
//! The pin is at the radius `r` of the crank, whose axle is `c = r sqrt 2` from that of the cross, so that it
//! enters and leaves the slots along them. While it is in a slot the angles of crank and cross, from the
//! line of the axles, obey `tan b = r sin a / (c - r cos a)`. The cross turns by 90 degrees in a quarter of a
//! turn of the crank, by up to `r / (c - r) = 2.4142` times its speed, and stands for the other three.
//!
//! The pin has a play of 0.1 % of `r` in the slot, and the locking disk the same in its arcs. So angles are
//! judged to 0.3 degrees, and the largest ratio of speeds, over 5 degrees of the crank, to 1 %. While the
//! cross stands it may turn within the play of the locking disk.

use crate::scenes::{Exact, STONE, holder, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::{Hinge, Motor};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI, SQRT_2};

pub(super) const CASE: Case = Case {
    name: "joint_geneva",
    title: "A Geneva drive with a locking disk",
    proves: "A pin in slots turns a cross as geometry says, a quarter for each turn, and contact locks it in between.",
    formula: "tan b = r sin a / (c - r cos a), ratio up to r / (c - r)",
    source: "Bickford 1972, Mechanisms for Intermittent Motion, chapter 9",
    weight: Weight::Quick,
    run,
};

/// Crank, distance of the axles, radius of the pin, play (m).
const CRANK: f64 = 0.1;
const AXLES: f64 = CRANK * SQRT_2;
const PIN: f64 = 0.01;
const PLAY: f64 = 1e-4;
/// Radius of the locking disk (m), and edges of its circle.
const LOCK: f64 = 0.07;
const EDGES: usize = 120;
/// Speed of the crank (degrees/s), steps of a turn, and turns.
const SPEED: f64 = 180.0;
const STEPS: usize = 720;
const TURNS: usize = 2;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("crank (degrees)", "cross (degrees)"));
    let end = 360.0 * TURNS as f64;
    outcome.plot.curve("closed form", [0.0, end], cross);
    let turned = turned()?;

    let error = turned.iter().map(|at| (at[1] - cross(at[0])).abs());
    let worst = error.fold(0.0, f64::max);
    outcome.absolute("largest error of the angle", "degrees", 0.0, worst, 0.3);
    let last = turned.last().map_or(f64::NAN, |at| at[1]);
    let quarters = 90.0 * TURNS as f64;
    outcome.absolute("angle at the end", "degrees", quarters, last, 0.3);

    // Over ten steps, which are five degrees.
    let ratio = turned
        .windows(11)
        .map(|w| (w[10][1] - w[0][1]) / (w[10][0] - w[0][0]));
    let largest = ratio.fold(0.0, f64::max);
    outcome.relative(
        "largest ratio of speeds",
        "1",
        CRANK / (AXLES - CRANK),
        largest,
        0.01,
    );
    let points = turned.into_iter().step_by(10).collect();
    outcome.plot.points("measured", points);
    Ok(outcome)
}

/// Angle of the cross (degrees) for an angle of the crank (degrees), which begins opposite to it.
fn cross(crank: f64) -> f64 {
    let turns = (crank / 360.0).floor();
    let from = (crank - 360.0 * turns - 180.0).to_radians();
    let within = if from.abs() < FRAC_PI_4 {
        (CRANK * from.sin())
            .atan2(AXLES - CRANK * from.cos())
            .to_degrees()
            + 45.0
    } else if from > 0.0 {
        90.0
    } else {
        0.0
    };
    90.0 * turns + within
}

/// Angles (degrees) of crank and cross in every step, both from 0 and growing.
fn turned() -> Result<Vec<[f64; 2]>, Error> {
    let hinge = |body: &str, at: [f64; 2], motor| {
        Joint::Hinge(Hinge {
            bodies: [format!("holder of {body}"), body.to_owned()],
            at,
            motor,
            ..Hinge::default()
        })
    };
    let motor = || {
        Some(Motor {
            speed_deg: Some(SPEED.into()),
            torque: 1e6,
            ..Motor::default()
        })
    };

    // The pin begins opposite to the cross, which is to the right.
    let speed = SPEED.to_radians();
    let mut pin = Body::rigid("pin", Circle::new(PIN), STONE)
        .at([-CRANK, 0.0])
        .with_velocity([0.0, -CRANK * speed])
        .with_spin(SPEED);
    let mut lock = Body::rigid("lock", locking_disk(), STONE).with_spin(SPEED);
    for part in [&mut pin, &mut lock] {
        part.group = Some("crank".to_owned());
    }
    let h = 360.0 / SPEED / STEPS as f64;
    let mut scene = scene(h, 1)
        .weightless()
        .tolerance(1e-8)
        .barrier(0.2 * PLAY, 1e6)
        .with_body(pin)
        .with_body(lock)
        .with_body(Body::rigid("cross", slotted(), STONE).at([AXLES, 0.0]))
        .with_joint(hinge("pin", [0.0, 0.0], motor()))
        .with_joint(hinge("lock", [0.0, 0.0], motor()))
        .with_joint(hinge("cross", [AXLES, 0.0], None));
    for body in ["pin", "lock", "cross"] {
        scene = scene.with_obstacle(holder(&format!("holder of {body}"), [0.0, 1.0]));
    }

    let mut simulation = Simulation::new(scene)?;
    let mut turned = Vec::new();
    for _ in 0..TURNS * STEPS {
        simulation.step()?;
        let angle = |name| -> Result<f64, Error> {
            Ok(simulation
                .body(name)?
                .angle()
                .unwrap_or(f64::NAN)
                .to_degrees())
        };
        // The cross turns against the crank.
        turned.push([angle("lock")?, -angle("cross")?]);
    }
    Ok(turned)
}

/// The disk that locks the cross, around the axle of the crank. Where the pin is in a slot, it leaves
/// room for the arms of the cross.
fn locking_disk() -> Outline {
    // The pin is at 180 degrees; a sector of a right angle and some more around it is cut away.
    let open = FRAC_PI_4 + 0.02;
    let arc = |k: usize| {
        let angle = (PI - open) * (2.0 * k as f64 / EDGES as f64 - 1.0);
        [LOCK * angle.cos(), LOCK * angle.sin()]
    };
    let mut points: Vec<[f64; 2]> = (0..=EDGES).map(arc).collect();
    points.push([-0.25 * LOCK, 0.0]);
    Outline::new(points)
}

/// The cross around its axle: four slots, and four arcs in which the locking disk turns. At the start
/// an arc is on the left.
fn slotted() -> Outline {
    let half = PIN + PLAY;
    let lock = LOCK + PLAY;
    let floor = AXLES - CRANK - 1.5 * PIN;
    let mut points = Vec::new();
    for quarter in [0.0, 1.0, 2.0, 3.0] {
        let angle = PI + quarter * FRAC_PI_2;
        let turned = |[x, y]: [f64; 2], by: f64| {
            let (sin, cos) = (angle + by).sin_cos();
            [cos * x - sin * y, sin * x + cos * y]
        };
        // The arc around the axle of the crank, from the arm before to the arm behind.
        let reach = 0.62_f64;
        for k in 0..=EDGES / 4 {
            let along = reach * (1.0 - 8.0 * k as f64 / EDGES as f64);
            points.push(turned(
                [AXLES - lock * along.cos(), -lock * along.sin()],
                0.0,
            ));
        }
        // The slot at half a right angle behind.
        let slot = [[CRANK, -half], [floor, -half], [floor, half], [CRANK, half]];
        points.extend(slot.map(|point| turned(point, FRAC_PI_4)));
    }
    Outline::new(points)
}

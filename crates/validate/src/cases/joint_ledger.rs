//! What springs, dampers, brakes and motors of joints store and take.
//!
//! A solid wheel of the radius `R` has the moment of inertia `I = m R^2 / 2` and turns about its
//! middle. On a spring of the stiffness `k` it swings with the rate `sqrt(k / I)`: after five periods
//! of 50 steps the trapezoid has the amplitude of the start, and errors of the angle fall by four with
//! half the step by each integrator of second order. A damper `c` takes
//! `I w_0^2 / 2 (1 - exp(-2 c t / I))`, the integral of `c w^2`; a brake and a motor at their largest
//! torque `T` take and give `T` times the angle. Energies are in J per metre of depth.
//!
//! Energies of the spring are exact, `k phi^2 / 2` of the angle that was reached. Torques are constant,
//! so that work agrees to 1e-9 by each integrator; the heat of the damper has the error of the
//! integrator, which is below 1 %.

use crate::scenes::{DENSITY, Exact, STONE, holder, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::{Hinge, Motor, Torsion};
use ipcsim_store::ledger::Books;
use std::f64::consts::TAU;

pub(super) const CASE: Case = Case {
    name: "joint_ledger",
    title: "Energy of springs, heat of dampers and brakes, work of motors",
    proves: "The ledger tells what joints store, take and give, and springs are of second order.",
    formula: "k phi^2 / 2; int c w^2 dt; T phi; errors fall by 4 with half the step",
    source: "Work of torques on a wheel; free vibration",
    weight: Weight::Quick,
    run,
};

/// Radius of the wheel (m), speed at the start (degrees/s).
const RADIUS: f64 = 0.2;
const SPIN: f64 = 300.0;
/// Stiffness (N m/rad) of the spring, coefficient of the damper (N m s), largest torque (N m).
const STIFFNESS: f64 = 90.0;
const DAMPING: f64 = 4.0;
const TORQUE: f64 = 25.0;
/// Steps a period, periods.
const STEPS: usize = 50;
const PERIODS: usize = 5;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("time (s)", "angle (rad)"));
    for scheme in Scheme::ALL {
        swing(&mut outcome, scheme)?;
        if scheme.integrator().order() > 1 {
            order(&mut outcome, scheme)?;
        }
        damper(&mut outcome, scheme)?;
        torques(&mut outcome, scheme)?;
    }
    Ok(outcome)
}

/// A wheel after some steps, with the sums of its ledger.
struct Turned {
    /// Books of the run.
    books: Books,
    /// Moment of inertia (kg m^2).
    inertia: f64,
    /// Angle (rad) at each time (s).
    angles: Vec<[f64; 2]>,
    /// Largest of the energies of the spring (J), and the largest angle (rad).
    most: [f64; 2],
    /// Angular velocity at the end (rad/s).
    speed: f64,
}

impl Turned {
    /// Simulates a wheel that turns at the start, on a hinge.
    fn of(hinge: Hinge, scheme: Scheme, h: f64, steps: usize) -> Result<Self, Error> {
        let mut wheel = Body::rigid("wheel", Circle::new(RADIUS), STONE).with_spin(SPIN);
        wheel.group = Some("jointed".to_owned());
        let hinge = Hinge {
            bodies: ["axle".to_owned(), "wheel".to_owned()],
            ..hinge
        };
        let mut scene = scene(h, steps)
            .tolerance(1e-11)
            .weightless()
            .with_body(wheel)
            .with_obstacle(holder("axle", [0.0, 0.0]))
            .with_joint(Joint::Hinge(hinge));
        scene.time = scene.time.by(scheme);
        scene.output.ledger = true;

        let mut simulation = Simulation::new(scene)?;
        let mut turned = Self {
            books: Books::default(),
            inertia: 0.5 * simulation.body("wheel")?.mass() * RADIUS * RADIUS,
            angles: Vec::new(),
            most: [0.0; 2],
            speed: 0.0,
        };
        turned.books.enter(&simulation.begin()?.record);
        for _ in 0..steps {
            let record = simulation.step()?.record;
            turned.books.enter(&record);
            let angle = simulation.body("wheel")?.angle().unwrap_or(f64::NAN);
            turned.angles.push([simulation.time(), angle]);
            let stored = record.ledger.map_or(0.0, |ledger| ledger.mechanical) - record.kinetic;
            turned.most = [turned.most[0].max(stored), turned.most[1].max(angle.abs())];
        }
        let speed = simulation.body("wheel")?.angular_velocity();
        turned.speed = speed.unwrap_or(f64::NAN);
        Ok(turned)
    }

    /// Kinetic energy of the start (J).
    fn kinetic(&self) -> f64 {
        0.5 * self.inertia * SPIN.to_radians().powi(2)
    }

    /// Judges what the ledger leaves without explanation.
    fn closes(&self, outcome: &mut Outcome, label: &str) {
        let gap = (self.books.unexplained_work() / self.kinetic()).abs();
        outcome.at_most(format!("{label}: without explanation"), "1", 1e-12, gap);
    }
}

/// A hinge with a spring and a damper.
fn sprung(stiffness: f64, damping: f64) -> Hinge {
    Hinge {
        spring: Some(Torsion {
            stiffness,
            damping,
            ..Torsion::default()
        }),
        ..Hinge::default()
    }
}

/// Period of the wheel on its spring (s).
fn period() -> f64 {
    let inertia = 0.25 * DENSITY * TAU * RADIUS.powi(4);
    TAU / (STIFFNESS / inertia).sqrt()
}

/// Free vibration: what the spring stores, and what the integrator keeps of the amplitude.
fn swing(outcome: &mut Outcome, scheme: Scheme) -> Result<(), Error> {
    let h = period() / STEPS as f64;
    let turned = Turned::of(sprung(STIFFNESS, 0.0), scheme, h, STEPS * PERIODS)?;
    let label = format!("spring by {}", scheme.words());
    let [stored, angle] = turned.most;
    let expected = 0.5 * STIFFNESS * angle * angle;
    outcome.relative(format!("{label}: stored"), "J", expected, stored, 1e-12);

    // What is left of the energy of the start is what the integrator has not taken.
    let left = (1.0 + turned.books.gained() / turned.kinetic()).sqrt();
    if scheme == Scheme::Trapezoid {
        outcome.relative(format!("{label}: amplitude kept"), "1", 1.0, left, 1e-3);
    }
    let lost = turned.books.work.joints + turned.books.work.inertia;
    let expected = turned.books.gained();
    let name = format!("{label}: lost by the integrator");
    let scale = turned.kinetic();
    outcome.absolute(name, "1", expected / scale, lost / scale, 1e-9);
    turned.closes(outcome, &label);
    outcome.plot.points(scheme.words(), turned.angles);
    Ok(())
}

/// Errors of the angle of a damped vibration after five periods, with half the step.
fn order(outcome: &mut Outcome, scheme: Scheme) -> Result<(), Error> {
    let damping = 0.1;
    let error = |steps: usize| -> Result<f64, Error> {
        let h = period() / steps as f64;
        let turned = Turned::of(sprung(STIFFNESS, damping), scheme, h, steps * PERIODS)?;
        let half = 0.5 * damping / turned.inertia;
        let rate = (STIFFNESS / turned.inertia - half * half).sqrt();
        let last = turned.angles.last().copied().unwrap_or_default();
        let [t, angle] = last;
        let exact = SPIN.to_radians() / rate * (-half * t).exp() * (rate * t).sin();
        Ok((angle - exact).abs())
    };
    let [long, short] = [error(4 * STEPS)?, error(8 * STEPS)?];
    let name = format!("spring and damper by {}: ratio of errors", scheme.words());
    outcome.relative(name, "1", 4.0, long / short, 0.05);
    Ok(())
}

/// A damper without a spring: the speed falls exponentially.
fn damper(outcome: &mut Outcome, scheme: Scheme) -> Result<(), Error> {
    let h = 0.005;
    let steps = 100;
    let turned = Turned::of(sprung(0.0, DAMPING), scheme, h, steps)?;
    let label = format!("damper by {}", scheme.words());
    let decay = (-2.0 * DAMPING * h * steps as f64 / turned.inertia).exp();
    let expected = -turned.kinetic() * (1.0 - decay);
    let got = turned.books.work.dampers;
    outcome.relative(format!("{label}: heat"), "J", expected, got, 0.01);
    turned.closes(outcome, &label);
    Ok(())
}

/// A brake and a motor that slip at their largest torque.
fn torques(outcome: &mut Outcome, scheme: Scheme) -> Result<(), Error> {
    let braking = Hinge {
        brake: Some(TORQUE),
        ..Hinge::default()
    };
    let driving = Hinge {
        motor: Some(Motor {
            speed_deg: Some(1e5.into()),
            torque: TORQUE,
            ..Motor::default()
        }),
        ..Hinge::default()
    };
    for (name, hinge, sign) in [("brake", braking, -1.0), ("motor", driving, 1.0)] {
        let turned = Turned::of(hinge, scheme, 0.005, 60)?;
        let label = format!("{name} by {}", scheme.words());
        let angle = turned.angles.last().map_or(f64::NAN, |last| last[1]);
        let work = turned.books.work;
        let [got, other] = if sign < 0.0 {
            [work.brakes, work.motors]
        } else {
            [work.motors, work.brakes]
        };
        let expected = sign * TORQUE * angle;
        outcome.relative(format!("{label}: work"), "J", expected, got, 1e-9);
        let others = (other + work.dampers + work.limits) / turned.kinetic();
        outcome.absolute(format!("{label}: all others"), "1", 0.0, others, 1e-15);
        turned.closes(outcome, &label);
    }
    Ok(())
}

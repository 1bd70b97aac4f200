//! The ledger of energy and momentum, term by term.
//!
//! The ledger books the work of each force and its impulse, step by step. Each experiment has one
//! term in closed form: in free fall, implicit Euler loses `m (g h)^2 / 2` per step; friction takes
//! `mu m g d` over the way `d`; a belt gives its force times its own way; a floor that lifts gives
//! `m g v t`; a load gives `F d`; an impact takes `m v^2 (1 - e^2) / 2`. Energies are in J,
//! impulses in N s, moments about the origin in N m s, all per metre of depth.
//!
//! In each experiment the terms together explain the change of energy and momentum to 1e-11 of
//! their own size. Terms of loads and gravity agree to rounding, 1e-12; those of contact to between
//! 1e-6 and 1e-4. A vibration loses shares of its energy to the step, by the factor of the
//! integrator, which agree to 1e-8.

use crate::formulas::rest_gap;
use crate::oscillator::{self, rate, vibrating};
use crate::scenes::{DENSITY, Exact, G, STONE, ground, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::contact::barrier::BarrierShape;
use ipcsim::prelude::*;
use ipcsim_store::ledger::Books;
use nalgebra::Complex;

pub(super) const CASE: Case = Case {
    name: "motion_ledger",
    title: "Where energy and momentum come from and go",
    proves: "Each term of the ledger has the value of its closed form, and all together explain every change.",
    formula: "free fall loses 1/2 m (g h)^2 per step; -mu m g d; m g v t; F d; -1/2 m v^2 (1 - e^2)",
    source: "Work of constant forces; sums over the steps of implicit Euler",
    weight: Weight::Quick,
    run,
};

/// Step (s) and number of steps.
const H: f64 = 0.01;
const STEPS: usize = 40;
/// Side of a block (m) and its mass (kg).
const SIDE: f64 = 0.2;
const MASS: f64 = DENSITY * SIDE * SIDE;
/// Reach (m) and stiffness (Pa) of the barrier, coefficient of friction (1).
const D_HAT: f64 = 1e-3;
const KAPPA: f64 = 1e5;
const MU: f64 = 0.4;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("time (s)", "work of friction (J)"));
    fall(&mut outcome)?;
    slide(&mut outcome)?;
    conveyor(&mut outcome)?;
    lift(&mut outcome)?;
    push(&mut outcome)?;
    hit(&mut outcome)?;
    for scheme in Scheme::ALL {
        vibration(&mut outcome, scheme)?;
    }
    Ok(outcome)
}

/// Sums of the ledger of a scene after some steps, and the simulation.
struct Kept {
    /// Simulation at its end.
    simulation: Simulation,
    /// Sums since the start.
    books: Books,
    /// Work of friction at each time (s, J).
    friction: Vec<[f64; 2]>,
}

impl Kept {
    /// Simulates a scene with its ledger.
    fn of(mut scene: Scene, steps: usize) -> Result<Self, Error> {
        scene.output.ledger = true;
        let mut simulation = Simulation::new(scene)?;
        let mut books = Books::default();
        let mut friction = Vec::new();
        books.enter(&simulation.begin()?.record);
        for _ in 0..steps {
            books.enter(&simulation.step()?.record);
            friction.push([simulation.time(), books.work.friction]);
        }
        Ok(Self {
            simulation,
            books,
            friction,
        })
    }

    /// Judges what is unexplained, as a share of an energy and a momentum of the scene's own size.
    fn closes(&self, outcome: &mut Outcome, label: &str, energy: f64, momentum: f64) {
        let gap = (self.books.unexplained_work() / energy).abs();
        let name = format!("{label}: energy without explanation");
        outcome.at_most(name, "1", 1e-11, gap);
        let gap = self.books.unexplained_impulse();
        let gap = gap.linear.norm().max(gap.angular.abs()) / momentum;
        let name = format!("{label}: momentum without explanation");
        outcome.at_most(name, "1", 1e-11, gap);
    }

    /// Position of the block (m).
    fn place(&self) -> Result<[f64; 2], Error> {
        Ok(self.simulation.body("block")?.centre().into())
    }
}

/// A block at this height of its centre (m).
fn block(height: f64) -> Body {
    Body::rigid("block", Square::new(SIDE, 1), STONE).at([0.3, height])
}

/// Height of the centre of a block that rests on the ground (m).
fn resting() -> f64 {
    let share = 0.5 * DENSITY * G * SIDE / KAPPA;
    0.5 * SIDE + D_HAT * rest_gap(BarrierShape::Inverse, share)
}

/// Free fall: implicit Euler loses half of the square of `g h` in each step.
fn fall(outcome: &mut Outcome) -> Result<(), Error> {
    let kept = Kept::of(scene(H, STEPS).with_body(block(2.0)), STEPS)?;
    let steps = STEPS as f64;
    let speed = G * H * steps;
    let lost = -0.5 * MASS * (G * H).powi(2) * steps;
    let got = kept.books.work.inertia;
    outcome.relative("fall: inertia", "J", lost, got, 1e-9);
    let impulse = kept.books.impulses.gravity;
    let got = impulse.linear.y;
    let expected = -MASS * speed;
    outcome.relative("fall: impulse of gravity", "N s", expected, got, 1e-12);
    let got = impulse.angular;
    // The block is at x = 0.3 m, the arm of its weight about the origin.
    let expected = -MASS * speed * 0.3;
    outcome.relative("fall: moment of gravity", "N m s", expected, got, 1e-12);
    kept.closes(outcome, "fall", 0.5 * MASS * speed * speed, MASS * speed);
    Ok(())
}

/// A block that slides until it rests.
fn slide(outcome: &mut Outcome) -> Result<(), Error> {
    let speed = 1.0;
    let scene = scene(H, STEPS)
        .barrier(D_HAT, KAPPA)
        .rough(MU, 1e-5)
        .with_body(block(resting()).with_velocity([speed, 0.0]))
        .with_obstacle(ground());
    let kept = Kept::of(scene, STEPS)?;
    let way = kept.place()?[0] - 0.3;
    let got = kept.books.work.friction;
    let expected = -MU * MASS * G * way;
    outcome.relative("slide: friction", "J", expected, got, 1e-4);
    let got = kept.books.impulses.supports.linear.x;
    let expected = -MASS * speed;
    outcome.relative("slide: impulse of the ground", "N s", expected, got, 1e-6);
    let got = kept.books.impulses.supports.angular;
    let weight = MASS * G * H * STEPS as f64;

    // It carries the weight where the block is, and stops a momentum that passes above the origin.
    let about = weight * kept.mean_place() + MASS * speed * resting();
    outcome.relative("slide: moment of the ground", "N m s", about, got, 1e-4);
    kept.closes(outcome, "slide", 0.5 * MASS, MASS * G);
    outcome.plot.points("block that slides", kept.friction);
    Ok(())
}

impl Kept {
    /// Mean of the places of a block that slid from 0.3 m at 1 m/s (m): by steps
    /// `v_k = v_0 - k mu g h` until it rests, each counted with its place at the end.
    fn mean_place(&self) -> f64 {
        let [mut place, mut speed, mut sum] = [0.3, 1.0, 0.0];
        for _ in 0..self.friction.len() {
            speed = f64::max(speed - MU * G * H, 0.0);
            place += H * speed;
            sum += place;
        }
        sum / self.friction.len() as f64
    }
}

/// A block that a belt accelerates: the belt does the work of its own way, friction takes the slip.
fn conveyor(outcome: &mut Outcome) -> Result<(), Error> {
    // In 20 steps the block does not reach the speed of the belt: friction stays mu m g.
    let belt = 1.0;
    let steps = 20;
    let scene = scene(H, steps)
        .barrier(D_HAT, KAPPA)
        .rough(MU, 1e-5)
        .with_body(block(resting()))
        .with_obstacle(ground().with_belt(-belt));
    let kept = Kept::of(scene, steps)?;
    let force = MU * MASS * G;
    let time = H * steps as f64;
    let way = kept.place()?[0] - 0.3;

    let got = kept.books.work.prescribed;
    let expected = force * belt * time;
    outcome.relative("conveyor: belt", "J", expected, got, 1e-4);
    let got = kept.books.work.friction;
    let expected = -force * (belt * time - way);
    outcome.relative("conveyor: friction", "J", expected, got, 1e-4);
    kept.closes(outcome, "conveyor", MASS, MASS * G);
    outcome.plot.points("block on a belt", kept.friction);
    Ok(())
}

/// A block that a floor lifts.
fn lift(outcome: &mut Outcome) -> Result<(), Error> {
    let speed = 0.7;
    let end = H * STEPS as f64;
    // The block has the speed of the floor from the start, so that no impact takes energy.
    let mut floor = ground();
    floor.keyframes = vec![Keyframe::new(end, [0.0, speed * end])];
    let scene = scene(H, STEPS)
        .barrier(D_HAT, KAPPA)
        .with_body(block(resting()).with_velocity([0.0, speed]))
        .with_obstacle(floor);
    let kept = Kept::of(scene, STEPS)?;
    let got = kept.books.work.prescribed;
    let expected = MASS * G * speed * end;
    outcome.relative("lift: floor", "J", expected, got, 1e-6);
    kept.closes(outcome, "lift", expected, MASS * G);
    Ok(())
}

/// A block that a constant force pushes through `a h^2 n (n + 1) / 2`.
fn push(outcome: &mut Outcome) -> Result<(), Error> {
    let force = 30.0;
    let load = Load::force("block", [force, 0.0]);
    let scene = scene(H, STEPS)
        .weightless()
        .with_body(block(1.0))
        .with_load(load);
    let kept = Kept::of(scene, STEPS)?;
    let steps = STEPS as f64;
    let way = 0.5 * force / MASS * H * H * steps * (steps + 1.0);
    let got = kept.books.work.loads;
    outcome.relative("push: load", "J", force * way, got, 1e-12);
    // The force acts 1 m above the origin, hence a moment of minus its impulse.
    let got = kept.books.impulses.loads;
    let expected = force * H * steps;
    outcome.relative("push: impulse", "N s", expected, got.linear.x, 1e-12);
    outcome.relative("push: moment", "N m s", -expected, got.angular, 1e-12);
    kept.closes(outcome, "push", force * way, expected);
    Ok(())
}

/// A ball that hits the ground and rebounds with half of its speed.
fn hit(outcome: &mut Outcome) -> Result<(), Error> {
    let [speed, e] = [2.0, 0.5];
    let ball = Body::rigid("block", Circle::new(0.1), STONE).at([0.3, 0.13]);
    let scene = scene(1e-3, STEPS)
        .weightless()
        .with_body(ball.with_velocity([0.0, -speed]))
        .with_obstacle(ground())
        .with_restitution(e);
    let kept = Kept::of(scene, STEPS)?;
    let mass = kept.simulation.body("block")?.mass();
    let energy = 0.5 * mass * speed * speed;
    let work = kept.books.work;
    // Restitution, step and barrier share the loss, and the sum has the closed form.
    let lost = work.restitution + work.inertia + work.contact;
    let expected = -energy * (1.0 - e * e);
    outcome.relative("hit: restitution and barrier", "J", expected, lost, 1e-6);
    let impulses = kept.books.impulses;
    let got = impulses.supports.linear.y + impulses.restitution.linear.y;
    let expected = mass * speed * (1.0 + e);
    outcome.relative("hit: impulse", "N s", expected, got, 1e-6);
    kept.closes(outcome, "hit", energy, mass * speed);
    Ok(())
}

/// A vibration of a linear square whose right side moves: what the step takes from it.
fn vibration(outcome: &mut Outcome, scheme: Scheme) -> Result<(), Error> {
    let product = 0.3;
    let [side, young, stretch] = [oscillator::SIDE, oscillator::YOUNG, oscillator::STRETCH];
    let mut scene = vibrating(product / rate(), STEPS);
    scene.time = scene.time.by(scheme);
    let kept = Kept::of(scene, STEPS)?;
    let work = kept.books.work;
    let stored = 0.5 * young * (stretch * side).powi(2);

    // The amplitude of implicit Euler is divided by 1 + i w h in each step, and the squares of
    // changes in velocity and in stretch are lost.
    let factor = Complex::new(1.0, product).inv();
    let [mut lost_in_inertia, mut lost_in_elasticity] = [0.0; 2];
    let mut amplitude = Complex::new(stretch * side, 0.0);
    for _ in 0..STEPS {
        let change = amplitude * factor - amplitude;
        lost_in_inertia -= 0.5 * young * change.im * change.im;
        lost_in_elasticity -= 0.5 * young * change.re * change.re;
        amplitude *= factor;
    }
    if scheme != Scheme::ImplicitEuler {
        [lost_in_inertia, lost_in_elasticity] = [0.0; 2];
    }

    let words = scheme.words();
    let part = |part: &str| format!("vibration by {words}: {part}");
    if matches!(scheme, Scheme::ImplicitEuler | Scheme::Trapezoid) {
        for (name, expected, got) in [
            ("inertia", lost_in_inertia, work.inertia),
            ("elasticity", lost_in_elasticity, work.elasticity),
        ] {
            let [expected, got] = [expected / stored, got / stored];
            outcome.absolute(part(name), "1", expected, got, 1e-8);
        }
    }
    kept.closes(
        outcome,
        &format!("vibration by {words}"),
        stored,
        0.5 * DENSITY * side * side * rate() * stretch * side,
    );
    Ok(())
}

//! A bar that hits a wall, by each integrator, and by a trapezoid that takes the contact force of
//! the start for half of that of the step.
//!
//! A wave of compression runs through the bar and back. Its force is `rho c v A` from the first
//! moment to the last, so any oscillation of the contact force shows. Then the bar parts with the
//! speed that it came with.
//!
//! The bar has the speed `v = c / 100`, and a step lasts `L / 100 c`. Contact begins and ends
//! within the reach `d_hat` of the barrier, not at the wall, so the closed form of its duration is
//! an interval: from `2 L / c` to `2 L / c + 2 d_hat / v`, with 1 % at both ends.
//!
//! The mean force agrees to 1 %, and each force of the middle 80 % of contact to 5 %. Implicit
//! Euler has a known miss there, by up to 20 % more. The bar leaves with at least 98 % of its
//! speed; implicit Euler and the backward differences of second order damp waves and have a known
//! miss, by up to 10 % more.
//!
//! The largest force of the first tenth of contact and the largest stress of an element, as
//! shares of the exact ones, are reported and not judged: a step of force has all frequencies,
//! and what a mesh passes on of them is dispersed, so that methods of second order overshoot.
//!
//! The last quantity is a counterexample. A trapezoid that takes half of the contact force from the
//! start of the step has an error of at least the force itself.

use crate::scenes::{DENSITY, Exact, RUBBER, scene, wall};
use crate::{Case, Outcome, Plot, Quantity, Weight};
use ipcsim::contact::{Barriers, Candidates, Contacts};
use ipcsim::math::Vec2;
use ipcsim::prelude::*;
use ipcsim::solve::Stage;
use ipcsim::time::integrator::{Departure, Integrator, Trapezoid};

pub(super) const CASE: Case = Case {
    name: "impact_integrators",
    title: "A bar hits a wall, by each integrator",
    proves: "With implicit contact the trapezoid and tr_bdf2 have the force, the duration and the rebound of the impact of an elastic bar.",
    formula: "force rho c v A, contact 2 L/c + (0 to 2) d_hat/v, rebound v; c = sqrt(E/rho)",
    source: "Doyen, Ern, Piperno 2011, SIAM J. Sci. Comput. 33, section 5",
    weight: Weight::Quick,
    run,
};

/// Length, height (m), modulus (Pa), edges along the bar, reach of the barrier (m).
const LENGTH: f64 = 1.0;
const HEIGHT: f64 = 0.02;
const YOUNG: f64 = 1e6;
const EDGES: usize = 200;
const D_HAT: f64 = 1e-3;

/// Share of the force above which the bar touches the wall.
const TOUCH: f64 = 1e-3;

fn run() -> Result<Outcome, Error> {
    let c = (YOUNG / DENSITY).sqrt();
    let mut outcome = Outcome::new(Plot::new("time c / 2 L", "force / rho c v A"));
    outcome.plot.line("exact", vec![[0.0, 1.0], [1.0, 1.0]]);
    let period = 2.0 * LENGTH / c;
    let slack = 2.0 * D_HAT / (0.01 * c);

    for scheme in Scheme::ALL {
        let mut scene = bar(c);
        scene.time = scene.time.by(scheme);
        let Impact {
            duration,
            mean,
            worst,
            rebound,
            touch,
            stress,
            forces,
        } = Impact::of(Simulation::new(scene)?, c)?;
        let name = |what: &str| format!("{what}, {}", scheme.words());
        let damps = scheme == Scheme::ImplicitEuler || scheme == Scheme::Bdf2;
        let steps = scheme == Scheme::ImplicitEuler;

        outcome.relative(name("mean force"), "1", 1.0, mean, 0.01);
        let error = Quantity::at_most(name("largest error of the force"), "1", 0.05, worst);
        outcome.check(if steps {
            error.known_miss(SMEARED, 0.2)
        } else {
            error
        });
        let least = 0.99 * period;
        outcome.at_least(name("contact"), "s", least, duration);
        let most = 1.01 * (period + slack);
        outcome.at_most(name("contact"), "s", most, duration);
        let back = Quantity::at_least(name("rebound"), "1", 0.98, rebound);
        outcome.check(if damps {
            back.known_miss(SMEARED, 0.1)
        } else {
            back
        });
        for (what, got) in [
            ("largest force of the first tenth", touch),
            ("largest stress of an element", stress),
        ] {
            outcome.check(Quantity::reported(name(what), "1", 1.0, got));
        }
        outcome.plot.points(scheme.words(), forces);
    }

    // Half of the contact force of the start.
    let mut setup = bar(c).build()?;
    setup.world.integrator = Box::new(Halved(setup.world.barriers.clone()));
    let halved = Impact::of(Simulation::from(setup), c)?;
    let name = "largest error of the force, contact in the explicit half as well";
    outcome.at_least(name, "1", 1.0, halved.worst);
    outcome.plot.points("contact in both halves", halved.forces);
    Ok(outcome)
}

/// Reason of the misses of integrators that damp waves.
const SMEARED: &str = "backward differences damp the fronts of waves";

/// The bar, which flies into the wall; a wave runs along it in 100 steps.
fn bar(c: f64) -> Scene {
    let shape = Rectangle::new([LENGTH, HEIGHT], [EDGES, 1]);
    let bar = Body::deformable("bar", shape, RUBBER)
        .at([0.5 * LENGTH + 1.0001 * D_HAT, 0.0])
        .with_velocity([-0.01 * c, 0.0]);
    scene(0.01 * LENGTH / c, 1)
        .tolerance(1e-7)
        .weightless()
        .barrier(D_HAT, 10.0 * YOUNG)
        .elastic(Law::linear(YOUNG, 0.0))
        .with_body(bar)
        .with_obstacle(wall())
}

/// What is measured of an impact.
struct Impact {
    /// Time of contact (s).
    duration: f64,
    /// Mean, and largest error, of the force over the middle 80 % of contact, as shares of the
    /// exact one.
    mean: f64,
    worst: f64,
    /// Speed of the centre of mass after contact as a share of that before.
    rebound: f64,
    /// Largest force over the first tenth of contact, and largest von Mises stress of an element
    /// at any time, as shares of the exact ones.
    touch: f64,
    stress: f64,
    /// Force as a share of the exact one, over time as a share of that of a wave's way.
    forces: Vec<[f64; 2]>,
}

impl Impact {
    /// Lets the bar hit the wall and part from it.
    ///
    /// # Errors
    /// If a step fails.
    fn of(mut simulation: Simulation, c: f64) -> Result<Self, Error> {
        let speed = 0.01 * c;
        let exact = DENSITY * c * speed * HEIGHT;
        let period = 2.0 * LENGTH / c;
        let h = simulation.world().h;
        let mut forces = Vec::new();
        let mut stress = 0.0_f64;
        // Contact may last a tenth longer than the wave, by the reach of the barrier.
        while simulation.time() < 1.3 * period {
            simulation.step()?;
            let contacts = simulation.contacts();
            let force: f64 = contacts.map(|contact| contact.force_on("bar").x).sum();
            forces.push([simulation.time() / period, force / exact]);
            let stresses = simulation.stress();
            stress = stresses.into_iter().fold(stress, f64::max);
        }

        let touching: Vec<[f64; 2]> = forces.iter().filter(|p| p[1] > TOUCH).copied().collect();
        let tenth = touching.len() / 10;
        let middle: Vec<f64> = touching[tenth..touching.len() - tenth]
            .iter()
            .map(|point| point[1])
            .collect();
        let first = touching[..tenth].iter().map(|point| point[1]);
        let errors = middle.iter().map(|force| (force - 1.0).abs());
        Ok(Self {
            duration: h * touching.len() as f64,
            mean: middle.iter().sum::<f64>() / middle.len() as f64,
            worst: errors.fold(0.0, f64::max),
            rebound: simulation.body("bar")?.velocity().x / speed,
            touch: first.fold(0.0, f64::max),
            stress: stress / (DENSITY * c * speed),
            forces,
        })
    }
}

/// The trapezoid with contact as elasticity: half of its force is that of the start.
#[derive(Debug)]
struct Halved(Barriers);

impl Integrator for Halved {
    fn stage(&self, from: Departure) -> Stage {
        let stage = Trapezoid.stage(from);
        let Departure { model, start, .. } = from;
        let candidates = Candidates::find(&model.surface, &start.x, |_| 0.0);
        let found = Contacts::find(&model.surface, &self.0, &candidates, &start.x);

        let mut pull = stage.pull;
        pull.resize(start.q.len(), Vec2::zeros());
        for part in found.unwrap_or_default().energies() {
            part.add_gradient(&start.x, -stage.elasticity, &mut pull);
        }
        Stage {
            pull,
            contact: stage.elasticity,
            ..stage
        }
    }
}

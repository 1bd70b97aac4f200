//! Orders of the integrators where motion is smooth.
//!
//! A soft square is let go stretched and turning, and deforms by some percent. The reference is the
//! classical method of Runge and Kutta with short steps, which takes the forces of the mesh and
//! none of the simulator's steps.

use crate::scenes::{Exact, RUBBER, after, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::math::Vec2;
use ipcsim::prelude::*;
use ipcsim::solve::{Materials, Model};

pub(super) const CASE: Case = Case {
    name: "motion_orders",
    title: "A deforming body: order of each integrator",
    proves: "Where motion is smooth the error is of order 1 by implicit Euler, and of order 2 by all others.",
    formula: "order = log2 (error with h / error with h/2), errors against Runge and Kutta's method",
    source: "Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, section II.1",
    weight: Weight::Quick,
    run,
};

/// Duration (s), and numbers of steps.
const DURATION: f64 = 0.02;
const COUNTS: [usize; 2] = [400, 800];
/// Number of steps of the reference.
const FINE: usize = 2000;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::logarithmic("h (s)", "largest error (m)"));
    let expected = reference()?;
    for scheme in Scheme::ALL {
        let mut points = Vec::new();
        for count in COUNTS {
            let simulation = after(square(scheme, count), count)?;
            let places = simulation.state().x.iter().zip(&expected);
            let error = places.map(|(x, e)| (x - e).amax()).fold(0.0, f64::max);
            points.push([DURATION / count as f64, error]);
        }

        let order = if scheme == Scheme::ImplicitEuler {
            1.0
        } else {
            2.0
        };
        let got = (points[0][1] / points[1][1]).log2();
        let name = format!("order, {}", scheme.words());
        outcome.absolute(name, "1", order, got, 0.1);
        outcome.plot.points(scheme.words(), points);
    }
    Ok(outcome)
}

/// The square, for a run of this number of steps.
fn square(scheme: Scheme, steps: usize) -> Scene {
    let mut body = Body::deformable("square", Square::new(0.1, 2), RUBBER).with_spin(720.0);
    body.stretch = [1.06, 0.97];
    let mut scene = scene(DURATION / steps as f64, steps)
        .tolerance(1e-11)
        .weightless()
        .elastic(Law::neo_hookean(2e4, 0.3))
        .with_body(body);
    scene.time = scene.time.by(scheme);
    scene
}

/// Positions (m) at the end by the method of Runge and Kutta.
///
/// # Errors
/// If the scene cannot be built.
fn reference() -> Result<Vec<Vec2>, Error> {
    let simulation = Simulation::new(square(Scheme::default(), 1))?;
    let model = &simulation.world().model;
    let state = simulation.state();
    let h = DURATION / FINE as f64;
    let mut at = Phase {
        x: state.x.clone(),
        v: state.v.clone(),
    };

    for _ in 0..FINE {
        let a = at.slope(model);
        let b = at.moved(&a, 0.5 * h).slope(model);
        let c = at.moved(&b, 0.5 * h).slope(model);
        let d = at.moved(&c, h).slope(model);
        for (slope, weight) in [(a, 1.0), (b, 2.0), (c, 2.0), (d, 1.0)] {
            at = at.moved(&slope, weight * h / 6.0);
        }
    }
    Ok(at.x)
}

/// Positions (m) and velocities (m/s), or their rates.
struct Phase {
    x: Vec<Vec2>,
    v: Vec<Vec2>,
}

impl Phase {
    /// Rates of change here.
    fn slope(&self, model: &Model) -> Self {
        let at = ipcsim::body::Configuration::of(&model.coordinates, self.x.clone());
        let gradient = Materials::default().gradient(model, &at);
        let forces = gradient.iter().zip(&model.mass);
        Self {
            x: self.v.clone(),
            v: forces.map(|(g, mass)| -g.component_div(mass)).collect(),
        }
    }

    /// The phase after a time `t` (s) at these rates.
    fn moved(&self, slope: &Self, t: f64) -> Self {
        let along = |from: &[Vec2], slope: &[Vec2]| -> Vec<Vec2> {
            from.iter().zip(slope).map(|(a, b)| a + b * t).collect()
        };
        Self {
            x: along(&self.x, &slope.x),
            v: along(&self.v, &slope.v),
        }
    }
}

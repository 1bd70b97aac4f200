//! What Newmark's method does to a linear vibration, beside its amplification matrix in closed
//! form.
//!
//! The cell is that of `motion_amplification`: its right side moves as one mass on a spring, with
//! `u'' = -w^2 u`. For any parameters `beta` and `gamma` Newmark's equations
//!
//! `u_1 = u + h v + h^2 ((1/2 - beta) a + beta a_1)`, `v_1 = v + h ((1 - gamma) a + gamma a_1)`
//!
//! make of displacement and velocity `A_1^-1 A_2 (u, h v)` with
//!
//! `A_1 = [[1 + beta z, 0], [gamma z, 1]]`, `A_2 = [[1 - (1/2 - beta) z, 1], [-(1 - gamma) z, 1]]`
//!
//! and `z = w^2 h^2`. The simulator has `beta = gamma / 2`. Displacement and velocity after 6
//! steps agree to 1e-8 of the amplitude, with `gamma` from 1/2, which is the trapezoid, to 1. No
//! matrix has an eigenvalue beyond 1: after 1000 steps of `w h = 5` the amplitude is not larger
//! than at the start.

use crate::oscillator::{SIDE, STRETCH, elongation, rate, vibrating};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use nalgebra::{Matrix2, Vector2};

pub(super) const CASE: Case = Case {
    name: "motion_newmark",
    title: "Vibration by Newmark's method with any gamma",
    proves: "Newmark's method has its amplification matrix in closed form, and damps the more the larger its parameter.",
    formula: "(u, h v) times A_1^-1 A_2, A_1 = [[1 + beta z, 0], [gamma z, 1]], A_2 = [[1 - (1/2 - beta) z, 1], [-(1 - gamma) z, 1]], z = w^2 h^2",
    source: "Newmark 1959, J. Eng. Mech. Div. 85; Hughes, The Finite Element Method, section 9.1",
    weight: Weight::Quick,
    run,
};

/// Parameters, and products of angular frequency and step (1).
const GAMMAS: [f64; 4] = [0.5, 0.6, 0.75, 1.0];
const PRODUCTS: [f64; 4] = [0.1, 0.3, 1.0, 5.0];
/// Number of steps that are compared, and of those after which nothing may have grown.
const STEPS: u8 = 6;
const MANY: usize = 1000;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("w t", "u / u_0"));
    for gamma in GAMMAS {
        for product in PRODUCTS {
            let path = path(gamma, product, STEPS.into())?;
            let expected = matrix(gamma, product).pow(STEPS.into()) * path[0];
            for (k, what) in ["displacement", "velocity"].into_iter().enumerate() {
                let name = format!("{what} after 6 steps, gamma {gamma}, w h {product}");
                let got = path[usize::from(STEPS)][k];
                outcome.absolute(name, "1", expected[k], got, 1e-8);
            }
        }

        // Displacement, and velocity by the angular frequency.
        let [.., end] = &path(gamma, PRODUCTS[3], MANY)?[..] else {
            continue;
        };
        let amplitude = end[0].hypot(end[1] / PRODUCTS[3]);
        let name = format!(
            "amplitude after 1000 steps, gamma {gamma}, w h {}",
            PRODUCTS[3]
        );
        outcome.at_most(name, "1", 1.0 + 1e-6, amplitude);

        let slow = path(gamma, PRODUCTS[1], 60)?;
        let points = slow.iter().enumerate();
        let points = points.map(|(n, value)| [PRODUCTS[1] * n as f64, value[0]]);
        outcome
            .plot
            .points(format!("gamma {gamma}"), points.collect());
    }
    Ok(outcome)
}

/// Newmark's amplification matrix of displacement and velocity times step, for this product of
/// angular frequency and step.
fn matrix(gamma: f64, product: f64) -> Matrix2<f64> {
    let beta = 0.5 * gamma;
    let z = product * product;
    let end = Matrix2::new(1.0 + beta * z, 0.0, gamma * z, 1.0);
    let start = Matrix2::new(1.0 - (0.5 - beta) * z, 1.0, -(1.0 - gamma) * z, 1.0);
    end.try_inverse().unwrap_or_default() * start
}

/// Displacement and velocity times step of a simulated vibration, at the start and after each
/// step, over the displacement at the start.
///
/// # Errors
/// If the scene cannot be built or a step fails.
fn path(gamma: f64, product: f64, steps: usize) -> Result<Vec<Vector2<f64>>, Error> {
    let h = product / rate();
    let mut scene = vibrating(h, steps);
    scene.time = scene.time.by_newmark(gamma);

    let mut simulation = Simulation::new(scene)?;
    let value = |simulation: &Simulation| -> Result<Vector2<f64>, Error> {
        let cell = simulation.body("cell")?;
        let speed = simulation.state().v[cell.body().vertices.start + 2].x;
        Ok(Vector2::new(elongation(simulation)?, h * speed) / (STRETCH * SIDE))
    };
    let mut path = vec![value(&simulation)?];
    for _ in 0..steps {
        simulation.step()?;
        path.push(value(&simulation)?);
    }
    Ok(path)
}

//! What each integrator does to a linear vibration in a step, beside its factor in closed form.
//!
//! The cell is that of `motion_oscillator`: its right side moves as one mass on a spring. With
//! `y = w u + i v` the equation of motion is `y' = -i w y`, and an integrator multiplies `y` by a
//! function of `z = -i w h` in each step.
//!
//! The modulus of the factor is what a step leaves of the amplitude; its argument is the angle by
//! which the vibration goes on, `-w h` if it were exact. Implicit Euler has the modulus
//! `1 / sqrt(1 + w^2 h^2)` and damps all vibrations; the trapezoid has the modulus 1 and damps
//! none.
//!
//! Products `w h` go from 0.1, where all integrators are accurate, to 5, where a step is most of a
//! period. The modulus is a mean of 6 steps, the phase that of the last step. Both agree to 1e-8:
//! the stretch of 1e-3 and the linear law leave no nonlinear error.

use crate::oscillator::{elongation, rate, vibrating};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use nalgebra::Complex;
use std::f64::consts::SQRT_2;

pub(super) const CASE: Case = Case {
    name: "motion_amplification",
    title: "Vibration: amplification and phase, every integrator",
    proves: "Each integrator multiplies a linear vibration by its factor in closed form; the trapezoid keeps it.",
    formula: "1/(1 - z); (1 + z/2)/(1 - z/2); (3 - 2 z) y'' = 4 y' - y; tr_bdf2: both in turn; z = -i w h",
    source: "Hairer, Wanner, Solving Ordinary Differential Equations II, sections IV.3 and V.1",
    weight: Weight::Quick,
    run,
};

/// Number of steps.
const STEPS: usize = 6;

/// Products of angular frequency and step (1).
const PRODUCTS: [f64; 5] = [0.1, 0.3, 1.0, 2.0, 5.0];

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("w h", "modulus per step"));
    for scheme in Scheme::ALL {
        let modulus = |product: f64| per_step(expected(scheme, product))[0];
        outcome
            .plot
            .curve(scheme.words(), [0.02, PRODUCTS[4]], modulus);

        let mut points = Vec::new();
        for product in PRODUCTS {
            let got = per_step(measured(scheme, product)?);
            let expected = per_step(expected(scheme, product));
            for (k, part) in ["modulus", "phase"].into_iter().enumerate() {
                let name = format!("{part} per step, {}, w h {product}", scheme.words());
                let unit = ["1", "rad"][k];
                outcome.absolute(name, unit, expected[k], got[k], 1e-8);
            }
            points.push([product, got[0]]);
        }
        outcome
            .plot
            .points(format!("{}, measured", scheme.words()), points);
    }
    Ok(outcome)
}

/// Modulus, and phase of the last step (rad), of a vibration from its last two values, the first
/// one being 1.
fn per_step([before, last]: [Complex<f64>; 2]) -> [f64; 2] {
    let modulus = last.norm().powf(1.0 / STEPS as f64);
    [modulus, (last / before).arg()]
}

/// The last two values of a vibration that begins with 1, in closed form.
fn expected(scheme: Scheme, product: f64) -> [Complex<f64>; 2] {
    let z = Complex::new(0.0, -product);
    let euler = (1.0 - z).inv();
    let trapezoid = |z: Complex<f64>| (1.0 + z * 0.5) / (1.0 - z * 0.5);

    // Trapezoid over the share g of the step, then the parabola through three values.
    let g = 2.0 - SQRT_2;
    let parabola = (trapezoid(z * g) - (1.0 - g).powi(2)) / (g * (2.0 - g));
    let both = parabola / (1.0 - z * ((1.0 - g) / (2.0 - g)));

    // Differences of second order, which begin with implicit Euler.
    let mut values = [Complex::from(1.0), euler];
    for _ in 1..STEPS {
        let next = (values[1] * 4.0 - values[0]) / (3.0 - z * 2.0);
        values = [values[1], next];
    }

    let factor = match scheme {
        Scheme::ImplicitEuler => euler,
        Scheme::Trapezoid => trapezoid(z),
        Scheme::TrBdf2 => both,
        Scheme::Bdf2 => return values,
        Scheme::Static => Complex::from(0.0),
    };
    [STEPS - 1, STEPS].map(|n| factor.powu(u32::try_from(n).unwrap_or(0)))
}

/// The last two values of a simulated vibration as a share of the first.
///
/// # Errors
/// If the scene cannot be built or a step fails.
fn measured(scheme: Scheme, product: f64) -> Result<[Complex<f64>; 2], Error> {
    let rate = rate();
    let mut scene = vibrating(product / rate, STEPS);
    scene.time = scene.time.by(scheme);

    let mut simulation = Simulation::new(scene)?;
    let value = |simulation: &Simulation| -> Result<Complex<f64>, Error> {
        let cell = simulation.body("cell")?;
        let vertex = cell.body().vertices.start + 2;
        let speed = simulation.state().v[vertex].x;
        Ok(Complex::new(rate * elongation(simulation)?, speed))
    };
    let start = value(&simulation)?;
    simulation.run(STEPS - 1)?;
    let before = value(&simulation)?;
    simulation.step()?;
    Ok([before / start, value(&simulation)? / start])
}

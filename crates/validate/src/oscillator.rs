//! One elastic cell as an oscillator, for cases of integrators.
//!
//! The left side of a square cell is held. Without Poisson's effect and with a uniform mass per vertex
//! the right side moves as one mass on a spring, with the rate `w` of `w^2 = E H / (L m)`.

use crate::scenes::{DENSITY, Exact, RUBBER, scene};
use ipcsim::body::Lumping;
use ipcsim::prelude::*;

/// Side (m), modulus (Pa), stretch at the start (1).
pub(super) const SIDE: f64 = 0.1;
pub(super) const YOUNG: f64 = 1e5;
pub(super) const STRETCH: f64 = 1e-3;

/// Rate of the vibration (rad/s). The right side has half of the mass, and a square has `H / L = 1`.
pub(super) fn rate() -> f64 {
    (YOUNG / (0.5 * DENSITY * SIDE * SIDE)).sqrt()
}

/// The cell, stretched and held at its left side.
pub(super) fn cell() -> Body {
    let mut cell = Body::deformable("cell", Square::new(SIDE, 1), RUBBER);
    cell.stretch = [1.0 + STRETCH, 1.0];
    cell.lumping = Lumping::Uniform;
    cell.with_prescribed(Prescribed::held(Selection::Indices(vec![0, 1])))
}

/// A scene of the cell with `steps` steps of `h` (s).
pub(super) fn vibrating(h: f64, steps: usize) -> Scene {
    scene(h, steps)
        .tolerance(1e-12)
        .weightless()
        .elastic(Law::linear(YOUNG, 0.0))
        .with_body(cell())
}

/// Elongation of the cell (m). Its left side is where the stretch has put it.
///
/// # Errors
/// If the scene has no cell.
pub(super) fn elongation(simulation: &Simulation) -> Result<f64, Error> {
    let x = simulation.body("cell")?.x();
    Ok(x[2].x - x[0].x - SIDE)
}

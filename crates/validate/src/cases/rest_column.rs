//! A rigid weight on a soft column, and a soft block confined by walls.
//!
//! In the first scene a rigid weight `W` stands on a column of the height `H` and width `A`. The
//! force at the height `y` is `W + rho g A (H - y)`; its integral over `E A` is the shortening, to
//! 1e-4. The lowest and the highest row of vertices are compared, so that gaps of contact do not
//! count.
//!
//! In the second one, walls without friction stop the block from widening. With no strain along x
//! and z the stress along x is `nu / (1 - nu)` of that along y, `rho g (H - y)`. Its integral is
//! the force on a wall, to 2e-3 up to Poisson's ratio 0.49. The reach of the barrier is a
//! micrometre: widening into it would relieve the walls.

use crate::scenes::{DENSITY, Exact, G, RUBBER, STONE, after, force_on, ground, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "rest_column",
    title: "A weight on a soft column, and walls that confine one",
    proves: "A column shortens by its own weight and by that on it. Walls carry the share of the vertical stress that Poisson's ratio gives.",
    formula: "shortening = (W H + rho g H^2 A/2) / E A; side force = nu / (1 - nu) rho g H^2 / 2",
    source: "Timoshenko, Strength of Materials",
    weight: Weight::Quick,
    run,
};

/// Width and height of the column (m), modulus (Pa), reach of the barrier (m).
const SIZE: [f64; 2] = [0.2, 0.4];
const YOUNG: f64 = 1e6;
const D_HAT: f64 = 1e-6;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("Poisson's ratio", "side force / (rho g H^2 / 2)"));
    let [expected, got] = shortening()?;
    outcome.relative("shortening under a weight", "m", expected, got, 1e-4);

    outcome
        .plot
        .curve("nu / (1 - nu)", [0.0, 0.49], |nu| nu / (1.0 - nu));
    let mut measured = Vec::new();
    for nu in [0.1, 0.3, 0.45, 0.49] {
        let share = side(nu)?;
        let name = format!("side force / (rho g H^2 / 2), nu {nu}");
        outcome.relative(name, "1", nu / (1.0 - nu), share, 2e-3);
        measured.push([nu, share]);
    }
    outcome.plot.points("measured", measured);
    Ok(outcome)
}

/// Expected and measured shortening (m) of a column under a rigid weight as wide as it is.
fn shortening() -> Result<[f64; 2], Error> {
    let [width, height] = SIZE;
    let column = Rectangle::new(SIZE, [4, 8]);
    let weight = Body::rigid("weight", Rectangle::new([width, 0.1], [4, 1]), STONE);
    let scene = scene(1.0, 60)
        .elastic(Law::linear(YOUNG, 0.0))
        .barrier(D_HAT, 1e7)
        .with_body(
            Body::deformable("column", column, RUBBER).at([0.0, 0.5 * height + 0.99 * D_HAT]),
        )
        .with_body(weight.at([0.0, height + 0.05 + 1.98 * D_HAT]))
        .with_obstacle(ground());
    let simulation = after(scene, 60)?;

    // Means of the upper and the lower row, in which ends count half.
    let x = simulation.body("column")?.x();
    let row = |j: usize| {
        let inner: f64 = (1..4).map(|i| x[i * 9 + j].y).sum();
        (inner + 0.5 * (x[j].y + x[36 + j].y)) / 4.0
    };
    // The width is a factor of the forces and of A, and cancels.
    let own = 0.5 * DENSITY * G * height * height;
    let load = DENSITY * G * 0.1 * height;
    Ok([(own + load) / YOUNG, height - (row(8) - row(0))])
}

/// Force on a wall beside a confined block as a share of `rho g H^2 / 2`.
fn side(nu: f64) -> Result<f64, Error> {
    let [width, height] = SIZE;
    let block = Body::deformable("block", Rectangle::new(SIZE, [8, 16]), RUBBER);
    // Walls are within reach: with a gap the block would widen before they bear.
    let place = 0.5 * width + 0.999 * D_HAT;
    let wall =
        |name: &str, x: f64| Obstacle::new(name, HalfPlane::new([-x.signum(), 0.0], [x, 0.0]));
    let scene = scene(1.0, 60)
        .elastic(Law::linear(YOUNG, nu))
        .barrier(D_HAT, 1e7)
        .with_body(block.at([0.0, 0.5 * height + 0.99 * D_HAT]))
        .with_obstacle(ground())
        .with_obstacle(wall("left", -place))
        .with_obstacle(wall("right", place));
    let simulation = after(scene, 60)?;
    let vertical = 0.5 * DENSITY * G * height * height;
    Ok(force_on(&simulation, "right").x / vertical)
}

//! A weight on gas in a cylinder.
//!
//! A piston of the mass `m` and the width `W - 2 g` closes a cylinder of the width `W` with a gap `g` on either
//! side. Straight sides across the gaps close the outline, so that the gas acts on the width `W - g`. Let
//! `V` be the volume and `V_0` that at the start, with the ambient pressure `p_a`. Equilibrium is
//!
//! `p_a (V_0 / V)^gamma - p_a = m g_0 / (W - g)`
//!
//! at a constant temperature, and for air without exchange of heat. The cylinder turns over for the last
//! one: the piston hangs, and the pressure falls.

use crate::gas::{ATMOSPHERE, gas};
use crate::perturb::simulated;
use crate::scenes::{Exact, G, statics};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::{Bounds, Chamber};
use ipcsim::time::ChamberState;

pub(super) const CASE: Case = Case {
    name: "chamber_piston",
    title: "Gas under a piston",
    proves: "Gas in a cylinder bears a piston at the height at which the product of pressure and power of volume says.",
    formula: "p_a (V_0/V)^gamma - p_a = m g/(W - g)",
    source: "Boyle 1662; Poisson 1823",
    weight: Weight::Quick,
    run,
};

/// Width of the cylinder, its height, gap beside the piston, height of the piston (m), and where it
/// stands at the start.
const WIDTH: f64 = 0.1;
const HEIGHT: f64 = 0.3;
const GAP: f64 = 0.001;
const THICK: f64 = 0.1;
const START: f64 = 0.15;
/// Density of the piston (kg/m^3).
const DENSE: f64 = 2e5;
/// Largest relative error of pressures and volumes (1).
const TOLERANCE: f64 = 1e-6;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("V / V_0", "p / p_a"));
    let load = DENSE * THICK * (WIDTH - 2.0 * GAP) * G / (WIDTH - GAP);
    for (label, gamma, sign) in [
        ("constant temperature", 1.0, 1.0),
        ("no exchange of heat", 1.4, 1.0),
        ("hanging", 1.4, -0.2),
    ] {
        let (before, after) = pressed(gamma, sign)?;

        // The weight over the width that bears it is the pressure over the ambient one.
        let expected = ATMOSPHERE + sign * load;

        let named = |what: &str| format!("{what}, {label}");
        outcome.relative(named("pressure"), "Pa", expected, after.pressure, TOLERANCE);
        let volume = before.volume * (ATMOSPHERE / expected).powf(1.0 / gamma);
        outcome.relative(named("volume"), "m^3", volume, after.volume, TOLERANCE);
        let curve = |v: f64| v.powf(-gamma);
        outcome.plot.curve(label, [0.3, 1.2], curve);
        let point = [after.volume / before.volume, after.pressure / ATMOSPHERE];
        outcome
            .plot
            .points(format!("{label}, measured"), vec![point]);
    }
    Ok(outcome)
}

/// Gas before and under the weight, times a factor.
///
/// The factor is of gravity; it is negative for the piston that hangs. Statics has four steps.
fn pressed(gamma: f64, weight: f64) -> Result<(ChamberState, ChamberState), Error> {
    let [half, out] = [0.5 * WIDTH, 0.5 * WIDTH + 0.02];
    let cylinder = Outline::new(vec![
        [-out, -0.02],
        [out, -0.02],
        [out, HEIGHT],
        [half, HEIGHT],
        [half, 0.0],
        [-half, 0.0],
        [-half, HEIGHT],
        [-out, HEIGHT],
    ]);

    // The gas is inside of the cylinder, and below the piston.
    let inside = Selection::Box(Bounds {
        min: [-1.001 * half, -1e-6],
        max: [1.001 * half, 2.0 * HEIGHT],
    });

    let shape = Rectangle::new([WIDTH - 2.0 * GAP, THICK], [1, 1]);
    let mut piston = Body::rigid("piston", shape, "lead").at([0.0, START + 0.5 * THICK]);
    piston.fixed = vec![Axis::X, Axis::Angle];
    let mut chamber = Chamber::new("gas")
        .with_wall("cylinder", Some(inside))
        .with_wall("piston", Some(Selection::Side(Side::Bottom)));
    chamber.gamma = gamma;

    // The gap is a gap: nothing touches.
    let mut scene = statics(4)
        .tolerance(1e-12)
        .with_gravity([0.0, -G * weight])
        .with_material("lead", Material::rigid(DENSE))
        .with_body(piston)
        .with_obstacle(Obstacle::new("cylinder", cylinder))
        .with_chamber(chamber);
    scene.contact.exclude = vec![["piston".to_owned(), "cylinder".to_owned()]];

    let mut simulation = simulated(scene)?;
    let before = gas(&simulation, 0);
    simulation.run(4)?;
    Ok((before, gas(&simulation, 0)))
}

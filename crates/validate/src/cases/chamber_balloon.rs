//! Balloons that gas blows up.
//!
//! An amount of gas is filled into a closed rod and into a tube of rubber at a constant temperature. The
//! pressure that the wall needs at a stretch, and the pressure of the gas at its volume, agree at
//! one stretch:
//!
//! - rod, a regular polygon with the stretch `s`: `EA (s - 1) / r_i(s) = p_0 N / V(s) - p_a`, to rounding;
//! - half of a spherical shell of revolution of the same rubber: `int 2 mu (l - l^-5) / (l^3 - 1) dl` from `l_b` to
//!   `l_a` is the pressure, to 0.05 %;
//! - tube of incompressible neo-Hookean rubber in plane strain, with the stretches `l_a` and `l_b` of its
//!   circles: `mu (ln(l_a / l_b) + (l_b^-2 - l_a^-2) / 2) = p_0 N / V - p_a`, where quadratic triangles with
//!   Poisson's ratio 0.4999 and mean dilatation have an error below 0.02 %.

use crate::cases::load_ring::ring;
use crate::formulas::{integral, root};
use crate::gas::{ATMOSPHERE, Polygon, gas};
use crate::perturb::simulated;
use crate::scenes::{Exact, statics};
use crate::turned::{at_height, on_y, section, shell, turned};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::{Chamber, Dilatation, Filling};
use ipcsim::time::ChamberState;
use std::f64::consts::PI;

pub(super) const CASE: Case = Case {
    name: "chamber_balloon",
    title: "Gas in balloons of a rod and of rubber",
    proves: "An amount of gas blows balloons of a rod and of triangles up to where their tension bears its pressure.",
    formula: "EA (s - 1)/r_i = p; mu (ln(l_a/l_b) + (l_b^-2 - l_a^-2)/2) = p, p = p_0 N/V - p_a",
    source: "Mariotte 1680; Rivlin 1949",
    weight: Weight::Quick,
    run,
};

/// The balloon of a rod.
const ROD: Polygon = Polygon {
    radius: 0.1,
    axial: 2e3,
    sides: 48,
};
/// Radii (m), shear modulus (Pa) and Poisson's ratio (1) of the tube, and layers of its mesh.
const RADII: [f64; 2] = [0.1, 0.12];
const SHEAR: f64 = 1e5;
const POISSON: f64 = 0.4999;
const LAYERS: usize = 3;
/// Gas that is added to half of a sphere (m^3).
const HALF_SHELL: f64 = 1e-3;

/// What is added to a chamber by the time 1 s (m^3).
pub(super) fn filled(mut chamber: Chamber, amount: f64) -> Chamber {
    chamber.fill = Some(Filling {
        amount: Some(Varying::Table(Table {
            times: vec![0.0, 1.0],
            values: vec![0.0, amount],
        })),
        ..Filling::default()
    });
    chamber
}

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("V (m^3)", "p - p_a (Pa)"));
    let mut measured = Vec::new();

    // The rod. Its volume at the start is that of a polygon.
    for added in [0.005, 0.02, 0.05] {
        let scene = statics(5)
            .tolerance(1e-12)
            .weightless()
            .with_body(ROD.body("balloon", 0.0))
            .with_chamber(filled(Polygon::chamber("balloon"), added));
        let mut simulation = simulated(scene)?;
        simulation.run(5)?;
        let found = gas(&simulation, 0);

        let amount = ROD.volume(1.0) + added;
        let gauge = |s: f64| ATMOSPHERE * (amount / ROD.volume(s) - 1.0);
        let stretch = root([1.0, 4.0], |s| ROD.pressure(s) - gauge(s));
        let name = format!("pressure, rod, {added} m^3");
        outcome.relative(name, "Pa", gauge(stretch), found.gauge, 1e-6);
        let name = format!("volume, rod, {added} m^3");
        outcome.relative(name, "m^3", ROD.volume(stretch), found.volume, 1e-6);
        measured.push([found.volume, found.gauge]);
    }
    outcome.plot.points("rod", measured);

    let mut measured = Vec::new();
    for added in [0.01, 0.03] {
        let found = blown(added)?;
        let volume = PI * RADII[0] * RADII[0];
        let of = |l: f64| ATMOSPHERE * ((volume + added) / (volume * l * l) - 1.0);
        let stretch = root([1.0, 3.0], |l| tube(l) - of(l));
        let name = format!("pressure, tube, {added} m^3");
        outcome.relative(name, "Pa", of(stretch), found.gauge, 2e-4);
        let name = format!("volume, tube, {added} m^3");
        outcome.relative(name, "m^3", volume * stretch * stretch, found.volume, 2e-4);
        measured.push([found.volume, found.gauge]);
    }
    outcome.plot.points("tube", measured);

    // Half of a sphere.
    let found = blown_shell()?;
    let volume = 2.0 / 3.0 * PI * RADII[0].powi(3);
    let of = |l: f64| ATMOSPHERE * ((volume + HALF_SHELL) / (volume * l.powi(3)) - 1.0);
    let stretch = root([1.001, 2.0], |l| sphere(l) - of(l));
    outcome.relative("pressure, sphere", "Pa", of(stretch), found.gauge, 5e-4);
    let expected = volume * stretch.powi(3);
    outcome.relative(
        "volume, half of a sphere",
        "m^3",
        expected,
        found.volume,
        2e-4,
    );
    Ok(outcome)
}

/// Pressure (Pa) of the tube at the stretch of its bore.
fn tube(inside: f64) -> f64 {
    let ratio = RADII[0] / RADII[1];
    let outside = (1.0 + (inside * inside - 1.0) * ratio * ratio).sqrt();
    SHEAR * ((inside / outside).ln() + 0.5 * (outside.powi(-2) - inside.powi(-2)))
}

/// Pressure (Pa) of the shell at the stretch of its bore.
fn sphere(inside: f64) -> f64 {
    let ratio = RADII[0] / RADII[1];
    let outside = (1.0 + (inside.powi(3) - 1.0) * ratio.powi(3)).cbrt();
    integral([outside, inside], 200, |l| {
        2.0 * SHEAR * (l - l.powi(-5)) / (l.powi(3) - 1.0)
    })
}

/// Gas in half of the shell after [`HALF_SHELL`] was added.
fn blown_shell() -> Result<ChamberState, Error> {
    let body = section(shell(RADII, [12, LAYERS], true))
        .mean_dilatation()
        .with_prescribed(on_y(at_height(0.0, 1e-9)));
    let inside = Selection::disk([0.0, 0.0], 1.000_01 * RADII[0]);
    let chamber = Chamber::new("gas").with_wall("body", Some(inside));
    let law = Law::neo_hookean(2.0 * SHEAR * (1.0 + POISSON), POISSON);
    let scene = turned(5, law)
        .with_body(body)
        .with_chamber(filled(chamber, HALF_SHELL));
    let mut simulation = simulated(scene)?;
    simulation.run(5)?;
    Ok(gas(&simulation, 0))
}

/// Gas in the tube after this amount (m^3) was added.
fn blown(added: f64) -> Result<ChamberState, Error> {
    let mut body = ring(RADII, LAYERS, true);
    body.dilatation = Dilatation::Mean;
    let end = |axis: Axis, at: [f64; 2]| Prescribed {
        axis: Some(axis),
        ..Prescribed::held(Selection::Nearest(at))
    };

    let body = body
        .with_prescribed(end(Axis::Y, [RADII[1], 0.0]))
        .with_prescribed(end(Axis::Y, [-RADII[1], 0.0]))
        .with_prescribed(end(Axis::X, [0.0, RADII[1]]));
    let chamber = Chamber::new("gas").with_wall("ring", None);
    let scene = statics(5)
        .tolerance(1e-11)
        .weightless()
        .elastic(Law::neo_hookean(2.0 * SHEAR * (1.0 + POISSON), POISSON))
        .with_body(body)
        .with_chamber(filled(chamber, added));
    let mut simulation = simulated(scene)?;
    simulation.run(5)?;
    Ok(gas(&simulation, 0))
}

//! Bodies of revolution: a spherical balloon through its limit point, by arc length.
//!
//! An incompressible shell of the radii `A` and `B` whose bore has grown by the factor `l_a`, and its outside
//! by `l_b`, has the pressure `int W'(l) / (l^3 - 1) dl` from `l_b` to `l_a`, with the energy density `W` of an even stretch
//! `l` of the surface. It has a maximum, beyond which the pressure falls while the balloon grows; one of Mooney and
//! Rivlin rises again. Beyond the maximum shapes that are no spheres branch off, so that the path of a fine
//! mesh may be lost there. The rubber has Poisson's ratio 0.499 and a mean dilatation.

use crate::perturb::simulated;
use crate::scenes::{Exact, RUBBER};
use crate::turned::{at_height, on_y, section, shell};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::{Plane, Selection};

pub(super) const CASE: Case = Case {
    name: "axis_balloon",
    title: "Bodies of revolution: a balloon through its limit point",
    proves: "A balloon of neo-Hookean and of Mooney-Rivlin rubber follows its pressure curve beyond the maximum, which is where it is.",
    formula: "p = int W'(l)/(l^3 - 1) dl, from (1 + (l_a^3 - 1)(A/B)^3)^(1/3) to l_a",
    source: "Green and Shield 1950; Ogden, Non-Linear Elastic Deformations, section 5.3.2",
    weight: Weight::Quick,
    run,
};

/// Radii (m), shear modulus (Pa), Poisson's ratio (1), pressure at the load time 1 s (Pa).
const RADII: [f64; 2] = [1.0, 1.1];
const SHEAR: f64 = 1e6;
const POISSON: f64 = 0.499;
const RATE: f64 = 2e4;
/// Number of increments, and largest displacement of each (m).
const INCREMENTS: usize = 13;
const LENGTH: f64 = 0.06;

/// Shares of `I_1` and `I_2` in the shear modulus (1).
#[derive(Clone, Copy)]
struct Rubber([f64; 2]);

impl Rubber {
    /// Derivative of the energy density by the stretch of the surface (Pa).
    fn slope(self, l: f64) -> f64 {
        let [first, second] = self.0.map(|share| share * SHEAR / 2.0);
        first * 4.0 * (l - l.powi(-5)) + second * 4.0 * (l.powi(3) - l.powi(-3))
    }

    /// Pressure (Pa) where the bore has grown by a factor.
    fn pressure(self, grown: f64) -> f64 {
        let [a, b] = RADII;
        let outside = (1.0 + (grown.powi(3) - 1.0) * (a / b).powi(3)).cbrt();
        let count = 2000;
        let width = (grown - outside) / f64::from(count);
        let parts = (0..count).map(|k| {
            let l = outside + width * (f64::from(k) + 0.5);
            self.slope(l) / (l.powi(3) - 1.0) * width
        });
        parts.sum()
    }

    /// The law.
    fn law(self) -> Law {
        if self.0[1] == 0.0 {
            return Law::neo_hookean(2.0 * SHEAR * (1.0 + POISSON), POISSON);
        }
        let bulk = 2.0 * SHEAR * (1.0 + POISSON) / (3.0 * (1.0 - 2.0 * POISSON));
        let [first, second] = self.0.map(|share| share * SHEAR / 2.0);
        Law::mooney_rivlin(first, second, bulk)
    }
}

/// Judges pressures along the path to 2 %, where the rubber that is not quite incompressible counts most at
/// first, the largest to 1 %, and that the neo-Hookean one has passed its maximum.
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("stretch of the bore", "pressure (Pa)"));
    for (label, rubber) in [
        ("neo-Hookean", Rubber([1.0, 0.0])),
        ("Mooney-Rivlin", Rubber([0.8, 0.2])),
    ] {
        outcome
            .plot
            .curve(label, [1.01, 1.9], |l| rubber.pressure(l));
        let states = blown(rubber)?;
        let errors = states
            .iter()
            .map(|[grown, p]| (p / rubber.pressure(*grown) - 1.0).abs());
        let name = format!("largest error of the pressure along the path, {label}");
        outcome.absolute(name, "1", 0.0, errors.fold(0.0, f64::max), 0.02);
        let highest = states.iter().map(|state| state[1]).fold(0.0, f64::max);
        let exact = (0..200).map(|k| rubber.pressure(1.2 + 0.003 * f64::from(k)));
        if label == "neo-Hookean" {
            let exact = exact.fold(0.0, f64::max);
            outcome.relative("largest pressure, neo-Hookean", "Pa", exact, highest, 0.01);
            let last = states.last().map_or(f64::NAN, |state| state[1]);
            outcome.at_most("last pressure over the largest", "1", 0.99, last / highest);
        }
        outcome.plot.points(format!("{label}, measured"), states);
    }
    Ok(outcome)
}

/// Stretch of the bore and pressure (Pa) along the path.
fn blown(rubber: Rubber) -> Result<Vec<[f64; 2]>, Error> {
    let body = section(shell(RADII, [12, 1], false))
        .mean_dilatation()
        .with_prescribed(on_y(at_height(0.0, 1e-9)));
    let inside = Selection::disk([0.0, 0.0], 1.000_01 * RADII[0]);

    // The load time is the parameter of the pressure.
    let mut scene = Scene::new(Time::new(1.0, INCREMENTS).along(LENGTH))
        .weightless()
        .with_material(RUBBER, Material::new(1000.0, rubber.law()))
        .with_body(body)
        .with_load(Load::pressure("body", format!("{RATE}*t").as_str()).on(inside));
    scene.plane = Plane::Axisymmetric;
    let mut simulation = simulated(scene)?;
    let rest = simulation.world().rest.clone();
    let inner: Vec<usize> = (0..rest.len())
        .filter(|&i| rest[i].norm() < 1.000_01 * RADII[0])
        .collect();
    let mut states = Vec::new();
    for _ in 0..INCREMENTS {
        let record = simulation.step()?.record;
        let x = &simulation.state().x;
        let grown: f64 = inner.iter().map(|&i| x[i].norm() / rest[i].norm()).sum();
        states.push([grown / inner.len() as f64, RATE * record.time]);
    }
    Ok(states)
}

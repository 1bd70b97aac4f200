//! Gradients of a round body pressed on a plane, and of a strip that bends far.
//!
//! A quarter of a disk between two planes, by symmetry. With the force `F` per thickness (N/m) and
//! `E* = E/(1 - nu^2)` its half-width of contact is `a = sqrt(4 F R / pi E*)`, and the approach of the
//! plane and the centre
//!
//! `d = F/(pi E*) (2 ln(4 R/a) - 1)`
//!
//! (Johnson, eq. 5.57, half of it). At a given approach `F` is in proportion to `E`, so that
//! `dF/dE = F/E`; and `dF/dd = pi E* / (2 ln(4 R/a) - 2)`. The barrier is soft in this: with a
//! thousandth of the half-width it adds 1 % to the force, which the tolerances of 2 % contain. For
//! comparison the adjoint is perturbed: without contact in it `dF/dd` must be off by more than a half.
//!
//! The heavy elastica of `elastic_elastica` has no closed form, but its derivative by the load
//! `l = q L^3/(E I)` is a difference of two solutions. It gives those by gravity and by the modulus: `l` is
//! in proportion to the first and to the reciprocal of the second. Quadratic triangles are within 1 %.

use super::elastic_elastica::elastica;
use super::motion_gradient::{derivative, derivative_without, value};
use crate::formulas::root;
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim_diff::Omitted;
use serde_json::{Value, json};
use std::f64::consts::{FRAC_1_SQRT_2, PI};

pub(super) const CASE: Case = Case {
    name: "elastic_gradient",
    title: "Gradients of Hertz's contact and of the elastica",
    proves: "Gradients through a growing contact and through large rotations are those of the theories.",
    formula: "dF/dE = F/E, dF/dd = pi E*/(2 ln(4 R/a) - 2); derivatives of the elastica by shooting",
    source: "Johnson, Contact Mechanics, section 5.6; Wang 1986",
    weight: Weight::Quick,
    run,
};

/// Radius of the disk (m).
const RADIUS: f64 = 1.0;
/// Approach of the plane to the centre (m).
const APPROACH: f64 = 0.01;
/// Reach of the barrier (m).
const D_HAT: f64 = 1e-4;
/// Modulus of the disk (Pa).
const YOUNG: f64 = 1e6;
/// Poisson's ratio of the disk (1).
const POISSON: f64 = 0.3;
/// Number of increments.
const INCREMENTS: u32 = 4;
/// Length and height of the strip (m).
const SIZE: [f64; 2] = [1.0, 0.02];
/// Modulus of the strip (Pa).
const STIFF: f64 = 1e7;
/// Density of the strip (kg/m^3).
const DENSITY: f64 = 1000.0;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("load of the elastica", "d drop / d load (m)"));
    hertz(&mut outcome);
    bent(&mut outcome)?;
    Ok(outcome)
}

/// Judges derivatives of the force on a disk.
fn hertz(outcome: &mut Outcome) {
    let star = YOUNG / (1.0 - POISSON * POISSON);
    let width = |force: f64| (4.0 * force * RADIUS / (PI * star)).sqrt();
    let approach =
        |force: f64| force / (PI * star) * (2.0 * (4.0 * RADIUS / width(force)).ln() - 1.0);
    let force = root([1.0, 0.1 * YOUNG], |force| approach(force) - APPROACH);
    let stiffness = PI * star / (2.0 * (4.0 * RADIUS / width(force)).ln() - 2.0);

    // Half of the force is that on the quarter. The plane moves at the approach over the increments.
    let of = "ground.reaction_y";
    let scene = disk();
    let found = 2.0 * value(&scene, of).abs();
    let law = "materials.rubber.law.linear.young";
    let by_young = 2.0 * derivative(&scene, of, law).abs();
    let by_speed = 2.0 * derivative(&scene, of, "obstacles.ground.velocity.1").abs();
    outcome.relative("Hertz: F", "N/m", force, found, 0.02);
    outcome.relative("Hertz: dF/dE", "m", force / YOUNG, by_young, 0.02);
    outcome.relative(
        "Hertz: E dF/dE over F",
        "1",
        1.0,
        YOUNG * by_young / found,
        2e-4,
    );
    outcome.relative(
        "Hertz: dF/dd",
        "N/m^2",
        stiffness,
        by_speed / f64::from(INCREMENTS),
        0.02,
    );

    let without = Omitted {
        contact: true,
        ..Omitted::default()
    };
    let wrong = 2.0 * derivative_without(&scene, of, "obstacles.ground.velocity.1", without).abs();
    let off = (wrong / f64::from(INCREMENTS) / stiffness - 1.0).abs();
    outcome.at_least(
        "Hertz: error of dF/dd without contact in the adjoint",
        "1",
        0.5,
        off,
    );
}

/// Judges derivatives of the end of a strip.
///
/// # Errors
/// None; all cases may fail.
#[allow(clippy::unnecessary_wraps, reason = "as all parts of cases")]
fn bent(outcome: &mut Outcome) -> Result<(), Error> {
    let drop = |load: f64| elastica(load).last().map_or(f64::NAN, |end| end[1]);
    let slope = |load: f64| (drop(1.001 * load) - drop(0.999 * load)) / (0.002 * load);
    let mut measured = Vec::new();
    for load in [0.5, 2.0, 6.0] {
        let gravity = load * STIFF * SIZE[1].powi(2) / (12.0 * DENSITY * SIZE[0].powi(3));

        // Both derivatives are those by the load.
        let scene = strip(gravity);
        let by_gravity = derivative(&scene, "tip", "gravity.1");
        let by_young = derivative(&scene, "tip", "materials.steel.law.neo_hookean.young");

        // Drops count downwards, as gravity does.
        let own = slope(load);
        let name = format!("elastica: drop by load, from gravity, load {load}");
        outcome.relative(name, "m", -own.abs(), -by_gravity * gravity / load, 0.01);
        let name = format!("elastica: drop by load, from the modulus, load {load}");
        outcome.relative(name, "m", -own.abs(), -by_young * STIFF / load, 0.01);
        measured.push([load, by_gravity * gravity / load]);
    }
    outcome
        .plot
        .curve("elastica", [0.2, 6.5], |load| slope(load).abs());
    outcome.plot.points("adjoint", measured);
    Ok(())
}

/// A quarter of a disk on a plane that moves towards it.
fn disk() -> Value {
    let q = FRAC_1_SQRT_2 * RADIUS;
    json!({
        "time": {"step": 1, "steps": INCREMENTS, "integrator": "static"},
        "gravity": [0, 0],
        "materials": {"rubber": {"density": 1000, "law": {"linear": {"young": YOUNG, "poisson": POISSON}}}},
        "bodies": [{
            "name": "disk", "material": "rubber", "elements": "quadratic",
            "shape": {"area": {
                "outline": {"path": {"points": [
                    [0, 0], {"line": {"to": [0, -RADIUS], "name": "axis"}},
                    {"arc": {"through": [q, -q], "to": [RADIUS, 0]}},
                    {"line": {"to": [0, 0], "name": "middle"}}
                ]}},
                "deviation": 2e-3,
                "mesh": {
                    "size": 0.2, "grading": 0.4,
                    "near": [{"at": [0, -RADIUS], "size": 0.01, "radius": 0.13}]
                }
            }},
            "prescribed": [
                {"vertices": "axis", "displacement": {"x": 0}},
                {"vertices": "middle", "displacement": {"y": 0}}
            ]
        }],
        "obstacles": [{
            "name": "ground", "velocity": [0, (APPROACH + D_HAT) / f64::from(INCREMENTS)],
            "shape": {"half_plane": {"normal": [0, 1], "origin": [0, -RADIUS - D_HAT]}}
        }],
        "contact": {"d_hat": D_HAT, "kappa": 1e8}
    })
}

/// A strip that is held on its left, with a measure of the drop of its right end.
fn strip(gravity: f64) -> Value {
    json!({
        "time": {"step": 1, "steps": 1, "integrator": "static"},
        "gravity": [0, -gravity],
        "materials": {
            "steel": {"density": DENSITY, "law": {"neo_hookean": {"young": STIFF, "poisson": 0}}}
        },
        "bodies": [{
            "name": "strip", "shape": {"rectangle": {"size": SIZE, "segments": [50, 1]}},
            "material": "steel", "elements": "quadratic", "prescribed": [{"vertices": {"side": "left"}}]
        }],
        "measure": [{
            "name": "tip", "value": "displacement_y", "of": "strip", "at": [0.5 * SIZE[0], 0], "over": "last"
        }]
    })
}

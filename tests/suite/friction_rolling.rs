//! Rolling resistance: closed forms, and how it is reported.

use crate::friction_kinetic::{DENSITY, SCHEMES, rest_gap, rubbing, slope};
use crate::support::{Parts, Run, near, near_ratio};
use ipcsim::Simulation;
use ipcsim::forces::Sums;
use serde_json::{Value, json};
use std::f64::consts::PI;

/// Acceleration of gravity (m/s^2), radius of the disk (m), its rolling resistance (m).
const GRAVITY: f64 = 9.81;
const RADIUS: f64 = 0.1;
const ROLLING: f64 = 0.004;

/// A disk at its gap at rest on a slope of the angle `theta` (rad) that falls to the right, which
/// rolls down with this speed (m/s).
fn disk(theta: f64, speed: f64) -> Value {
    let (sin, cos) = theta.sin_cos();
    let above = RADIUS + rest_gap(PI * RADIUS * DENSITY * GRAVITY * cos);
    json!({ "name": "disk", "kind": "rigid", "material": "stone",
        "shape": { "circle": { "radius": RADIUS } }, "position": [above * sin, above * cos],
        "velocity": [speed * cos, -speed * sin], "spin_deg": -(speed / RADIUS).to_degrees() })
}

/// Friction with rolling resistance.
fn friction() -> Value {
    json!({ "default": 0.5, "eps_v": 1e-6, "rolling": ROLLING, "rolling_spin_deg": 0.01 })
}

#[test]
fn every_integrator_brakes_a_rolling_disk_by_the_torque_of_its_weight() {
    for scheme in SCHEMES {
        let scene = rubbing(scheme, &[disk(0.0, 1.0)], &[slope(0.0)], friction());
        let mut run = Run::of(&scene);
        run.steps(250);
        let before = run.center_velocity(0).x;
        run.steps(250);

        let decay = (before - run.center_velocity(0).x) / 0.5;
        let expected = GRAVITY * ROLLING / RADIUS / 1.5;
        assert!(
            (decay / expected - 1.0).abs() < 1e-3,
            "{scheme}: {decay} {expected}"
        );
    }
}

#[test]
fn a_disk_stays_below_the_tangent_of_resistance_over_radius_and_rolls_above() {
    for share in [0.9, 1.2, 3.0] {
        let theta = (share * ROLLING / RADIUS).atan();
        let scene = rubbing(
            "implicit_euler",
            &[disk(theta, 0.0)],
            &[slope(theta)],
            friction(),
        );
        let mut run = Run::of(&scene);
        run.steps(500);

        let speed = run.center_velocity(0).norm();
        let braked = theta.sin() - ROLLING / RADIUS * theta.cos();
        let expected = (GRAVITY * braked / 1.5).max(0.0);
        assert!(
            (speed - expected).abs() < 1e-2 * expected + 2e-5,
            "{share}: {speed} {expected}"
        );
    }
}

/// One disk spins on an axle below another one, which cannot roll away. Without sliding friction the
/// torque between them is the only one: it takes from one what it gives to the other.
#[test]
fn the_torque_on_both_sides_is_opposite_until_they_turn_alike() {
    let low = json!({ "name": "low", "kind": "rigid", "material": "stone",
        "shape": { "circle": { "radius": 0.2 } }, "fixed": ["x", "y"], "spin_deg": 90.0 });
    let mut high = disk(0.0, 0.0);
    high["position"] = json!([0.0, 0.3 + 0.99e-3]);
    high["fixed"] = json!(["x"]);
    let friction = json!({ "default": 0.0, "rolling": 0.02 });
    let scene = rubbing("implicit_euler", &[low, high], &[], friction);
    let mut run = Run::of(&scene);

    // Inertia of disks, and the time in which the difference of their spins is gone.
    let [a, b] = [0.2_f64, RADIUS].map(|r| 0.5 * PI * DENSITY * r.powi(4));
    let torque = 0.02 * PI * DENSITY * RADIUS * RADIUS * GRAVITY;
    let spin = 90.0_f64.to_radians();
    let alike = spin / (torque * (1.0 / a + 1.0 / b));
    let mut met = f64::NAN;
    for step in 1..=500 {
        run.step();
        let momentum = a * run.spin(0) + b * run.spin(1);
        near_ratio(momentum, a * spin, 1e-9);
        if met.is_nan() && (run.spin(0) - run.spin(1)).abs() < 1e-2 * spin {
            met = 0.002 * f64::from(step);
        }
    }
    near_ratio(met, alike, 0.05);
    let common = a * spin / (a + b);
    near_ratio(run.spin(1), common, 1e-2);
}

#[test]
fn contacts_sums_and_reactions_have_the_moment_that_holds_a_disk() {
    let theta = 0.02_f64.atan();
    let scene = rubbing(
        "implicit_euler",
        &[disk(theta, 0.0)],
        &[slope(theta)],
        friction(),
    );
    let mut simulation = Simulation::new(scene.clone()).unwrap();
    simulation.run(300).unwrap();

    // Friction at the rim would turn the disk clockwise; the resistance holds it. The normal force is
    // a gap away from the rim.
    let weight = PI * DENSITY * RADIUS * RADIUS * GRAVITY;
    let expected = weight * theta.sin() * RADIUS;
    let contact = simulation.contacts().next().unwrap();
    assert_eq!(simulation.contacts().count(), 1);
    near_ratio(contact.rolling_moment, expected, 1e-6);
    assert!(contact.rolling_moment < ROLLING * contact.normal_force);

    // The ground holds the weight at the centre of the disk, about its own origin.
    let at = simulation.body("disk").unwrap().centre();
    let reaction = simulation.reactions().next().unwrap();
    let lever = at.x * weight;
    near_ratio(reaction.force.y, weight, 1e-6);
    near(reaction.moment, lever, 2e-2 * expected);

    // Sums per pair, about the centre of the disk.
    let mut parts = Parts::of(&scene);
    for _ in 0..300 {
        parts.step();
    }
    let sums = Sums::of(&parts.world, &parts.state, parts.solver.last());
    assert!(
        sums.pairs[0].moment.abs() < 2e-2 * expected,
        "{}",
        sums.pairs[0].moment
    );
}

#[test]
fn polygons_that_are_rigid_or_affine_feel_it_as_circles_do() {
    // Two vertices of a polygon of many sides take the place of the rim.
    let shape = json!({ "regular_polygon": { "radius": RADIUS, "sides": 120, "segments": 1 } });
    let decay = [json!("rigid"), json!({ "affine": {} })].map(|kind| {
        let mut roller = disk(0.0, 1.0);
        roller["shape"] = shape.clone();
        roller["kind"] = kind;
        let change = [0.0, ROLLING].map(|rolling| {
            let mut friction = friction();
            friction["rolling"] = json!(rolling);
            let roller = roller.clone();
            let mut run = Run::of(&rubbing("bdf2", &[roller], &[slope(0.0)], friction));
            run.steps(100);
            1.0 - run.center_velocity(0).x
        });
        // What corners take does not add to what resistance takes.
        assert!(change[0].abs() < 0.01, "{}", change[0]);
        change[1] / 0.2
    });
    let expected = GRAVITY * ROLLING / RADIUS / 1.5;
    for decay in decay {
        near_ratio(decay, expected, 0.1);
    }
}

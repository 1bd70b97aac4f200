//! Soft bodies of the showcase with quadratic triangles: two seals, and the plate with a hole.

use crate::support::{near_ratio, scene};
use ipcsim::Simulation;
use ipcsim::math::Vec2;
use std::f64::consts::PI;

/// Force of all contacts of a body with the ring (N).
fn contact(simulation: &Simulation, other: &str) -> Vec2 {
    let contacts = simulation
        .contacts()
        .filter(|contact| contact.bodies.contains(&other));
    contacts.map(|contact| contact.force_on("ring")).sum()
}

/// Pressure of the ring on one side of its groove (Pa): the mean over pieces of 0.2 mm, from the left.
///
/// The side is the lid for an `up` of 1, and the floor for -1.
fn pressures(simulation: &Simulation, up: f64) -> Vec<f64> {
    let length = 2e-4;
    let on_side: Vec<_> = simulation
        .contacts()
        .filter(|contact| contact.normal.y.abs() > 0.9 && contact.point.y * up > 8e-4)
        .collect();

    (0..20)
        .map(|piece| {
            let start = f64::from(piece) * length - 2e-3;
            let within = on_side
                .iter()
                .filter(|contact| (start..start + length).contains(&contact.point.x));
            let force = within.map(|contact| contact.normal_force * contact.normal.y.abs());
            force.sum::<f64>() / length
        })
        .collect()
}

/// The largest pressure that is exceeded along 0.6 mm in a row (Pa).
fn sealing(pressures: &[f64]) -> f64 {
    let rows = pressures.windows(3);
    rows.map(|row| row.iter().copied().fold(f64::INFINITY, f64::min))
        .fold(0.0, f64::max)
}

#[test]
fn the_o_ring_seals_since_its_pressure_exceeds_that_of_the_oil() {
    let mut simulation = Simulation::new(scene("showcase/o_ring", &[])).unwrap();
    simulation.run(84).unwrap();
    let squeezed = [-1.0, 1.0].map(|up| sealing(&pressures(&simulation, up)));
    simulation.run(76).unwrap();

    // A seal of rubber carries the pressure of the oil like a fluid, on top of its own: it seals at any.
    let oil = 2e6;
    let sealed = [-1.0, 1.0].map(|up| sealing(&pressures(&simulation, up)));
    for (before, now) in squeezed.into_iter().zip(sealed) {
        assert!(before > 1e6, "{before} Pa");
        assert!(now > 1.25 * oil && now - before > 0.5 * oil, "{now} Pa");
    }

    // A uniform pressure on an arc has the resultant of its chord, which walls and friction balance.
    let load = simulation.loads().next().unwrap();
    let world = simulation.world();
    let [low, high] = [f64::min, f64::max].map(|pick| {
        let wet = world.rest.iter().zip(&simulation.state().x);
        let wet = wet.take(world.bodies[0].vertices.end);
        let wet = wet.filter(|(rest, _)| rest.x <= -0.00105 && rest.norm() > 0.001_779);
        wet.map(|(_, x)| x.y).reduce(pick).unwrap()
    });
    let chord = oil * (high - low);
    near_ratio(load.force.x, chord, 1e-3);
    let held = contact(&simulation, "groove") + contact(&simulation, "lid");
    assert!((load.force + held).norm() < 1e-3 * chord, "{held}");
}

#[test]
fn quadratic_triangles_of_half_a_millimetre_meet_howlands_factor() {
    let coarse = [
        "bodies.plate.elements=quadratic",
        "bodies.plate.shape.area.mesh.along.hole=0.0005",
        "bodies.plate.shape.area.mesh.size=0.01",
        "time.step=0.1",
    ];
    let mut simulation = Simulation::new(scene("showcase/plate_with_hole", &coarse)).unwrap();
    simulation.run(10).unwrap();

    // Edges of the outline join corners and middles of sides: the stress along them is that of their strain.
    let world = simulation.world();
    let x = &simulation.state().x;
    let at_hole = |&&[a, b]: &&[usize; 2]| [a, b].iter().all(|&i| world.rest[i].norm() < 0.00501);
    let edges: Vec<_> = world.model.surface.edges.iter().filter(at_hole).collect();
    let stresses = edges.iter().map(|&&[a, b]| {
        let strain = (x[b] - x[a]).norm() / (world.rest[b] - world.rest[a]).norm() - 1.0;
        2.1e11 * strain / 1e8
    });
    let largest = stresses.fold(0.0, f64::max);

    // Howland's factor for a hole of a tenth of the width, over the gross stress.
    near_ratio(largest, 3.035, 0.02);
    assert!(edges.len() > 100, "{}", edges.len());
}

/// Force by which a ring between two plates resists that its diameter is less by `squash` (N), for a
/// width of 1 m.
///
/// By Winkler's theory of curved beams (Roark's Formulas for Stress and Strain, table 9.2, case 1): the
/// diameter gives way by `W R^3 / (E' I) (pi k1 / 4 - 2 k2^2 / pi)`, where `k1 = 1 - a + b` and
/// `k2 = 1 - a`; `a = e/R` is the distance of the neutral axis from the middle of the wall, and
/// `b = 1.2 E' I / (G A R^2)` the part of shear. `E' = E / (1 - nu^2)` is the modulus in plane strain.
fn ring(squash: f64) -> f64 {
    let [outer, inner, young, poisson] = [0.0055, 0.0045, 5e6, 0.45];
    let wall: f64 = outer - inner;
    let radius = 0.5 * (outer + inner);
    let stiffness = young / (1.0 - poisson * poisson) * wall.powi(3) / 12.0;
    let shear = 0.5 * young / (1.0 + poisson) * wall;

    let neutral = 1.0 - wall / f64::ln(outer / inner) / radius;
    let sheared = 1.2 * stiffness / (shear * radius * radius);
    let [k1, k2] = [1.0 - neutral + sheared, 1.0 - neutral];
    let gives = PI / 4.0 * k1 - 2.0 / PI * k2 * k2;
    squash * stiffness / (radius.powi(3) * gives)
}

/// Force of the lid or the floor on the seal in each of a row of pieces of 0.4 mm (N), from the left.
fn bearing(simulation: &Simulation, other: &str) -> [f64; 8] {
    let mut forces = [0.0; 8];
    for contact in simulation.contacts() {
        if !contact.bodies.contains(&other) {
            continue;
        }
        let piece = ((contact.point.x + 1.6e-3) / 4e-4).floor();
        let within = (0..8).find(|&k| f64::from(k) == piece);
        if let Some(k) = within {
            forces[usize::try_from(k).unwrap()] += contact.force_on("seal").y;
        }
    }
    forces
}

#[test]
fn the_hollow_seal_closes_by_the_force_of_a_ring_and_bears_on_a_whole_band() {
    let mut simulation = Simulation::new(scene("showcase/hollow_seal", &[])).unwrap();
    simulation.run(5).unwrap();

    // The diameter that is left; the outline is as wide as it is high at the start.
    let seal = simulation.body("seal").unwrap();
    let high = |pick: fn(f64, f64) -> f64| seal.x().iter().map(|x| x.y).reduce(pick).unwrap();
    let squash = 0.011 - (high(f64::max) - high(f64::min));
    assert!((1e-4..3e-4).contains(&squash), "{squash} m");
    let on_seal = |simulation: &Simulation| {
        let contacts = simulation.contacts();
        let lid = contacts.filter(|contact| contact.bodies.contains(&"lid"));
        -lid.map(|contact| contact.force_on("seal").y).sum::<f64>()
    };
    let [force, expected] = [on_seal(&simulation), ring(squash)];
    near_ratio(force, expected, 0.03);

    // Squeezed by a third, it bears on both sides everywhere along 3.2 mm. A ring without thickness would
    // lift off in the middle of its flat piece.
    simulation.run(85).unwrap();
    let pieces = ["lid", "floor"].map(|other| bearing(&simulation, other));
    for (lid, floor) in pieces[0].iter().zip(pieces[1]) {
        assert!(*lid < -1.0 && floor > 1.0, "{pieces:?} N");
    }
    let whole = -pieces[0].iter().sum::<f64>();
    near_ratio(whole, on_seal(&simulation), 0.1);
}

#[test]
fn a_seal_that_sticks_is_held_although_friction_sets_energy_free() {
    // The tangent of friction is no second derivative, and has a motion of negative energy at step 40. It
    // is no mechanism: friction and the prescribed foot hold the seal.
    let rough = ["contact.friction.default=0.2"];
    let mut simulation = Simulation::new(scene("showcase/hollow_seal", &rough)).unwrap();
    simulation.run(45).unwrap();
}

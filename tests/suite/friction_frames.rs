//! Where friction acts: one force for all edges that a point is near, and no couple across the gap.

use crate::support::{Run, near_ratio, rectangle, stone, stones};
use ipcsim::contact::barrier::{Barrier, BarrierShape};
use ipcsim::contact::{
    Candidates, Contacts, Disk, Friction, FrictionTable, Lag, SharedVertices, Surface,
};
use ipcsim::math::{Vec2, cross};
use ipcsim::scene::Scene;
use serde_json::{Value, json};
use std::f64::consts::TAU;

const BARRIER: Barrier = Barrier {
    shape: BarrierShape::Log,
    kappa: 1e5,
};

/// Coefficient of friction.
const MU: f64 = 0.3;

/// Contacts at `x` (m), and their friction with a coefficient of 0.3 that is fully developed at `slip` (m).
fn touching(surface: &Surface, x: &[Vec2], slip: f64) -> (Contacts, Friction) {
    let candidates = Candidates::find(surface, x, |_| 0.0);
    let contacts = Contacts::find(surface, &BARRIER.into(), &candidates, x).unwrap();
    let table = FrictionTable::uniform(MU, slip);
    let lag = Lag::along_tangents(&table, x, 1.0);
    let friction = Friction::lagged(surface, &contacts, x, lag);
    (contacts, friction)
}

/// Sum of the normal forces (N).
fn load(surface: &Surface, contacts: &Contacts, x: &[Vec2]) -> f64 {
    let forces = contacts.forces(surface, x);
    let sum: Vec2 = forces.map(|normal| normal.normal * normal.force).sum();
    sum.norm()
}

/// A closed outline of `count` edges around the origin, and a circle of radius `r` in it. Vertices 0 and 1 are the
/// circle's centre and a vertex on its rim.
fn roller(count: usize, r: f64, d_hat: f64, shared_vertices: SharedVertices) -> Surface {
    let mut body = vec![1; count + 2];
    body[..2].fill(0);
    let wall = (0..count).map(|k| [k + 2, (k + 1) % count + 2]);
    let mut surface = Surface {
        points: vec![0],
        edges: wall.collect(),
        disks: vec![Disk {
            center: 0,
            rim: 1,
            radius: r,
        }],
        shared_vertices,
        ..Surface::new(body, d_hat)
    };
    surface.radius[0] = r;
    surface.weight[0] = r;
    surface.isolated[0] = true;
    surface
}

/// Torque of friction on the roller that turns at the bottom of a bore of radius `R = 1`, relative to the coefficient
/// of friction times load times radius. The gap is 0.99 of `d_hat`, so that the pressure is
/// narrow beside the circle.
fn braking(count: usize, r: f64, shared_vertices: SharedVertices) -> f64 {
    let d_hat = (1.0 - r) / 100.0;
    let surface = roller(count, r, d_hat, shared_vertices);
    let corner = |k: usize| {
        let angle = TAU * (k as f64 + 0.5) / count as f64 - 0.25 * TAU;
        Vec2::new(angle.cos(), angle.sin())
    };

    // The lowest edge is level.
    let bottom = (0.5 * TAU / count as f64).cos();
    let center = Vec2::new(0.0, -(bottom - r - 0.99 * d_hat));
    let mut x = vec![center, center + Vec2::new(r, 0.0)];
    x.extend((0..count).map(corner));

    let (contacts, friction) = touching(&surface, &x, 1e-9);
    let mut y = x.clone();
    y[1].y += 0.1;
    let torque: f64 = friction
        .forces(&surface, &y)
        .flat_map(|force| force.on_vertices)
        .filter(|(vertex, _)| *vertex == 1)
        .map(|(_, force)| cross(x[1] - x[0], force))
        .sum();
    -torque / (MU * load(&surface, &contacts, &x) * r)
}

#[test]
fn a_roller_in_a_bore_is_braked_by_its_load_however_fine_the_bore() {
    for r in [0.05, 0.3, 0.6, 0.9] {
        for count in [96, 360, 720, 3000] {
            for shared in [SharedVertices::Once, SharedVertices::PerEdge] {
                let ratio = braking(count, r, shared);
                assert!(
                    (ratio - 1.0).abs() < 1e-3,
                    "r/R {r}, {count} edges, {shared:?}: {ratio}"
                );
            }
        }
    }
}

#[test]
fn a_circle_in_a_groove_is_braked_on_both_sides() {
    // In a groove of a right angle each side carries the load over the square root of 2.
    let mut surface = roller(3, 0.5, 0.01, SharedVertices::Once);
    surface.edges = vec![[2, 3], [3, 4]];
    let gap = 0.4 * 0.01;
    let center = Vec2::new(0.0, (0.5 + gap) * 2.0_f64.sqrt());
    let x = [
        center,
        center + Vec2::new(0.5, 0.0),
        Vec2::new(-2.0, 2.0),
        Vec2::zeros(),
        Vec2::new(2.0, 2.0),
    ];
    let (contacts, friction) = touching(&surface, &x, 1e-9);
    let mut y = x;
    y[1].y += 0.1;
    let total: f64 = friction
        .forces(&surface, &y)
        .map(|force| force.force.norm())
        .sum();
    let expected = MU * load(&surface, &contacts, &x) * 2.0_f64.sqrt();
    near_ratio(total, expected, 1e-12);
}

/// The surface with a circle around a vertex.
fn circle(mut surface: Surface, center: usize, radius: f64) -> Surface {
    surface.disks.push(Disk {
        center,
        rim: center + 1,
        radius,
    });
    surface.radius[center] = radius;
    surface.isolated[center] = true;
    surface
}

/// A point or circle above an edge, a corner or a circle, `0.5 d_hat` apart, and the positions of
/// their vertices.
fn pairs() -> Vec<(Surface, Vec<Vec2>)> {
    let d_hat = 0.2;
    let surface = |count: usize, edges: Vec<[usize; 2]>| {
        let mut body = vec![1; count];
        body[..2].fill(0);
        Surface {
            points: vec![0],
            edges,
            weight: vec![0.1; count],
            ..Surface::new(body, d_hat)
        }
    };

    let over = |height: f64| vec![Vec2::new(0.1, height), Vec2::new(0.4, height)];
    let edge = [Vec2::new(-0.7, 0.0), Vec2::new(0.5, 0.0)];
    let corner = [
        Vec2::new(-0.6, -0.8),
        Vec2::new(0.1, 0.0),
        Vec2::new(0.9, -0.5),
    ];
    let other = [Vec2::new(0.1, 0.0), Vec2::new(0.1, 0.25)];
    let with = |mut x: Vec<Vec2>, more: &[Vec2]| {
        x.extend(more);
        x
    };

    // Point above edge and corner, circle above both and above a circle.
    vec![
        (surface(4, vec![[2, 3]]), with(over(0.1), &edge)),
        (surface(5, vec![[2, 3], [3, 4]]), with(over(0.1), &corner)),
        (
            circle(surface(4, vec![[2, 3]]), 0, 0.3),
            with(over(0.4), &edge),
        ),
        (
            circle(surface(5, vec![[2, 3], [3, 4]]), 0, 0.3),
            with(over(0.4), &corner),
        ),
        (
            circle(circle(surface(4, vec![[2, 2]]), 0, 0.3), 2, 0.25),
            with(over(0.65), &other),
        ),
    ]
}

#[test]
fn friction_has_no_couple_and_a_rotation_of_both_sides_is_no_sliding() {
    for (case, (surface, x)) in pairs().into_iter().enumerate() {
        let (_, friction) = touching(&surface, &x, 1e-3);
        assert!(!friction.is_empty(), "case {case}");

        // The point moves along the edge: forces of both sides cancel, and so do their torques.
        let mut y = x.clone();
        y[0].x += 0.01;
        y[1].x += 0.01;
        let forces: Vec<(usize, Vec2)> = friction
            .forces(&surface, &y)
            .flat_map(|force| force.on_vertices)
            .collect();
        let size: f64 = forces.iter().map(|(_, force)| force.norm()).sum();
        let sum: Vec2 = forces.iter().map(|(_, force)| force).sum();
        let torque: f64 = forces.iter().map(|(i, force)| cross(x[*i], *force)).sum();
        assert!(
            size > 1.0 && sum.norm() < 1e-12 * size,
            "case {case}: {sum}"
        );
        assert!(
            torque.abs() < 1e-12 * size,
            "case {case}: {torque} of {size}"
        );

        // Both sides turn about any point.
        let about = Vec2::new(3.0, -2.0);
        let y: Vec<Vec2> = x
            .iter()
            .map(|x| x + Vec2::new(about.y - x.y, x.x - about.x) * 0.1)
            .collect();
        for force in friction.forces(&surface, &y) {
            assert!(
                force.force.norm() < 1e-10 * size,
                "case {case}: {}",
                force.force
            );
        }
    }
}

/// A block on a plane that tilts by 20 degrees in 20 s; friction 0.8 holds it.
fn tilting(kind: &Value, d_hat: f64) -> Scene {
    let height = 0.05 + 0.97 * d_hat;
    let mut block = stone("block", rectangle(0.2, 0.1), [0.0, height]);
    block["kind"] = kind.clone();
    stones(
        &[block],
        json!({
            "time": { "step": 0.02, "steps": 1050 },
            "obstacles": [{
                "name": "ground",
                "shape": { "half_plane": { "normal": [0, 1], "origin": [0, 0] } },
                "keyframes": [
                    { "time": 1, "position": [0, 0] },
                    { "time": 21, "position": [0, 0], "rotation_deg": -20 }
                ],
            }],
            "contact": {
                "d_hat": d_hat, "kappa": 2e5, "barrier": "log", "friction": { "default": 0.8, "stick": "creep", "eps_v": 1e-7, "lag_iterations": 4 }
            },
            "solver": { "tolerance": 1e-9 },
        }),
    )
}

#[test]
fn a_block_on_a_plane_that_tilts_creeps_and_does_not_drift() {
    for kind in [json!("rigid"), json!({ "affine": { "stiffness": 1e10 } })] {
        for d_hat in [4e-3, 2.5e-4] {
            let mut run = Run::of(&tilting(&kind, d_hat));
            let along = |run: &Run| {
                let turn = nalgebra::Rotation2::new(run.angle(1)).inverse();
                (turn * run.centre(0)).x
            };
            run.steps(50);
            let start = along(&run);
            run.steps(1000);
            let drift = along(&run) - start;

            // Smoothed friction creeps by less than eps_v. The plane's vertices slide along tangents
            // of their paths and those of an affine body along chords: half the square of the
            // step's angle times half the width, a thousand times.
            let step = 20.0_f64.to_radians() / 1000.0;
            let chords = if kind == "rigid" {
                0.0
            } else {
                1000.0 * 0.5 * step * step * 0.1
            };
            let creep = 20.0 * 1e-7 + chords;
            assert!(
                drift.abs() < creep,
                "{kind}, d_hat {d_hat}: {drift:e} m, creep {creep:e} m"
            );
        }
    }
}

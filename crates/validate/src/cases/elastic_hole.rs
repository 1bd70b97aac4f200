//! A hole in a plate under tension.
//!
//! The plate is a square that is five times as wide as the hole. On its rim every vertex has the
//! displacement of Kirsch's solution for an infinite plate, so that the width has no influence, and
//! what differs is the error of the mesh alone.
//!
//! Linear triangles have one stress each, which belongs to their middle and not to the edge of the
//! hole. The length of an edge along the hole is right to a higher order, and the hole is free of
//! stress, so that its elongation gives the hoop stress there. Quadratic triangles with sides on the
//! hole have the stress at its vertices themselves.
//!
//! `theta` is the angle from the direction of the pull, and `sigma` the stress far away. The hoop
//! stress at the hole is `-sigma` at 0 degrees and `3 sigma` at 90 degrees, whatever the radius.

use crate::scenes::{Exact, RUBBER, after, scene};
use crate::{Case, Outcome, Plot, Quantity, Weight};
use ipcsim::fields::{Known, Snapshot, Subject};
use ipcsim::math::Vec2;
use ipcsim::prelude::*;
use ipcsim::scene::schema::{Area, Curve, Plane, Shape};

pub(super) const CASE: Case = Case {
    name: "elastic_hole",
    title: "A round hole in a plate under tension, unstructured meshes",
    proves: "Along a hole in a stretched plate the edges stretch as Kirsch's solution says, up to three times the stress of the plate.",
    formula: "sigma_theta = sigma (1 - 2 cos 2 theta) at the hole",
    source: "Kirsch 1898; Timoshenko, Goodier, Theory of Elasticity, article 35",
    weight: Weight::Quick,
    run,
};

/// Half of the side of the plate and radius of the hole (m); Young's modulus (Pa) and Poisson's
/// ratio (1); stress far away (Pa), so small that displacements are.
const HALF: f64 = 0.5;
const RADIUS: f64 = 0.1;
const YOUNG: f64 = 1e9;
const POISSON: f64 = 0.3;
const STRESS: f64 = 1e3;

/// Steps of the motion of the boundary.
const STEPS: usize = 4;

/// Judges the largest hoop stress to 2 % on three meshes with edges of 20, 10 and 5 mm at the hole.
///
/// The largest error along the whole hole must at least halve from the coarse to the finest mesh,
/// whose edges are a quarter as long. That limit asks for convergence, not for an order.
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new(
        "angle (degrees)",
        "hoop stress over the plate's (1)",
    ));
    outcome.plot.curve("Kirsch", [0.0, 180.0], |degrees| {
        1.0 - 2.0 * (2.0 * degrees.to_radians()).cos()
    });

    let mut misses = Vec::new();
    for (label, size) in [("coarse", 0.02), ("fine", 0.01), ("finest", 0.005)] {
        let stresses = along_hole(size)?;
        let largest = stresses.iter().map(|at| at[1]).fold(0.0, f64::max);
        let error = stresses.iter().map(|&[degrees, stress]| {
            let exact = 1.0 - 2.0 * (2.0 * degrees.to_radians()).cos();
            (stress - exact).abs()
        });
        let miss = error.fold(0.0, f64::max);
        misses.push(miss);

        let name = format!("largest hoop stress over the plate's, {label}");
        outcome.relative(name, "1", 3.0, largest, 0.02);
        outcome.plot.points(label, stresses);
    }
    // Quadratic triangles have a stress of their own at the vertices of the hole.
    let reason = "means of stress at the edge of a mesh, with an error of order 2 in the size";
    for (label, size, miss) in [("coarse", 0.02, Some(0.05)), ("fine", 0.01, None)] {
        let stresses = at_hole(size)?;
        let largest = stresses.iter().map(|at| at[1]).fold(0.0, f64::max);
        let name = format!("largest hoop stress over the plate's, quadratic, {label}");
        let quantity = Quantity::relative(name, "1", 3.0, largest, 0.02);
        outcome.check(match miss {
            Some(within) => quantity.known_miss(reason, within),
            None => quantity,
        });
        outcome.plot.points(format!("quadratic, {label}"), stresses);
    }

    let name = "largest error along the hole, finest over coarse";
    outcome.at_most(name, "1", 0.5, misses[2] / misses[0]);
    Ok(outcome)
}

/// Displacement (m) of the point `x` (m) by Kirsch, in plane strain.
///
/// With `kappa = 3 - 4 nu`, `s = a^2/r^2`:
/// `u_r = sigma r/(4 G) ((kappa - 1)/2 + cos 2 theta + s (1 + (1 + kappa) cos 2 theta) - s^2 cos 2 theta)`,
/// `u_theta = sigma r/(4 G) (s (1 - kappa) - 1 - s^2) sin 2 theta`.
fn kirsch(x: Vec2) -> Vec2 {
    let shear = YOUNG / (2.0 * (1.0 + POISSON));
    let kappa = 3.0 - 4.0 * POISSON;
    let r = x.norm();
    let theta = x.y.atan2(x.x);
    let s = (RADIUS / r).powi(2);
    let (sin, cos) = (2.0 * theta).sin_cos();

    let along = (kappa - 1.0) / 2.0 + cos + s * (1.0 + (1.0 + kappa) * cos) - s * s * cos;
    let around = (s * (1.0 - kappa) - 1.0 - s * s) * sin;
    let out = x / r;
    let factor = STRESS * r / (4.0 * shear);
    (out * along + Vec2::new(-out.y, out.x) * around) * factor
}

/// A plate whose rim has the displacement of Kirsch's solution, and its mesh.
struct Pulled {
    /// Mesh at rest.
    mesh: InlineMesh,
    /// The end of the motion.
    simulation: Simulation,
}

/// A plate with edges of this size at the hole (m), pulled.
fn pulled(size: f64, is_quadratic: bool) -> Result<Pulled, Error> {
    let square = [[-HALF, -HALF], [HALF, -HALF], [HALF, HALF], [-HALF, HALF]];
    let mut area = Area::new(Curve::polygon(square).named("rim"))
        .with_hole(Curve::circle([0.0, 0.0], RADIUS).named("hole"))
        .with_size(HALF / 8.0);
    area.mesh.along.insert("hole".to_owned(), size);
    let plate = |shape: Shape| {
        let body = Body::deformable("plate", shape, RUBBER);
        let body = if is_quadratic { body.quadratic() } else { body };
        scene(1.0, 2 * STEPS)
            .tolerance(1e-14)
            .weightless()
            .elastic(Law::linear(YOUNG, POISSON))
            .with_body(body)
    };

    // The mesh first, since every vertex of the rim moves on its own.
    let setup = plate(area.into()).build().map_err(Error::from)?;
    let shape = setup.scene.bodies[0].shape.clone();
    let mesh = match &shape {
        Shape::Mesh(mesh) => mesh.clone(),
        _ => InlineMesh::new(Vec::new(), Vec::new()),
    };
    let mut moved = plate(shape.clone());
    for vertex in mesh.vertices_of("rim") {
        let velocity = kirsch(mesh.vertices[vertex].into()) / STEPS as f64;
        let mut entry =
            Prescribed::moved(Selection::Indices(vec![vertex]), [velocity.x, velocity.y]);
        entry.travel = Some(velocity.norm() * STEPS as f64);
        moved.bodies[0].prescribed.push(entry);
    }
    let simulation = after(moved, 2 * STEPS)?;
    Ok(Pulled { mesh, simulation })
}

/// Angle (degrees) and hoop stress over that of the plate at each vertex of the hole, by the mean of
/// the stresses that the triangles there have in it.
fn at_hole(size: f64) -> Result<Vec<[f64; 2]>, Error> {
    let Pulled { mesh, simulation } = pulled(size, true)?;
    let world = simulation.world();
    let subject = Subject::new(world, Plane::Strain, 1.0, vec![None; world.bodies.len()]);
    let state = simulation.state();
    let known = Known::positions(&state.x, state.conditions());
    let snapshot = Snapshot::new(&subject, known);
    let stresses = mesh.vertices_of("hole").into_iter().map(|vertex| {
        let x = Vec2::from(mesh.vertices[vertex]);
        let around = Vec2::new(-x.y, x.x) / x.norm();
        let stress = snapshot.stress().vertices[vertex];
        let hoop = stress.xx * around.x * around.x
            + 2.0 * stress.xy * around.x * around.y
            + stress.yy * around.y * around.y;
        [x.y.abs().atan2(x.x).to_degrees(), hoop / STRESS]
    });
    Ok(stresses.collect())
}

/// Angle (degrees) and hoop stress over that of the plate at each edge of the hole, by how much the
/// edge is longer: across a free edge there is no stress, so that `sigma = E/(1 - nu^2) epsilon`.
fn along_hole(size: f64) -> Result<Vec<[f64; 2]>, Error> {
    let Pulled { mesh, simulation } = pulled(size, false)?;
    let hole = mesh.vertices_of("hole");
    let edges = ipcsim::mesh::boundary::edges(&mesh.triangles).into_iter();
    let edges = edges.filter(|edge| edge.iter().all(|end| hole.contains(end)));
    let stresses = edges.map(|edge| {
        let [a, b] = edge.map(|i| Vec2::from(mesh.vertices[i]));
        let [xa, xb] = edge.map(|i| simulation.state().x[i]);
        let along = (b - a).normalize();
        let strain = ((xb - b) - (xa - a)).dot(&along) / (b - a).norm();
        // The plate is symmetric about the pull, so that angles from 0 to 180 degrees tell all.
        let middle = (a + b) / 2.0;
        let angle = middle.y.abs().atan2(middle.x).to_degrees();
        [angle, YOUNG / (1.0 - POISSON * POISSON) * strain / STRESS]
    });
    Ok(stresses.collect())
}

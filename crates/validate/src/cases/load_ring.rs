//! A thick ring under pressure inside.
//!
//! A ring of the radii `a` inside and `b` outside has the pressure `p` on its bore. Lame's
//! displacement along the radius `r` has a part that grows with `r` and one that falls as `1 / r`.
//! The ring is free: the pressure on a closed outline has no resultant, and the ring needs no
//! support.
//!
//! The modulus is 1e6 times the pressure, so that Lame's small strains hold. Each mesh has a
//! tolerance of 1e-4 and a known miss that falls with order 2, from 0.1 on 2 layers to 0.002 on 16.
//! The two finest meshes together, `(4 u_16 - u_8) / 3`, have no error of order 2 and agree to
//! 2e-4.

use crate::scenes::{Exact, RUBBER, after, scene};
use crate::six_nodes::six_nodes;
use crate::{Case, Outcome, Plot, Quantity, Weight};
use ipcsim::prelude::*;
use std::f64::consts::TAU;

pub(super) const CASE: Case = Case {
    name: "load_ring",
    title: "A thick ring under pressure inside",
    proves: "A pressure that follows a closed outline widens a free ring as Lame's solution says, and moves it nowhere.",
    formula: "u = (1 + nu)/E p a^2/(b^2 - a^2) ((1 - 2 nu) r + b^2/r) in plane strain",
    source: "Lame 1852; Timoshenko, Goodier, Theory of Elasticity, article 28",
    weight: Weight::Quick,
    run,
};

/// Radii inside and outside (m); Young's modulus (Pa) and Poisson's ratio (1); pressure (Pa), so
/// small that displacements are.
pub(super) const RADII: [f64; 2] = [0.5, 1.0];
const ELASTIC: [f64; 2] = [1e9, 0.3];
const PRESSURE: f64 = 1e3;

/// Radial displacement at a radius (m) by Lame.
pub(super) fn lame(r: f64) -> f64 {
    let [young, poisson] = ELASTIC;
    let [a, b] = RADII.map(|radius| radius * radius);
    (1.0 + poisson) / young * PRESSURE * a / (b - a) * ((1.0 - 2.0 * poisson) * r + b / r)
}

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("r (m)", "u (m)"));
    outcome.plot.curve("Lame", RADII, lame);

    let mut ratios = Vec::new();
    for (layers, within) in [(2, 0.1), (4, 0.03), (8, 0.008), (16, 0.002)] {
        let measured = widened(layers, false)?;
        let [inner, outer] = [measured[0][1], measured[layers][1]];
        for (label, r, got) in [("inside", RADII[0], inner), ("outside", RADII[1], outer)] {
            let name = format!("displacement {label}, {layers} layers");
            let quantity = Quantity::relative(name, "m", lame(r), got, 1e-4);
            let reason = "linear triangles within a polygon, with an error of order 2 in the size";
            outcome.check(quantity.known_miss(reason, within));
        }
        ratios.push(inner / lame(RADII[0]));
        outcome.plot.points(format!("{layers} layers"), measured);
    }

    // Quadratic triangles with their sides on circles.
    let reason = "few triangles across the ring, with an error of order 3 to 4 in the size";
    for (layers, miss) in [(2, Some(0.002)), (4, Some(2e-4)), (6, None)] {
        let measured = widened(layers, true)?;
        let name = format!("displacement inside, quadratic triangles, {layers} layers");
        let inner = measured[0][1];
        let quantity = Quantity::relative(name, "m", lame(RADII[0]), inner, 1e-4);
        outcome.check(match miss {
            Some(within) => quantity.known_miss(reason, within),
            None => quantity,
        });
        outcome
            .plot
            .points(format!("{layers} layers, quadratic"), measured);
    }

    // The two finest meshes, extrapolated with order 2.
    let limit = (4.0 * ratios[3] - ratios[2]) / 3.0;
    let name = "displacement inside over Lame's, extrapolated";
    outcome.relative(name, "1", 1.0, limit, 2e-4);
    Ok(outcome)
}

/// Mean radius at rest and mean displacement (m) of each circle of corners of a free ring, with linear
/// or quadratic triangles.
fn widened(layers: usize, is_quadratic: bool) -> Result<Vec<[f64; 2]>, Error> {
    let around = 12 * layers;
    // The margin takes in the vertices of the bore that rounding puts outside of it.
    let inside = Selection::disk([0.0, 0.0], 1.001 * RADII[0]);
    let ring = ring(RADII, layers, is_quadratic).with_selection("bore", inside);
    let simulation = pressed(ring)?;

    let rest = &simulation.world().rest;
    let x = &simulation.state().x;
    let circles = (0..=layers).map(|layer| {
        let own = layer * around..(layer + 1) * around;
        let sum: f64 = own.clone().map(|i| x[i].norm() - rest[i].norm()).sum();
        [rest[own.start].norm(), sum / around as f64]
    });
    Ok(circles.collect())
}

/// A body with the name "ring" at rest under the pressure on its selection "bore".
///
/// # Errors
/// If the scene cannot be built or a step fails.
pub(super) fn pressed(ring: Body) -> Result<Simulation, Error> {
    let load = Load::pressure("ring", PRESSURE).on(Selection::Named("bore".to_owned()));
    let scene = scene(10.0, 6)
        .tolerance(1e-13)
        .weightless()
        .elastic(Law::linear(ELASTIC[0], ELASTIC[1]))
        .with_body(ring)
        .with_load(load);
    after(scene, 6)
}

/// Body of a ring with these radii (m), of linear triangles or of quadratic ones whose nodes are on
/// circles. It has 12 times as many cells around as layers.
pub(super) fn ring(radii: [f64; 2], layers: usize, is_quadratic: bool) -> Body {
    let plain = mesh(radii, layers, 12 * layers);
    if !is_quadratic {
        return Body::deformable("ring", plain, RUBBER);
    }
    let bent = six_nodes(&plain, |[a, b]| {
        // Sides around the ring become arcs, and radial ones stay straight.
        let middle = (a + b) / 2.0;
        middle * (0.5 * (a.norm() + b.norm()) / middle.norm())
    });
    Body::deformable("ring", bent, RUBBER).quadratic()
}

/// Mesh of a ring with these radii (m), with vertices on circles.
fn mesh([a, b]: [f64; 2], layers: usize, around: usize) -> InlineMesh {
    let mut vertices = Vec::new();
    let mut triangles = Vec::new();
    for layer in 0..=layers {
        let radius = a + (b - a) * layer as f64 / layers as f64;
        for k in 0..around {
            let angle = TAU * k as f64 / around as f64;
            vertices.push([radius * angle.cos(), radius * angle.sin()]);
        }
    }

    // Every other cell is cut along its other diagonal, so that the mesh has no sense of rotation.
    for layer in 0..layers {
        for k in 0..around {
            let next = (k + 1) % around;
            let [a, b] = [layer * around + k, layer * around + next];
            let [c, d] = [b + around, a + around];
            if (layer + k) % 2 == 0 {
                triangles.extend([[a, d, c], [a, c, b]]);
            } else {
                triangles.extend([[a, d, b], [b, d, c]]);
            }
        }
    }
    InlineMesh::new(vertices, triangles)
}

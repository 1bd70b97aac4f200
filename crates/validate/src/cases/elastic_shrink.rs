//! A shaft that is larger than the bore of its hub: a shrink fit.
//!
//! At rest the shaft has the radius `a + delta` and the bore `a`. The shaft begins smaller than the bore, as
//! if it were cooled, and expands until the hub holds it. In plane strain, with one material and
//! `E' = E / (1 - nu^2)`, the pressure between them and the widening of the hub outside are
//!
//! `p = E' delta / (2 a) (b^2 - a^2) / b^2`, `u(b) = 2 p a^2 b / (E' (b^2 - a^2)) = delta a / b`.
//!
//! Reach and stiffness of contact are the defaults: statics makes contact stiff enough by itself. Mean
//! pressure and widening are judged to 1 % on meshes of quadratic triangles whose nodes face each other.

use super::load_ring::ring;
use crate::scenes::{Exact, RUBBER, statics};
use crate::six_nodes::disk;
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::forces::{lengths_at, normal_on_vertices};
use ipcsim::math::Vec2;
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "elastic_shrink",
    title: "A shrink fit of a shaft in a hub",
    proves: "A shaft that is too large for its hub has the pressure of Lame, by the default reach and stiffness of contact.",
    formula: "p = E' delta/(2 a) (b^2 - a^2)/b^2",
    source: "Lame 1852; Timoshenko, Strength of Materials, part II",
    weight: Weight::Quick,
    run,
};

/// Radii of bore and hub (m), Young's modulus (Pa), Poisson's ratio (1).
const RADII: [f64; 2] = [1.0, 2.0];
const ELASTIC: [f64; 2] = [1000.0, 0.3];
/// Layers of the hub, with 12 edges around for each, and share to which the shaft is shrunk at the
/// start (1).
const LAYERS: usize = 4;
const SHRUNK: f64 = 0.99;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("delta (m)", "pressure (Pa)"));
    let [a, b] = RADII;
    let modulus = ELASTIC[0] / (1.0 - ELASTIC[1] * ELASTIC[1]);
    let lame = |delta: f64| modulus * delta / (2.0 * a) * (b * b - a * a) / (b * b);
    outcome.plot.curve("Lame", [0.0, 1e-3], lame);
    let mut measured = Vec::new();
    for interference in [1e-4, 1e-3] {
        let fit = fitted(interference)?;
        let named = |name: &str| format!("{name}, delta {interference} m");
        outcome.relative(
            named("mean pressure"),
            "Pa",
            lame(interference),
            fit.pressure,
            0.01,
        );
        outcome.relative(
            named("widening outside"),
            "m",
            interference * a / b,
            fit.widening,
            0.01,
        );
        measured.push([interference, fit.pressure]);
    }
    outcome.plot.points("measured", measured);
    Ok(outcome)
}

/// Mean pressure (Pa) on the shaft, and mean widening of the hub outside (m).
struct Fit {
    pressure: f64,
    widening: f64,
}

/// A fit with this difference of the radii of shaft and bore (m).
fn fitted(interference: f64) -> Result<Fit, Error> {
    let [a, b] = RADII;
    let round = disk(a + interference, 2 * LAYERS);
    let shaft = Body::deformable("shaft", round, RUBBER).quadratic();
    let mut shaft = on_axes(shaft, SHRUNK * (a + interference));
    shaft.stretch = [SHRUNK; 2];
    let hub = on_axes(ring(RADII, LAYERS, true), b);

    let [young, poisson] = ELASTIC;
    let scene = statics(1)
        .weightless()
        .elastic(Law::linear(young, poisson))
        .with_body(shaft)
        .with_body(hub);
    let mut simulation = Simulation::new(scene)?;
    simulation.step()?;

    let world = simulation.world();
    let state = simulation.state();
    let surface = &world.model.surface;
    let contacts = world.contacts_at(&state.x, &state.memory.options.stiffening.adapted);
    let forces = normal_on_vertices(surface, &contacts, &state.x);
    let lengths = lengths_at(surface, &world.rest);
    let shaft = simulation.body("shaft")?.body().vertices.clone();
    let force: f64 = forces[shaft.clone()].iter().map(Vec2::norm).sum();
    let around: f64 = lengths[shaft].iter().sum();

    let outside = simulation.body("ring")?.body().vertices.clone();
    let outside = outside.filter(|&vertex| world.rest[vertex].norm() > 0.999_999 * b);
    let widened: Vec<f64> = outside.map(|vertex| state.x[vertex].norm() - b).collect();
    Ok(Fit {
        pressure: force / around,
        widening: widened.iter().sum::<f64>() / widened.len() as f64,
    })
}

/// A body with four vertices on the axes at this radius (m), which move only along them: symmetry has
/// it so, and nothing else holds the body.
fn on_axes(mut body: Body, radius: f64) -> Body {
    for (at, axis) in [
        ([radius, 0.0], Axis::Y),
        ([-radius, 0.0], Axis::Y),
        ([0.0, radius], Axis::X),
        ([0.0, -radius], Axis::X),
    ] {
        let mut held = Prescribed::held(Selection::disk(at, 1e-6));
        held.axis = Some(axis);
        body = body.with_prescribed(held);
    }
    body
}

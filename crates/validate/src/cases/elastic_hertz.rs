//! A round elastic body pressed on a rigid plane.
//!
//! The lower side of the body is a parabola of radius `R`, with a mesh that is fine where it
//! touches. Contact is integrated along its edges. Hertz's theory is linear: it knows one
//! configuration, that of rest. Forces are therefore taken per length at rest, and places at rest;
//! the surface in contact has shrunk by `p (1 + nu) (1 - 2 nu) / E`, which is two per cent here.
//!
//! `F` is the force per thickness (N/m), `a` the half-width of the contact (m), `p0` the peak of
//! the pressure (Pa). The plane is rigid, so that `E* = E/(1 - nu^2)` of the body alone. The
//! pressure is half an ellipse, `p(x) = p0 sqrt(1 - x^2/a^2)`.

use crate::pressure::line;
use crate::round::{Graded, Half};
use crate::scenes::{Exact, RUBBER, after, ground, scene};
use crate::{Case, Outcome, Plot, Quantity, Weight};
use ipcsim::prelude::*;
use std::collections::BTreeMap;
use std::f64::consts::PI;

pub(super) const CASE: Case = Case {
    name: "elastic_hertz",
    title: "Hertz: pressure of a round body on a plane",
    proves: "Contact pressure between a round elastic body and a plane has the width, the peak and the shape of Hertz.",
    formula: "a = sqrt(4 F R / pi E*), p0 = sqrt(F E* / pi R), E* = E / (1 - nu^2)",
    source: "Hertz 1882; Johnson, Contact Mechanics, section 4.2",
    weight: Weight::Full,
    run,
};

/// Radius (m), modulus (Pa), Poisson's ratio (1).
const RADIUS: f64 = 8.0;
const YOUNG: f64 = 200.0;
const POISSON: f64 = 0.3;

/// Edges in the half-width, and activation distances in it.
const EDGES: f64 = 28.0;
/// Activation distances in the half-width (1): the barrier is thin beside the contact.
const REACHES: f64 = 130.0;

/// Judges peak and half-width to 0.5 %, and the outermost edge in contact to one edge's length.
///
/// `p^2 = p0^2 (1 - x^2/a^2)` is a straight line in `x^2`. A fit by least squares within 0.9 `a`
/// gives `p0` and `a`; the margin leaves out edges that the end of the contact cuts. Expected
/// values use the force that the simulation has, so that the travel of the upper side needs no
/// theory.
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("x / a", "pressure / p0"));
    outcome
        .plot
        .curve("Hertz", [-1.3, 1.3], |x| (1.0 - x * x).max(0.0).sqrt());

    // Forces of about 10 N and 1 N per metre.
    for (label, usual, travel) in [("10 N/m", 0.6808, 0.113), ("1 N/m", 0.2153, 0.0147)] {
        let pressed = pressed(usual, travel)?;
        let force: f64 = pressed.iter().map(Pressed::force).sum();
        let effective = YOUNG / (1.0 - POISSON * POISSON);
        let width = (4.0 * force * RADIUS / (PI * effective)).sqrt();
        let peak = (force * effective / (PI * RADIUS)).sqrt();

        // Half an ellipse: p^2 is linear in x^2.
        let inner = pressed.iter().filter(|edge| edge.x.abs() < 0.9 * width);
        let fit = line(inner.map(|edge| [edge.x.powi(2), edge.pressure.powi(2)]));
        let touching = pressed.iter().map(|edge| edge.x.abs()).fold(0.0, f64::max);

        let check = |name: &str, unit, expected, got, share| {
            Quantity::relative(format!("{name}, {label}"), unit, expected, got, share)
        };
        outcome.check(check("peak p0", "Pa", peak, fit[0].sqrt(), 5e-3));
        let fitted = (-fit[0] / fit[1]).sqrt();
        outcome.check(check("half-width a of the fit", "m", width, fitted, 5e-3));
        outcome.absolute(
            format!("outermost edge that touches, {label}"),
            "m",
            width,
            touching,
            usual / EDGES,
        );
        let places = pressed
            .iter()
            .map(|edge| [edge.x / width, edge.pressure / peak]);
        outcome.plot.points(label, places.collect());
    }
    Ok(outcome)
}

/// An edge in contact: its middle at rest (m), its length at rest (m), and force over length (Pa).
struct Pressed {
    x: f64,
    length: f64,
    pressure: f64,
}

impl Pressed {
    /// Force (N).
    fn force(&self) -> f64 {
        self.pressure * self.length
    }
}

/// Edges in contact after the upper side has moved down by `travel`, with a mesh for a half-width
/// of about `width` (m).
fn pressed(width: f64, travel: f64) -> Result<Vec<Pressed>, Error> {
    let d_hat = width / REACHES;
    let size = Graded {
        fine: width / EDGES,
        within: 1.3 * width,
        reach: 20.0 * width,
    };
    let mesh = size.mesh(Half::Upper, 1.0 / RADIUS);
    let top = size.depth();
    let upper = Bounds::new([-2.0 * top, 0.999 * top], [2.0 * top, 2.0 * top]);
    let mut moved = Prescribed::moved(Selection::Box(upper), [0.0, -travel / 10.0]);
    moved.travel = Some(travel);
    // The mass is so small that a wave crosses the body in a fraction of a step, and each
    // step ends at rest.
    let scene = scene(1.0, 20)
        .tolerance(1e-9)
        .weightless()
        .with_material(RUBBER, Material::new(1e-7, Law::linear(YOUNG, POISSON)))
        .barrier(d_hat, 10.0 * YOUNG)
        .with_body(
            Body::deformable("body", mesh, RUBBER)
                .at([0.0, d_hat])
                .with_prescribed(moved),
        )
        .with_obstacle(ground());
    let simulation = after(scene, 20)?;

    // One force for each edge.
    let mut forces: BTreeMap<[usize; 2], f64> = BTreeMap::new();
    for contact in simulation.contacts() {
        if let &[a, b, ..] = contact.vertices.as_slice() {
            *forces.entry([a, b]).or_default() += contact.normal_force;
        }
    }
    let rest = &simulation.world().rest;
    let edges = forces.into_iter().map(|([a, b], force)| {
        let length = (rest[b] - rest[a]).norm();
        Pressed {
            x: 0.5 * (rest[a].x + rest[b].x),
            length,
            pressure: force / length,
        }
    });
    Ok(edges.collect())
}

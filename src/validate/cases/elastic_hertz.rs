//! A round elastic body pressed on a rigid plane.
//!
//! The lower side of the body is a parabola of radius `R`, with a mesh that is fine where it
//! touches. Width and peak of the pressure follow from the force. For Hertz's pressure
//! `p0 sqrt(1 - x^2/a^2)` the second moment is `F a^2/4`.

use crate::prelude::*;
use crate::validate::scenes::{Exact, RUBBER, ground, scene};
use crate::validate::{Case, Outcome, Plot, Quantity, Weight};
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

/// Radius (m), modulus (Pa), Poisson's ratio (1), size of the mesh where it is fine (m).
const RADIUS: f64 = 1.0;
const YOUNG: f64 = 1e6;
const POISSON: f64 = 0.3;
const FINE: f64 = 1.5e-3;

fn run() -> Result<Outcome, Error> {
    let pressed = pressed()?;
    let force: f64 = pressed.iter().map(|vertex| vertex.force).sum();
    let effective = YOUNG / (1.0 - POISSON * POISSON);
    let width = (4.0 * force * RADIUS / (PI * effective)).sqrt();
    let peak = (force * effective / (PI * RADIUS)).sqrt();

    // The peak from the pressures next to the middle.
    let moment: f64 = pressed
        .iter()
        .map(|vertex| vertex.force * vertex.x * vertex.x)
        .sum();
    let inner = pressed.iter().filter(|vertex| vertex.x.abs() < 0.3 * width);
    let [mut sum, mut shape] = [0.0; 2];
    for vertex in inner {
        sum += vertex.force / FINE;
        shape += (1.0 - (vertex.x / width).powi(2)).sqrt();
    }

    let mut outcome = Outcome::new(Plot::new("x (m)", "pressure (Pa)"));
    let got = 2.0 * (moment / force).sqrt();
    outcome.check(Quantity::relative("half-width a", "m", width, got, 0.02));
    outcome.check(Quantity::relative(
        "peak pressure p0",
        "Pa",
        peak,
        sum / shape,
        0.01,
    ));
    outcome
        .plot
        .curve("Hertz", [-1.3 * width, 1.3 * width], |x| {
            peak * (1.0 - (x / width).powi(2)).max(0.0).sqrt()
        });
    let measured = pressed.iter().filter(|vertex| vertex.x.abs() < 1.3 * width);
    outcome.plot.points(
        "measured",
        measured
            .map(|vertex| [vertex.x, vertex.force / FINE])
            .collect(),
    );
    Ok(outcome)
}

/// Place (m) and contact force (N) of a vertex of the lower side.
struct Pressed {
    x: f64,
    force: f64,
}

/// Contact forces of the body after its upper side has moved down by 1 mm.
fn pressed() -> Result<Vec<Pressed>, Error> {
    let d_hat = 1e-5;
    let x = graded(0.06, 0.9);
    let depth = graded(0.06, 0.9);
    let depth: Vec<f64> = depth.into_iter().filter(|y| *y >= 0.0).collect();
    let rows = depth.len();

    // Columns from the parabola to the upper side, as graded as the depth.
    let top = depth[rows - 1];
    let mut vertices = Vec::new();
    for &x in &x {
        let low = 0.5 * x * x / RADIUS;
        vertices.extend(
            depth
                .iter()
                .map(|y| [x, low + (top - low) * y / top + d_hat]),
        );
    }
    let at = |i: usize, j: usize| i * rows + j;
    let cells = (0..(x.len() - 1) * (rows - 1)).flat_map(|k| {
        let [i, j] = [k / (rows - 1), k % (rows - 1)];
        let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        if (i + j) % 2 == 0 {
            [[a, b, c], [a, c, d]]
        } else {
            [[a, b, d], [b, c, d]]
        }
    });
    let mesh = InlineMesh::new(vertices, cells.collect());

    let upper = Bounds::new([-2.0, top], [2.0, top + 1.0]);
    let mut moved = Prescribed::moved(Selection::Box(upper), [0.0, -1e-4]);
    moved.travel = Some(1e-3);
    let scene = scene(1.0, 20)
        .tolerance(1e-9)
        .weightless()
        .elastic(Law::neo_hookean(YOUNG, POISSON))
        .barrier(d_hat, 1e8)
        .with_body(Body::deformable("body", mesh, RUBBER).with_prescribed(moved))
        .with_obstacle(ground());
    let mut simulation = Simulation::new(scene)?;
    simulation.run(20)?;
    let contacts = simulation.contacts().map(|contact| Pressed {
        x: contact.point.x,
        force: contact.normal_force,
    });
    Ok(contacts.collect())
}

/// Places from `-reach` to `reach` (m): [`FINE`] apart up to `fine`, then 15 % more each time.
fn graded(fine: f64, reach: f64) -> Vec<f64> {
    let mut places = vec![0.0];
    let mut step = FINE;
    while places[places.len() - 1] < reach {
        let last = places[places.len() - 1];
        if last > fine {
            step *= 1.15;
        }
        places.push(last + step);
    }
    let left = places[1..].iter().rev().map(|x| -x);
    left.chain(places.iter().copied()).collect()
}

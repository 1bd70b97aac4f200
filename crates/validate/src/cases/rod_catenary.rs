//! A rope that hangs between two supports, under its own weight.
//!
//! For a rope of the length `S` over a span `D` the catenary is `y = a cosh(x / a)`, and `a` follows
//! from `S = 2 a sinh(D / 2 a)`. Its sag is `a (cosh(D / 2 a) - 1)`, and its tension `q y` for the
//! weight per length `q`: `q a` in the middle.
//!
//! The rope has no bending stiffness and hardly stretches. Its mass is at its vertices, with an error
//! of order 2 in the length of segments.

use crate::formulas::root;
use crate::scenes::{G, STONE, statics};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::ElasticRod;

pub(super) const CASE: Case = Case {
    name: "rod_catenary",
    title: "Catenary: a rope between two supports",
    proves: "A rope without bending stiffness hangs as a catenary and has its tension.",
    formula: "y = a cosh(x / a), T = q y",
    source: "Bernoulli, Huygens and Leibniz 1691",
    weight: Weight::Quick,
    run,
};

/// Span (m), segments, axial stiffness (N), mass per length (kg/m).
const SPAN: f64 = 1.0;
const SEGMENTS: usize = 80;
const AXIAL: f64 = 1e7;
const MASS: f64 = 0.5;

/// Judges sag and forces of the supports to 0.1 %, for ropes a little and much longer than the span.
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("x (m)", "y (m)"));
    for length in [1.05, 1.5, 3.0] {
        let half = 0.5 * SPAN;
        let a = root([1e-2, 10.0], |a| 2.0 * a * (half / a).sinh() - length);
        let shape = |x: f64| a * ((x / a).cosh() - (half / a).cosh());
        outcome
            .plot
            .curve(format!("S = {length} m"), [-half, half], shape);

        let (x, pull) = hanging(length)?;
        let lowest = x.iter().map(|x| -x[1]).fold(0.0, f64::max);
        let expected = [-shape(0.0), MASS * G * a, 0.5 * MASS * G * length];
        let got = [lowest, pull[0], pull[1]];
        let names = [
            ("sag", "m"),
            ("horizontal force", "N"),
            ("vertical force", "N"),
        ];
        for (k, (name, unit)) in names.into_iter().enumerate() {
            let name = format!("{name}, S = {length} m");
            outcome.relative(name, unit, expected[k], got[k], 1e-3);
        }
        outcome.plot.points(format!("measured, {length}"), x);
    }
    Ok(outcome)
}

/// Points (m) of a rope of this length (m) at rest, and the forces along x and y of a support (N). It
/// starts as a triangle.
fn hanging(length: f64) -> Result<(Vec<[f64; 2]>, [f64; 2]), Error> {
    let half = 0.5 * SPAN;
    // Two straight halves have the length of the rope, so that it starts without strain.
    let depth = (0.25 * length * length - half * half).sqrt();
    let line = Polyline::open(vec![[-half, 0.0], [0.0, -depth], [half, 0.0]]);
    let rope = ElasticRod::of_stiffness(AXIAL, 0.0, MASS);
    let ends = Selection::Indices(vec![0, SEGMENTS]);
    let scene = statics(1).with_body(
        Body::rod("rope", rope, line.divided(SEGMENTS / 2), STONE)
            .with_prescribed(Prescribed::held(ends)),
    );
    let mut simulation = Simulation::new(scene)?;
    simulation.step()?;

    // The horizontal force of a support is the tension of the middle.
    let x = simulation.body("rope")?.x().to_vec();
    let middle = SEGMENTS / 2;
    let tension = |k: usize| {
        let way = x[k + 1] - x[k];
        let stretch = way.norm() * SEGMENTS as f64 / length - 1.0;
        way.normalize() * (AXIAL * stretch)
    };
    let pull = 0.5 * (tension(middle - 1).x + tension(middle).x);
    let up: f64 = simulation
        .reactions()
        .map(|reaction| reaction.force.y)
        .sum();
    Ok((x.iter().map(|x| [x.x, x.y]).collect(), [pull, 0.5 * up]))
}

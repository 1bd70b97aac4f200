//! A rod that is pressed beyond buckling.
//!
//! Both ends are pinned, and one of them is moved to the other by a shortening that belongs to an end
//! angle of 20, 40 and 60 degrees. With `p = sin(a/2)` for the angle `a` and the complete elliptic
//! integrals `K(p)` and `E(p)`, the force is `(2 K / pi)^2` times that of buckling, the shortening
//! `2 - 2 E / K` and the deflection of the middle `p / K`, both over length.
//!
//! The rod is straight without moments. It starts a little bent, since a straight one would stay
//! straight, where its energy is a maximum.

use crate::formulas::integral;
use crate::scenes::{STONE, after, statics};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;
use ipcsim::scene::schema::ElasticRod;
use std::f64::consts::{FRAC_PI_2, PI};

pub(super) const CASE: Case = Case {
    name: "rod_buckling",
    title: "Post-buckling: a rod between two pins",
    proves: "Beyond buckling a rod carries the force of the elastica, and deflects as far.",
    formula: "P / P_cr = (2 K / pi)^2, w / L = p / K, p = sin(a / 2)",
    source: "Timoshenko and Gere 1961, Theory of Elastic Stability, section 2.7",
    weight: Weight::Quick,
    run,
};

/// Number of segments, axial (N) and bending stiffness (N m^2).
const SEGMENTS: usize = 60;
const STIFFNESS: [f64; 2] = [1e7, 1.0];

/// Judges force and deflection to 0.5 %, and the angle of the ends to 0.5 %.
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("shortening / L", "P / P_cr"));
    let mut curve = Vec::new();
    for k in 1..=70 {
        let found = exact(f64::from(k).to_radians());
        curve.push([found.shortening, found.force]);
    }
    outcome.plot.line("elastica", curve);

    let mut measured = Vec::new();
    for degrees in [20.0, 40.0, 60.0_f64] {
        let expected = exact(degrees.to_radians());
        let found = pressed(expected.shortening)?;
        for (name, unit, expected, got) in [
            ("P / P_cr", "1", expected.force, found.force),
            ("deflection / L", "1", expected.deflection, found.deflection),
            ("angle of the end", "rad", expected.angle, found.angle),
        ] {
            let name = format!("{name}, end angle {degrees} degrees");
            outcome.relative(name, unit, expected, got, 0.005);
        }
        measured.push([found.shortening, found.force]);
    }
    outcome.plot.points("measured", measured);
    Ok(outcome)
}

/// A state of a rod between pins.
struct Buckled {
    /// Angle of the ends (rad).
    angle: f64,
    /// Force over that of buckling (1).
    force: f64,
    /// Way of one end to the other over length (1).
    shortening: f64,
    /// Deflection of the middle over length (1).
    deflection: f64,
}

/// The state with this angle of the ends (rad), by elliptic integrals.
fn exact(angle: f64) -> Buckled {
    let p = (0.5 * angle).sin();
    let root = |u: f64| (1.0 - (p * u.sin()).powi(2)).sqrt();
    let first = integral([0.0, FRAC_PI_2], 100, |u| 1.0 / root(u));
    let second = integral([0.0, FRAC_PI_2], 100, root);
    Buckled {
        angle,
        force: (2.0 * first / PI).powi(2),
        shortening: 2.0 - 2.0 * second / first,
        deflection: p / first,
    }
}

/// The state with this shortening over length (1) of a rod that starts as an arc of a sine.
fn pressed(shortening: f64) -> Result<Buckled, Error> {
    const RISE: f64 = 0.05;
    let place = |k: usize| {
        let x = k as f64 / SEGMENTS as f64;
        [x, RISE * (PI * x).sin()]
    };
    let points: Vec<[f64; 2]> = (0..=SEGMENTS).map(place).collect();
    let ways = points
        .windows(2)
        .map(|w| [w[1][0] - w[0][0], w[1][1] - w[0][1]]);
    let length: f64 = ways.map(|[x, y]| x.hypot(y)).sum();
    // The arc is longer than its span of 1 m, and shortening counts from its length.
    let moved = format!("({}) * t", length * (1.0 - shortening) - 1.0);

    let [axial, bending] = STIFFNESS;
    let rod = ElasticRod::of_stiffness(axial, bending, 1.0).straight();
    let end = Selection::Indices(vec![SEGMENTS]);
    let body = Body::rod("rod", rod, Polyline::open(points), STONE)
        .with_prescribed(Prescribed::held(Selection::Indices(vec![0])))
        .with_prescribed(Prescribed::displaced(end, [moved.as_str(), "0"]));
    let scene = statics(4).with_gravity([0.0, 0.0]).with_body(body);
    let simulation = after(scene, 4)?;

    let force = simulation
        .reactions()
        .map(|reaction| reaction.force.x.abs());
    let critical = PI * PI * bending / (length * length);
    let x = simulation.body("rod")?.x();
    let ends = x[SEGMENTS] - x[0];
    let way = x[1] - x[0];
    let next = x[2] - x[1];

    // The angle at the end from those at the middles of two segments: curvature is 0 at the end.
    let [first, second] = [way, next].map(|way| way.y.atan2(way.x));
    Ok(Buckled {
        angle: first + (first - second) / 8.0,
        force: force.fold(0.0, f64::max) / critical,
        shortening: 1.0 - ends.x / length,
        deflection: x[SEGMENTS / 2].y / length,
    })
}

//! Lee's frame: a right angle of two beams on hinges that snaps through and back, by arc length.
//!
//! A column from a hinge at the origin leads up to a corner, and a beam from there to a hinge on the right,
//! both of the length `L`. A force `P` presses a fifth of the way along the beam. The load rises to
//! `18.552 EI/L^2`, falls to a load that pulls, and rises again; on the way the loaded point goes back.
//!
//! Equilibria of the inextensible elastica are found by shooting, apart from the simulator: from the
//! hinge, with the moment `M = EI f'` at the angle `f` of the tangent `t` and the force `N` in the section,
//! `M' = -t x N`, where `N` is the reaction of the hinge less the load behind it. The reaction, the first
//! angle and the load are unknown; the other end has a place and no moment, and the loaded point is on the
//! line across the path through the measured one.

use crate::formulas::runge_kutta;
use crate::scenes::{Exact, STONE};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::math::{Vec2, cross};
use ipcsim::prelude::*;
use ipcsim::scene::schema::ElasticRod;
use nalgebra::{Matrix4, Vector4};
use std::f64::consts::FRAC_PI_2;

pub(super) const CASE: Case = Case {
    name: "static_lee",
    title: "Statics by arc length: Lee's frame",
    proves: "A frame of rods is followed through both of its limit loads and where it snaps back, and carries the loads of the elastica.",
    formula: "EI f'' = -t x N;  P_max = 18.552 EI/L^2",
    source: "Lee, Manuel, Rossow 1968, Large deflections and stability of elastic frames; Schweizerhof, Wriggers 1986",
    weight: Weight::Full,
    run,
};

/// Largest load of the source, times `L^2/EI`.
const LIMIT: f64 = 18.552;
/// Length (m) and bending stiffness (N m^2) of a member, and an axial stiffness (N) that stretches it by
/// less than 1e-4.
const LENGTH: f64 = 1.0;
const BENDING: f64 = 1.0;
const AXIAL: f64 = 1e6;
/// Share of the beam at which the load is.
const LOADED: f64 = 0.2;
/// Numbers of segments of a member.
const SEGMENTS: [usize; 2] = [40, 80];
/// Number of increments, the largest way (m) and the largest change of the load (N) in each.
const INCREMENTS: usize = 118;
const WAY: f64 = 0.01;
const LOAD: f64 = 2.0;
/// Number of steps along a member by which the elastica is integrated.
const STEPS: usize = 100;

/// A state on the path: the load (N), and the place of the loaded point (m).
#[derive(Clone, Copy)]
struct Reached {
    load: f64,
    at: Vec2,
}

/// Path of the frame by rods of this number of segments.
///
/// # Errors
/// If an increment fails.
fn path(segments: usize) -> Result<Vec<Reached>, Error> {
    let corner = [0.0, LENGTH];
    let line = Polyline::open(vec![[0.0, 0.0], corner, [LENGTH, LENGTH]]).divided(segments);
    let rod = ElasticRod::of_stiffness(AXIAL, BENDING, 1.0);
    let hinges = Prescribed::held(Selection::Indices(vec![0, 2 * segments]));
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a whole number of segments"
    )]
    let loaded = segments + (LOADED * segments as f64).round() as usize;
    let scene = Scene::new(Time::new(LOAD, INCREMENTS).along(WAY))
        .with_material(STONE, Material::rigid(1000.0))
        .weightless()
        .with_body(Body::rod("frame", rod, line, STONE).with_prescribed(hinges))
        .with_load(Load::force("frame", ["0", "-t"]).on(Selection::Indices(vec![loaded])));

    let mut simulation = Simulation::new(scene)?;
    let mut states = vec![Reached {
        load: 0.0,
        at: Vec2::new(LOADED * LENGTH, LENGTH),
    }];
    for _ in 0..INCREMENTS {
        let load = simulation.step()?.record.time;
        let at = simulation.body("frame")?.x()[loaded];
        states.push(Reached { load, at });
    }
    Ok(states)
}

/// The elastica from the hinge, for the unknowns: first angle (rad), reaction along x and y (N), load
/// (N). Gives the loaded point, the other end (m) and the moment there (N m).
fn shoot(unknown: &Vector4<f64>) -> (Vec2, Vec2, f64) {
    let &[first, along, up, load] = unknown.as_ref();
    let mut section = Vec2::new(-along, -up);
    let mut y = [first, 0.0, 0.0, 0.0];
    let span = |y: [f64; 4], share: f64, section: Vec2| {
        let mut y = y;
        for _ in 0..STEPS {
            y = runge_kutta(y, share * LENGTH / STEPS as f64, |[angle, moment, _, _]| {
                let tangent = Vec2::new(angle.cos(), angle.sin());
                [
                    moment / BENDING,
                    -cross(tangent, section),
                    tangent.x,
                    tangent.y,
                ]
            });
        }
        y
    };

    // Column, corner, and the two parts of the beam.
    y = span(y, 1.0, section);
    y[0] -= FRAC_PI_2;
    y = span(y, LOADED, section);
    let loaded = Vec2::new(y[2], y[3]);
    section.y += load;
    y = span(y, 1.0 - LOADED, section);
    (loaded, Vec2::new(y[2], y[3]), y[1])
}

/// Loads (N) of the elastica beside the states of a path, each on the line across the way there.
fn elastica(states: &[Reached]) -> Vec<f64> {
    let mut unknown = Vector4::new(FRAC_PI_2, 0.0, 0.0, 0.0);
    let mut loads = vec![0.0];
    for pair in states.windows(2) {
        let [before, now] = [pair[0], pair[1]];
        let along = (now.at - before.at).normalize();
        let missing = |unknown: &Vector4<f64>| {
            let (loaded, end, moment) = shoot(unknown);
            let gap = end - Vec2::new(LENGTH, LENGTH);
            Vector4::new(gap.x, gap.y, moment, along.dot(&(loaded - now.at)))
        };

        // Newton's method with differences.
        unknown[3] = now.load;
        for _ in 0..20 {
            let at = missing(&unknown);
            let columns = [0, 1, 2, 3].map(|k| {
                let mut beside = unknown;
                beside[k] += 1e-6;
                (missing(&beside) - at) * 1e6
            });
            let slope = Matrix4::from_columns(&columns);
            let step = slope.lu().solve(&at).unwrap_or_else(Vector4::zeros);
            unknown -= step;
            if step.amax() < 1e-9 {
                break;
            }
        }
        loads.push(unknown[3]);
    }
    loads
}

/// Largest and least load of a path, by parabolas through three states.
fn limits(loads: &[f64]) -> [f64; 2] {
    let vertex = |k: usize| {
        let [a, b, c] = [loads[k - 1], loads[k], loads[k + 1]];
        b - (a - c) * (a - c) / (8.0 * (a - 2.0 * b + c))
    };
    let inner = 1..loads.len() - 1;
    let most = inner
        .clone()
        .find(|&k| loads[k] > loads[k - 1] && loads[k] >= loads[k + 1]);
    let least = inner
        .clone()
        .find(|&k| loads[k] < loads[k - 1] && loads[k] <= loads[k + 1]);
    [most, least].map(|k| k.map_or(f64::NAN, vertex))
}

/// Judges both limit loads to 1 %, extrapolated in the length of segments to 0.5 %, and the load along the
/// whole path to 1 % of the limit.
fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("way of the loaded point down / L", "P L^2 / EI"));
    let [coarse, fine] = [path(SEGMENTS[0])?, path(SEGMENTS[1])?];
    let exact = elastica(&fine);
    let of_elastica = limits(&exact);
    outcome.relative(
        "largest load of the elastica by shooting",
        "N",
        LIMIT,
        of_elastica[0],
        1e-3,
    );

    // Errors of the corner are of order 1 in the length of its segments.
    let loads = |states: &[Reached]| states.iter().map(|state| state.load).collect::<Vec<_>>();
    let [first, second] = [limits(&loads(&coarse)), limits(&loads(&fine))];
    let expected = [LIMIT, of_elastica[1]];
    for (k, name) in ["largest load", "least load"].into_iter().enumerate() {
        let label = format!("{name}, {} segments", SEGMENTS[1]);
        outcome.relative(label, "N", expected[k], second[k], 0.01);
        let limit = 2.0 * second[k] - first[k];
        let label = format!("{name}, extrapolated");
        outcome.relative(label, "N", expected[k], limit, 5e-3);
    }

    let error = |(state, exact): (&Reached, &f64)| (state.load - exact).abs() / LIMIT;
    let largest = fine.iter().zip(&exact).map(error).fold(0.0, f64::max);
    let name = "largest error along the path, relative to the limit";
    outcome.absolute(name, "1", 0.0, largest, 0.01);

    // Along the path the loaded point goes back as well.
    let down = |state: &Reached| LENGTH - state.at.y;
    let backs = fine
        .windows(2)
        .filter(|pair| down(&pair[1]) < down(&pair[0]));
    let name = "increments in which the loaded point goes back up";
    outcome.at_least(name, "1", 5.0, backs.count() as f64);

    let line = |loads: &[f64]| fine.iter().zip(loads).map(|(s, p)| [down(s), *p]).collect();
    outcome.plot.line("elastica", line(&exact));
    outcome.plot.points("rods", line(&loads(&fine)));
    Ok(outcome)
}

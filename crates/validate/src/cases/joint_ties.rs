//! Ties between displacements: a plane end, motions that mirror each other, and a beam that repeats.
//!
//! A force at a corner of a bar, whose end is tied to stay plane, has the uniform stress of a force that is
//! spread over the end: ties spread it, and a uniform stretch is the only motion without a moment there. The
//! mesh represents it exactly.
//!
//! A beam under opposite loads at its ends is symmetric by half a turn about its middle. Half of it has the
//! displacements of the whole if those of its cut are opposite at opposite heights.
//!
//! Vertices at both ends of a beam that repeats move alike, up to the mean strain. That is what a cell does
//! with images instead of equations.

use crate::perturb::simulated;
use crate::repeated::{Cell, Course};
use crate::scenes::{DENSITY, Exact, RUBBER, statics};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::forces::joint_states;
use ipcsim::math::Vec2;
use ipcsim::prelude::*;
use ipcsim::scene::schema::{Axis, Periodic, Side, Tie, TieTerm};

pub(super) const CASE: Case = Case {
    name: "joint_ties",
    title: "Ties: a plane end, antisymmetry, and a beam that repeats",
    proves: "An end that is tied to stay plane makes a point load a uniform stress; half of a beam with antisymmetric \
             ties equals the whole; a beam whose ends are tied by pairs equals a cell.",
    formula: "E/(1 - nu^2) e = F/A for plane strain and small e; u(-x) = -u(x); u_right - u_left = e L",
    source: "linear elasticity; the same model without ties",
    weight: Weight::Quick,
    run,
};

/// Young's modulus (Pa), ratio of Poisson (1) and strain (1).
const YOUNG: f64 = 1e6;
const POISSON: f64 = 0.3;
const STRAIN: f64 = 0.05;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("x (m)", "displacement along x (m)"));
    plane_end(&mut outcome)?;
    antisymmetric(&mut outcome)?;
    repeating(&mut outcome)?;
    Ok(outcome)
}

/// A bar of 1 m by 0.4 m from `x = 0`, weightless.
fn bar(law: Law, length: f64, squares: usize) -> (Scene, Body) {
    let scene = statics(1)
        .weightless()
        .with_material(RUBBER, Material::new(DENSITY, law))
        .tolerance(1e-12);
    let shape = Rectangle::new([length, 0.4], [squares, 4]);
    let body = Body::deformable("bar", shape, RUBBER).at([0.5 * length, 0.0]);
    (scene, body)
}

/// Holds a component of a selection.
fn held(vertices: Selection, axis: Axis) -> Prescribed {
    let mut held = Prescribed::held(vertices);
    held.axis = Some(axis);
    held
}

/// Pulls a corner of a bar whose right end stays plane.
///
/// The other end is free along y but for one vertex, so that nothing hinders the contraction.
///
/// # Errors
/// If the scene cannot be built, or the increment fails.
fn plane_end(outcome: &mut Outcome) -> Result<(), Error> {
    let (scene, body) = bar(Law::linear(YOUNG, POISSON), 1.0, 10);
    let corner = || Selection::Nearest([1.0, 0.2]);
    let body = body
        .with_prescribed(held(Selection::side(Side::Left), Axis::X))
        .with_prescribed(held(Selection::Nearest([0.0, -0.2]), Axis::Y));
    let plane = Tie::new(
        "plane end",
        vec![
            TieTerm::new("bar", Selection::side(Side::Right), Axis::X),
            TieTerm::new("bar", corner(), Axis::X).times(-1.0),
        ],
    );

    // The load is at one vertex.
    let pull = 1000.0;
    let scene = scene
        .with_body(body)
        .with_tie(plane)
        .with_load(Load::force("bar", [pull, 0.0]).on(corner()));
    let mut simulation = simulated(scene)?;
    simulation.step()?;

    // All vertices move as in a uniform stress.
    let strain = pull / 0.4 * (1.0 - POISSON * POISSON) / YOUNG;
    let rest = &simulation.world().rest;
    let moves: Vec<[f64; 2]> = simulation
        .state()
        .x
        .iter()
        .zip(rest)
        .take(simulation.world().bodies[0].vertices.len())
        .map(|(x, at)| [at.x, x.x - at.x])
        .collect();
    let error = moves.iter().map(|[at, u]| (u - strain * at).abs());
    let error = error.fold(0.0, f64::max);
    outcome.absolute("plane end: displacements", "m", 0.0, error, 1e-10);
    outcome
        .plot
        .line("uniform stress", vec![[0.0, 0.0], [1.0, strain]]);
    outcome.plot.points("plane end", moves);
    Ok(())
}

/// Shears and bends a beam, whole and as its right half.
///
/// # Errors
/// If a scene cannot be built, or an increment fails.
fn antisymmetric(outcome: &mut Outcome) -> Result<(), Error> {
    let law = Law::neo_hookean(YOUNG, POISSON);
    let drive = |body: Body, side: Side, along: f64| {
        let moved = Prescribed::displaced(Selection::side(side), [0.0.into(), shift(along)]);
        body.with_prescribed(moved)
    };
    let (scene, whole) = bar(law, 2.0, 20);
    let whole = drive(
        drive(whole.at([0.0; 2]), Side::Left, -0.3),
        Side::Right,
        0.3,
    );
    let mut full = simulated(scene.with_body(whole))?;
    full.step()?;

    // The right half, whose cut is tied to itself along both axes.
    let (scene, half) = bar(law, 1.0, 10);
    let mut scene = scene.with_body(drive(half, Side::Right, 0.3));
    for (name, axis) in [("along", Axis::X), ("across", Axis::Y)] {
        let cut = || TieTerm::new("bar", Selection::side(Side::Left), axis);
        scene = scene.with_tie(Tie::new(name, vec![cut(), cut().reversed()]));
    }

    // Forces at the right end, of both.
    let mut half = simulated(scene)?;
    half.step()?;

    let [of_full, of_half] = [&full, &half].map(last_reaction);
    outcome.relative(
        "antisymmetric: force along",
        "N",
        of_full.x,
        of_half.x,
        1e-8,
    );
    outcome.relative(
        "antisymmetric: force across",
        "N",
        of_full.y,
        of_half.y,
        1e-8,
    );
    Ok(())
}

/// A displacement that grows to a distance (m) in the time of a static scene.
fn shift(distance: f64) -> ipcsim::scene::schema::Varying {
    format!("{distance} * t").as_str().into()
}

/// Force (N) of the support that is named last.
fn last_reaction(simulation: &Simulation) -> Vec2 {
    let own = simulation
        .reactions()
        .filter(|held| held.force.norm() > 0.0);
    own.last().map_or(Vec2::zeros(), |held| held.force)
}

/// Stretches a perforated beam by ties of its ends, and as a cell.
///
/// # Errors
/// If a scene cannot be built, or an increment fails.
fn repeating(outcome: &mut Outcome) -> Result<(), Error> {
    let (scene, _) = bar(Law::neo_hookean(YOUNG, POISSON), 1.0, 1);
    let body = Cell::round_hole(0.3, 2, 3).body();
    let corner = Prescribed::held(Selection::Nearest([0.0, 0.0]));
    let body = body.with_prescribed(corner);

    // Ties between both ends.
    let tied = [("stretch", Axis::X, STRAIN), ("across", Axis::Y, 0.0)];
    let mut beam = scene.clone().with_body(body.clone());
    for (name, axis, by) in tied {
        let end = |side: Side| TieTerm::new("matrix", Selection::side(side), axis);
        let terms = vec![end(Side::Right), end(Side::Left).times(-1.0)];
        beam = beam.with_tie(Tie::new(name, terms).equal_to(shift(by)));
    }
    let mut beam = simulated(beam)?;
    let energy = beam.step()?.record.total;

    // A tie whose sum changes acts like a motor.
    let states = joint_states(beam.world(), beam.state());
    let pull = states.iter().find_map(|state| state.drives.motor);
    let pull = pull.unwrap_or(f64::NAN);

    // The same as a cell.
    let mut cell = scene.with_body(body);
    let mut periodic = Periodic::new(1.0, 1.0);
    periodic.y = None;
    periodic.strain.xx = Some(shift(STRAIN));
    cell.periodic = Some(periodic);
    let course = Course::of(cell)?;
    let of_cell = course.last_energy();
    outcome.relative("repeating: energy", "J", of_cell, energy, 1e-9);

    // Along one period the mean stress counts over a height of 1 m.
    outcome.relative("repeating: force", "N", course.stress()[0], pull, 1e-8);
    Ok(())
}

//! A bar that a traction pulls.
//!
//! A traction `s` (Pa) pulls the right side of a bar. The left side may slide along y; one vertex
//! holds it in y. The stress is `s` along x everywhere and 0 along y. In plane strain the strain
//! along z is 0, which makes the strains `(1 - nu^2) s / E` along x and `-nu (1 + nu) s / E` along
//! y.
//!
//! Displacements are linear in `X` and `Y`, and linear triangles have such fields exactly, on the
//! coarsest mesh as well: a patch test. All vertices agree to 1e-11 m. The support carries `-s H`,
//! for the height `H`, per metre of depth, to 1e-9.

use crate::scenes::{Exact, RUBBER, after, scene};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::math::Vec2;
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "load_bar",
    title: "A bar under traction",
    proves: "A traction on the end of a bar stretches it uniformly, on any mesh, and the support carries it.",
    formula: "u_x = (1 - nu^2) s/E X, u_y = -nu (1 + nu) s/E Y in plane strain",
    source: "Timoshenko, Goodier, Theory of Elasticity, article 24",
    weight: Weight::Quick,
    run,
};

/// Length and height (m); Young's modulus (Pa) and Poisson's ratio (1); traction (Pa).
const SIZE: [f64; 2] = [2.0, 0.5];
const ELASTIC: [f64; 2] = [1e6, 0.3];
const STRESS: f64 = 2e4;

/// Pulls the bar on three meshes; long steps of implicit Euler lead to its equilibrium.
fn run() -> Result<Outcome, Error> {
    let [young, poisson] = ELASTIC;
    let along = (1.0 - poisson * poisson) * STRESS / young;
    let across = -poisson * (1.0 + poisson) * STRESS / young;
    let mut outcome = Outcome::new(Plot::new("X (m)", "u_x (m)"));
    let whole = [-0.5 * SIZE[0], 0.5 * SIZE[0]];
    outcome
        .plot
        .curve("exact", whole, |x| along * (x + 0.5 * SIZE[0]));

    for cells in [[1, 1], [6, 3], [9, 8]] {
        let axis = |vertices: Selection, axis: Axis| Prescribed {
            axis: Some(axis),
            ..Prescribed::held(vertices)
        };
        let bar = Body::deformable("bar", Rectangle::new(SIZE, cells), RUBBER)
            .with_prescribed(axis(Selection::side(Side::Left), Axis::X))
            .with_prescribed(axis(Selection::Indices(vec![0]), Axis::Y));
        let load = Load::traction("bar", [STRESS, 0.0]).on(Selection::side(Side::Right));
        let scene = scene(10.0, 20)
            .tolerance(1e-13)
            .weightless()
            .elastic(Law::linear(young, poisson))
            .with_body(bar)
            .with_load(load);
        let simulation = after(scene, 20)?;

        // All vertices, from the one that is held.
        let rest = &simulation.world().rest;
        let x = &simulation.state().x;
        let mut largest = 0.0_f64;
        let mut points = Vec::new();
        for (x, rest) in x.iter().zip(rest.iter()) {
            let from = rest - Vec2::new(-0.5 * SIZE[0], -0.5 * SIZE[1]);
            let expected = Vec2::new(along * from.x, across * from.y);
            largest = largest.max((x - rest - expected).norm());
            points.push([rest.x, x.x - rest.x]);
        }
        let label = format!("{} x {} cells", cells[0], cells[1]);
        let name = format!("largest error of a displacement, {label}");
        outcome.absolute(name, "m", 0.0, largest, 1e-11);
        let held: f64 = simulation.reactions().map(|held| held.force.x).sum();
        let name = format!("reaction, {label}");
        let force = -STRESS * SIZE[1];
        outcome.relative(name, "N", force, held, 1e-9);
        outcome.plot.points(label, points);
    }
    Ok(outcome)
}

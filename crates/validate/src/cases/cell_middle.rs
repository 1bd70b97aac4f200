//! Cells that repeat: the middle of a block of six by six cells.
//!
//! A block with holes is pulled between sliding grips, with free sides. In its middle, far from the sides, the
//! strain across the pull and the stress along it are those of one cell that repeats under the same strain.

use crate::perturb::simulated;
use crate::repeated::{Cell, Course, free_across, repeated, strained};
use crate::scenes::{DENSITY, Exact, RUBBER, statics};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::math::Vec2;
use ipcsim::prelude::*;
use ipcsim::scene::schema::Axis;

pub(super) const CASE: Case = Case {
    name: "cell_middle",
    title: "Cells that repeat: the middle of six by six cells",
    proves: "A cell that repeats has the strain across and the stress along of the middle of a large block, where nothing buckles.",
    formula: "e_xx and P_yy of the middle of 6 x 6 cells",
    source: "a block of this program, without periods",
    weight: Weight::Full,
    run,
};

/// Cells along each side of the block, and the first and last corner of its middle.
const CELLS: f64 = 6.0;
const MIDDLE: [f64; 2] = [2.0, 4.0];
/// Radius of the holes over the period (1), and strain of the block (1).
const RADIUS: f64 = 0.3;
const STRAIN: f64 = 0.05;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("strain along (1)", "strain across (1)"));
    let law = Law::neo_hookean(1e6, 0.3);
    let cell = Cell::round_hole(RADIUS, 3, 3);
    let mut block = simulated(pulled(&cell, law))?;
    block.step()?;

    // Strains between the corners of the middle, and the stress below its part of the upper side.
    let moved = |x: f64, y: f64| displacement(&block, Vec2::new(x, y));
    let [low, high] = MIDDLE;
    let size = high - low;
    let along = (moved(low, high) - moved(low, low)).y / size;
    let across = (moved(high, low) - moved(low, low)).x / size;
    let forces: Vec<f64> = block.reactions().map(|held| held.force.y).collect();
    let stress = (forces[1] + 0.5 * (forces[2] + forces[3])) / size;

    let course = Course::of(free_across(strained(
        repeated(1.0, law, statics(1)).with_body(cell.body()),
        [0.0, along, 0.0],
    )))?;
    let strain = course.cell.last().map_or(f64::NAN, |cell| cell.strain[0]);
    outcome.relative("strain across", "1", across, strain, 0.01);
    outcome.relative("stress along", "Pa", stress, course.stress()[1], 0.01);
    outcome
        .plot
        .points("middle of a block", vec![[along, across]]);
    outcome.plot.points("cell", vec![[along, strain]]);
    Ok(outcome)
}

/// Displacement (m) of the vertex at a place at rest (m); not a number if there is none.
///
/// Corners of cells are vertices of the mesh, so that nothing is interpolated.
fn displacement(simulation: &Simulation, place: Vec2) -> Vec2 {
    let rest = &simulation.world().rest;
    let found = rest.iter().position(|at| (at - place).norm() < 1e-9);
    found.map_or(Vec2::repeat(f64::NAN), |k| {
        simulation.state().x[k] - rest[k]
    })
}

/// A block of cells between grips that leave its ends free along x.
fn pulled(cell: &Cell, law: Law) -> Scene {
    let grip = |from: [f64; 2], to: [f64; 2], pull: f64| {
        let mut grip = Prescribed::moved(Selection::within(from, to), [0.0, pull]);
        grip.axis = Some(Axis::Y);
        grip
    };
    let [low, high] = MIDDLE;
    let pull = STRAIN * CELLS;
    let [below, above] = [CELLS - 1e-6, CELLS + 1e-6];
    let at = |x: f64| grip([x - 1e-6, below], [x + 1e-6, above], pull);
    let mut corner = Prescribed::held(Selection::within([-1e-6; 2], [1e-6; 2]));
    corner.axis = Some(Axis::X);

    let bottom = grip([-1.0, -1e-6], [7.0, 1e-6], 0.0);
    let inner = grip([low + 1e-6, below], [high - 1e-6, above], pull);
    let left = grip([-1.0, below], [low - 1e-6, above], pull);
    let right = grip([high + 1e-6, below], [7.0, above], pull);
    let body = cell
        .tiled(6)
        .body()
        .with_prescribed(bottom)
        .with_prescribed(inner)
        .with_prescribed(at(low))
        .with_prescribed(at(high))
        .with_prescribed(left)
        .with_prescribed(right)
        .with_prescribed(corner);
    statics(1)
        .weightless()
        .with_material(RUBBER, Material::new(DENSITY, law))
        .with_body(body)
}

//! Cells that repeat: a square array of holes at its pattern transformation.
//!
//! Under compression a square array of round holes becomes a pattern of ellipses that stand and lie in turn
//! (Mullin et al. 2007; Bertoldi et al. 2008). Its period is two cells: one cell stays round, and is
//! stiffer from the transformation on. Before it both have the same stress, and after it larger cells
//! have no other pattern. At last the walls touch.

use crate::repeated::{Cell, Course, free_across, repeated, strained};
use crate::scenes::{Exact, statics};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "cell_pattern",
    title: "Cells that repeat: an array of holes changes its pattern",
    proves: "A square array of holes has the stress of one cell before its transformation; two by two cells soften at a strain of a few percent, four by four like them, and collapse to self-contact.",
    formula: "P(2 x 2) = P(1 x 1) before, P(2 x 2) = P(4 x 4) < P(1 x 1) after",
    source: "Bertoldi et al. 2008; larger cells of this program",
    weight: Weight::Full,
    run,
};

/// Radius of the holes over the period (1), and mean strain at the end (1).
const RADIUS: f64 = 0.43;
const STRAIN: f64 = -0.12;
/// Increments.
const INCREMENTS: usize = 24;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("strain (1)", "stress (Pa)"));
    let one = array(1)?;
    let four = array(2)?;
    let sixteen = array(4)?;
    for (name, course) in [("1 x 1", &one), ("2 x 2", &four), ("4 x 4", &sixteen)] {
        outcome.plot.points(name, course.compression());
    }

    let [early, late] = [INCREMENTS / 8, INCREMENTS];
    let before = one.stress_after(early);
    outcome.relative("2 x 2 before", "Pa", before, four.stress_after(early), 1e-3);
    outcome.relative(
        "4 x 4 before",
        "Pa",
        before,
        sixteen.stress_after(early),
        1e-3,
    );

    let after = four.stress_after(late);
    outcome.at_most(
        "2 x 2 over 1 x 1 after",
        "1",
        0.9,
        after / one.stress_after(late),
    );
    outcome.relative("4 x 4 after", "Pa", after, sixteen.stress_after(late), 0.02);

    // The strain at which two by two cells have lost a twentieth of the stress of one.
    let both = four.cell.iter().zip(&one.cell);
    let softened = both.filter_map(|(four, one)| {
        let is_less = four.stress?[1] > 0.95 * one.stress?[1];
        is_less.then_some(-four.strain[1])
    });
    let first = softened.reduce(f64::min).unwrap_or(f64::NAN);
    outcome.absolute("strain of the transformation", "1", 0.04, first, 0.02);
    Ok(outcome)
}

/// Cells of the array under compression along y, free along x. A field of small forces on the first
/// vertices would be an imperfection; the mesh itself is one.
fn array(cells: usize) -> Result<Course, Error> {
    let cell = Cell::round_hole(RADIUS, 4, 3).tiled(cells);
    let law = Law::neo_hookean(1e6, 0.4);
    let scene = repeated(cells as f64, law, statics(INCREMENTS))
        .barrier(5e-3, 1e5)
        .with_body(cell.body());
    Course::of(free_across(strained(scene, [0.0, STRAIN, 0.0])))
}

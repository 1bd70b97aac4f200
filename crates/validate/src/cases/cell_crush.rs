//! Cells that repeat: squares that turn, and walls that fold, crushed to self-contact.
//!
//! No closed form exists. What must hold: the cell of squares shrinks across the compression, both end in
//! contact with themselves across the period, and the stress grows when they do.

use crate::repeated::{Cell, Course, free_across, repeated, strained};
use crate::scenes::{Exact, statics};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "cell_crush",
    title: "Cells that repeat: a cell is crushed",
    proves: "Open cells collapse to self-contact across the period, and stiffen there; a cell of squares that turn shrinks across its compression.",
    formula: "e_xx < 0 under e_yy < 0; P grows in contact",
    source: "Grima and Evans 2000: squares that turn have Poisson's ratio -1",
    weight: Weight::Full,
    run,
};

/// Increments.
const INCREMENTS: usize = 20;

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("strain (1)", "stress (Pa)"));

    // Squares that are joined at their corners turn in and out of each other.
    let turning = crushed(squares(), -0.15)?;
    let last = turning
        .cell
        .last()
        .map_or([f64::NAN; 3], |cell| cell.strain);
    let ratio = -last[0] / last[1];
    outcome.at_most("Poisson's ratio of squares that turn", "1", -0.5, ratio);
    let contacts = *turning.contacts.last().unwrap_or(&0);
    outcome.at_least("contacts of squares that turn", "1", 1.0, contacts as f64);

    // A cross of walls is crushed.
    let walls = crushed(walls(), -0.55)?;
    let contacts = *walls.contacts.last().unwrap_or(&0);
    outcome.at_least("contacts of walls", "1", 1.0, contacts as f64);

    // Walls that touch carry more than walls that bend: the last slope against the one of the
    // plateau.
    let [quarter, half] = [INCREMENTS / 4, INCREMENTS / 2];
    let steepest = walls.stress_after(INCREMENTS) - walls.stress_after(INCREMENTS - 1);
    let plateau =
        (walls.stress_after(half) - walls.stress_after(quarter)) / (half - quarter) as f64;
    let ratio = (steepest / plateau).abs();
    outcome.at_least("slope in contact over the plateau", "1", 2.0, ratio);
    for (name, course) in [("squares that turn", &turning), ("walls", &walls)] {
        outcome.plot.points(name, course.compression());
    }
    Ok(outcome)
}

/// Slits that lie and stand in turn, and nearly meet: the squares between them turn.
fn squares() -> Cell {
    let centres = [
        ([0, 0], [6, 1]),
        ([8, 8], [6, 1]),
        ([8, 0], [1, 6]),
        ([0, 8], [1, 6]),
    ];
    Cell::grid(16, [0, 0], |i, j| {
        let mut slits = centres.iter();
        slits.any(|(centre, half)| {
            [i, j]
                .iter()
                .zip(centre)
                .zip(half)
                .all(|((at, centre), half)| {
                    let away = (at + 16 - centre) % 16;
                    away < *half || away >= 16 - half
                })
        })
    })
}

/// A wall along x and one along y that is bent, so that it folds.
///
/// The cell is a grid of 16 by 16 squares; squares outside of the walls are holes.
fn walls() -> Cell {
    Cell::grid(16, [0, 0], |i, j| {
        let is_floor = j < 2;
        let bend = if (4..12).contains(&j) { 10 } else { 8 };
        let is_wall = (bend..bend + 2).contains(&i) || (j == 4 || j == 11) && (8..12).contains(&i);
        !(is_floor || is_wall)
    })
}

/// A cell under compression along y, free along x.
///
/// The side along x has no mean stress, and friction acts where walls touch.
fn crushed(cell: Cell, strain: f64) -> Result<Course, Error> {
    let scene = repeated(1.0, Law::neo_hookean(1e6, 0.3), statics(INCREMENTS))
        .barrier(5e-3, 1e5)
        .with_body(cell.body())
        .with_friction(0.2);
    Course::of(free_across(strained(scene, [0.0, strain, 0.0])))
}

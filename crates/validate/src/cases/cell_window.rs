//! Cells that repeat: the same pattern from other places, four cells as one, and the derivative of the
//! energy.
//!
//! A slit closes under compression and shear, and its faces rub on each other. Where the slit is cut by a
//! side of the cell, it closes across the period. Neither the place from where the pattern is drawn nor the
//! number of cells changes the stress.

use crate::repeated::{Cell, Course, repeated, strained};
use crate::scenes::{Exact, scene, statics};
use crate::{Case, Outcome, Plot, Weight};
use ipcsim::prelude::*;

pub(super) const CASE: Case = Case {
    name: "cell_window",
    title: "Cells that repeat: a slit that closes, from other places",
    proves: "A pattern has the same stress and energy wherever its cell begins, with contact and friction across the period, at rest and in motion; four cells have four times the energy; the mean stress is dW/dF.",
    formula: "P(window) = P, W(2 x 2) = 4 W, P = (1/V) dW/dF",
    source: "invariance of a periodic pattern; Hill 1972",
    weight: Weight::Quick,
    run,
};

/// Squares along each side of the cell.
const GRID: usize = 8;
/// Largest strains xx, yy and xy (1).
const STRAINS: [f64; 3] = [0.05, -0.3, 0.1];

fn run() -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(Plot::new("step", "stress (Pa)"));
    let expected = at_rest([0, 0])?;
    outcome.at_least(
        "contacts",
        "1",
        1.0,
        *expected.contacts.last().unwrap_or(&0) as f64,
    );

    // The slit is cut by the left and right side, by the lower and upper one, and by both.
    for from in [[4, 0], [0, 4], [3, 5]] {
        let found = at_rest(from)?;
        let label = format!("from {from:?}");
        compare(&mut outcome, &label, [&expected, &found], 1.0, 1e-9);
    }
    let four = Course::of(slit([0, 0], 2, STRAINS, 0.3, statics(4)))?;
    compare(&mut outcome, "2 x 2 cells", [&expected, &four], 4.0, 1e-9);

    let expected = moving([0, 0])?;
    let found = moving([3, 5])?;
    compare(
        &mut outcome,
        "moving, from [3, 5]",
        [&expected, &found],
        1.0,
        1e-6,
    );

    // The derivative of the energy, by differences.
    let h = 1e-4;
    for (axis, name) in ["dW/dF_xx", "dW/dF_yy", "dW/dF_xy"].into_iter().enumerate() {
        let mut energies = [0.0; 2];
        for (energy, change) in energies.iter_mut().zip([-h, h]) {
            let mut strains = STRAINS;
            strains[axis] += change;
            *energy = smooth(strains)?.last_energy();
        }
        let slope = (energies[1] - energies[0]) / (2.0 * h);
        outcome.relative(name, "Pa", slope, smooth(STRAINS)?.stress()[axis], 1e-5);
    }
    Ok(outcome)
}

/// The slit at rest, drawn from some squares on.
fn at_rest(from: [usize; 2]) -> Result<Course, Error> {
    Course::of(slit(from, 1, STRAINS, 0.3, statics(4)))
}

/// The slit in motion, drawn from some squares on.
fn moving(from: [usize; 2]) -> Result<Course, Error> {
    let mut whole = scene(0.05, 6);
    whole.solver.tolerance = Some(1e-12);
    Course::of(slit(from, 1, [0.5, -1.0, 0.4], 0.3, whole))
}

/// The slit at rest under these strains, without friction.
fn smooth(strains: [f64; 3]) -> Result<Course, Error> {
    Course::of(slit([3, 5], 1, strains, 0.0, statics(4)))
}

/// Judges stress and energy at the end of two runs; the second has `cells` times the cells.
fn compare(
    outcome: &mut Outcome,
    label: &str,
    [expected, found]: [&Course; 2],
    cells: f64,
    tolerance: f64,
) {
    let scale = expected
        .stress()
        .map(f64::abs)
        .into_iter()
        .fold(0.0, f64::max);
    let names = ["xx", "yy", "xy"].into_iter();
    for (name, (one, other)) in names.zip(expected.stress().into_iter().zip(found.stress())) {
        let name = format!("{label}: stress {name}");
        outcome.absolute(name, "Pa", one, other, tolerance * scale);
    }

    let energy = cells * expected.last_energy();
    let name = format!("{label}: energy");
    outcome.relative(name, "J", energy, found.last_energy(), tolerance);

    let steps = found.cell.iter().enumerate();
    let points = steps.filter_map(|(k, cell)| Some([(k + 1) as f64, cell.stress?[1]]));
    outcome.plot.points(label, points.collect());
}

/// Cells with a slit, drawn from some squares on, that reach these strains at 1 s.
fn slit(from: [usize; 2], cells: usize, strains: [f64; 3], friction: f64, scene: Scene) -> Scene {
    let is_open = |i: usize, j: usize| j == GRID / 2 && (GRID / 4..3 * GRID / 4).contains(&i);
    let cell = Cell::grid(GRID, from, is_open).tiled(cells);
    let law = Law::neo_hookean(1e6, 0.3);
    let scene = repeated(cells as f64, law, scene)
        .barrier(0.01, 2e4)
        .with_body(cell.body())
        .with_friction(friction);
    strained(scene, strains)
}

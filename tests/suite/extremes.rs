//! Scenes with extremely small or large numbers. Nothing may intersect or invert in any of them.

pub(crate) mod cells;
mod ladder;
mod named;
pub(crate) mod scenes;

use crate::support::{Run, inline};
use cells::Cell;
use ipcsim::geometry::predicates::orientation;
use ipcsim::time::Fallback;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Result of a cell.
pub(crate) struct End {
    pub(crate) steps: usize,
    pub(crate) iterations: usize,
    pub(crate) rungs: Vec<Fallback>,
    /// Kind of the failure and its message.
    pub(crate) failure: Option<(&'static str, String)>,
}

/// Description of an overlap or inversion, decided exactly.
fn unsound(run: &Run) -> Option<String> {
    let x = &run.state().x;
    let outlines = run.world().model.surface.outlines();
    let inverted = |t: &&[usize; 3]| orientation(x[t[0]], x[t[1]], x[t[2]]) != Ordering::Greater;
    let crossing = outlines
        .intersections(x)
        .first()
        .map(|found| format!("{found:?}"));
    crossing.or_else(|| {
        run.world()
            .triangles
            .iter()
            .find(inverted)
            .map(|t| format!("triangle {t:?} is inverted"))
    })
}

/// Runs a scene to its end, with a test of every state.
pub(crate) fn run(cell: &Cell) -> End {
    let scene = inline(cell.scene.clone());
    let mut run = Run::of(&scene);
    let mut end = End {
        steps: 0,
        iterations: 0,
        rungs: Vec::new(),
        failure: None,
    };

    assert_eq!(unsound(&run), None, "{} at the start", cell.name);
    while end.steps < scene.time.steps && end.failure.is_none() {
        // A failure ends the scene; every state is tested.
        match run.try_step() {
            Ok(report) => {
                end.iterations += report.record.newton_iterations;
                end.rungs
                    .extend(report.recovery.map(|recovery| recovery.rung));
                end.steps += 1;
            }
            Err(failure) => end.failure = Some((failure.kind(), failure.to_string())),
        }

        assert_eq!(
            unsound(&run),
            None,
            "{}, step {}",
            cell.name,
            run.state().step
        );
    }

    end
}

/// True if a cell is completed or, if it is impossible, ended in a named failure.
fn is_good(cell: &Cell, end: &End) -> bool {
    end.failure.is_some() == cell.impossible
}

#[test]
fn a_twelfth_of_the_matrix_of_extremes_completes_without_intersection() {
    let all = cells::all();
    let some: Vec<&Cell> = all.iter().step_by(12).collect();
    assert!(some.len() > 25);

    for cell in some {
        let end = run(cell);
        assert!(
            is_good(cell, &end),
            "{}: {}: {:?}",
            cell.axis,
            cell.name,
            end.failure
        );
    }
}

/// Text of `tests/extremes.md`: the number of scenes that complete, a table by extremes, and the
/// scenes that do not complete.
fn page(complete: &str, rows: &str, rungs: &[String], bad: &[String]) -> String {
    format!(
        "# Extremes\n\n{complete} scenes complete; in every step of every one nothing intersects and nothing is inverted, \
         decided exactly.\nA ceiling that is driven through the floor counts as complete if it ends in a named failure. Made by\n\
         `cargo test --release --test suite extremes -- --include-ignored`; the scenes are in \
         [suite/extremes](suite/extremes/cells.rs).\n\n| extreme | scenes | complete | Newton iterations |\n|---|---|---|---|\n\
         {rows}\nSteps that took a rung of the ladder of recovery: {}.\n\n## What does not complete\n\n{}\n",
        rungs.join(", "),
        if bad.is_empty() {
            "Nothing.".to_owned()
        } else {
            bad.join("\n")
        }
    )
}

#[test]
#[ignore = "the whole matrix; writes tests/extremes.md"]
fn the_matrix_of_extremes_is_free_of_intersection_and_all_of_it_completes() {
    let cells = cells::all();
    let mut axes: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    let mut bad = Vec::new();
    let mut order = Vec::new();
    let mut rungs = BTreeMap::new();

    for cell in &cells {
        let end = run(cell);
        if !axes.contains_key(cell.axis) {
            order.push(cell.axis);
        }

        let [count, done, iterations] = axes.entry(cell.axis).or_default();
        *count += 1;
        *done += usize::from(is_good(cell, &end));
        *iterations += end.iterations;
        for rung in &end.rungs {
            *rungs.entry(rung.name()).or_insert(0) += 1;
        }
        if !is_good(cell, &end) {
            bad.push(row_of_failure(cell, &end));
        }
    }

    // The page, with axes in the order of the cells.
    let good = cells.len() - bad.len();
    let rungs = rungs.iter().map(|(rung, count)| format!("{rung} {count}"));
    let rungs: Vec<String> = rungs.collect();
    let mut rows = String::new();
    for axis in order {
        let [count, done, iterations] = axes[axis];
        writeln!(rows, "| {axis} | {count} | {done} | {iterations} |").unwrap();
    }
    let page = page(&format!("{good} of {}", cells.len()), &rows, &rungs, &bad);
    std::fs::write("tests/extremes.md", &page).unwrap();

    assert!(bad.is_empty(), "{page}");
}

/// Line of a scene that does not complete, with the reason given.
fn row_of_failure(cell: &Cell, end: &End) -> String {
    let (kind, message) = end.failure.clone().unwrap_or(("none", String::new()));
    let Cell { axis, name, .. } = cell;
    format!(
        "- {axis}: {name}, step {}: {kind}: {message}",
        end.steps + 1
    )
}

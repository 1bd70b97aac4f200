//! Scenes in which everything that has a size is extremely small or large. Nothing may intersect or invert in any of them.

pub(crate) mod cells;
mod named;
pub(crate) mod scenes;

use crate::support::{Run, inline};
use cells::Cell;
use ipcsim::geometry::predicates::orientation;
use ipcsim::solve::Status;
use ipcsim::time::Rung;
use std::cmp::Ordering;
use std::fmt::Write as _;
use std::time::Instant;

/// How a cell ended.
pub(crate) struct End {
    pub(crate) steps: usize,
    pub(crate) all: usize,
    pub(crate) iterations: usize,
    pub(crate) rounding: usize,
    pub(crate) rungs: Vec<Rung>,
    pub(crate) seconds: f64,
    /// Kind and sentence.
    pub(crate) failure: Option<(&'static str, String)>,
}

/// What overlaps or is inverted, decided exactly.
fn unsound(run: &Run) -> Option<String> {
    let x = &run.state.x;
    let outlines = run.world.surface.outlines();
    let inverted = |t: &&[usize; 3]| orientation(x[t[0]], x[t[1]], x[t[2]]) != Ordering::Greater;
    let crossing = outlines.intersections(x).first().map(|found| format!("{found:?}"));
    crossing.or_else(|| run.world.triangles.iter().find(inverted).map(|t| format!("triangle {t:?} is inverted")))
}

pub(crate) fn run(cell: &Cell) -> End {
    let scene = inline(cell.scene.clone());
    let started = Instant::now();
    let mut run = Run::of(&scene);
    let all = scene.time.steps;
    let mut end = End { steps: 0, all, iterations: 0, rounding: 0, rungs: Vec::new(), seconds: 0.0, failure: None };
    for step in 0..=all {
        if let Some(what) = unsound(&run) {
            end.failure = Some(("UNSOUND", what));
        }
        if end.failure.is_some() || step == all {
            break;
        }
        match run.try_step() {
            Ok(report) => {
                end.iterations += report.record.newton_iterations;
                end.rounding += usize::from(report.status == Status::RoundingReached);
                end.rungs.extend(report.recovery.map(|recovery| recovery.rung));
                end.steps += 1;
            }
            Err(failure) => end.failure = Some((failure.kind(), failure.to_string())),
        }
    }
    end.seconds = started.elapsed().as_secs_f64();
    end
}

#[test]
#[ignore = "a minute: the whole matrix"]
fn the_matrix_of_extremes_is_free_of_intersection_and_nearly_all_of_it_completes() {
    write();
}

pub(crate) fn write() {
    let mut table = String::new();
    let only = std::env::var("EXTREMES").unwrap_or_default();
    for cell in cells::all().iter().filter(|cell| format!("{}: {}", cell.axis, cell.name).contains(&only)) {
        let end = run(cell);
        let good = end.failure.is_some() == cell.impossible;
        writeln!(
            table,
            "{} {}: {}: {}/{} steps, {} it, {} rounding, {:.2} s {:?} {:?}",
            if good { "ok  " } else { "FAIL" },
            cell.axis,
            cell.name,
            end.steps,
            end.all,
            end.iterations,
            end.rounding,
            end.seconds,
            end.rungs,
            end.failure.unwrap_or_default()
        )
        .unwrap();
    }
    std::fs::write(std::env::var("OUT").unwrap_or("output/extremes.txt".into()), &table).unwrap();
}

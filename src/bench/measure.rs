//! Measurement of one scene: times by phase, iterations, contacts and memory.
//!
//! Wall and processor time are taken around all steps, phases within them by the solver. If frames
//! are drawn, the time that the simulation waits for them is the phase of output.

use super::process;
use crate::CommandError;
use crate::run::{FrameWriter, files};
use ipcsim::scene::Setup;
use ipcsim::solve::{Count, Counts, Phase, Solver, Timings};
use ipcsim::time::{Record, State, World, step};
use ipcsim_store::folder::RunFolder;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

/// Cost of a scene. Times are in seconds.
#[derive(Serialize, Default)]
pub(super) struct Measured {
    /// Name of the scene.
    pub(super) name: String,
    /// Number of vertices of all bodies.
    pub(super) vertices: usize,
    /// Number of triangles of all bodies.
    pub(super) triangles: usize,
    /// Number of steps that were completed.
    pub(super) steps: usize,
    /// Number of Newton iterations of all steps.
    pub(super) newton_iterations: usize,
    /// Mean number of contacts at the ends of steps.
    pub(super) contacts_mean: f64,
    /// Largest number of contacts at the end of a step.
    pub(super) contacts_max: usize,
    /// Number of entries of the largest factor that a step ended with.
    pub(super) factor_entries: usize,
    /// Peak memory of the process while the scene was built and run (bytes). `None` if the system
    /// does not provide it.
    pub(super) peak_memory: Option<u64>,
    /// Wall time of all steps (s).
    pub(super) wall: f64,
    /// Processor time of all threads (s). `None` if the system does not provide it.
    pub(super) processor: Option<f64>,
    /// Sum of the times of all steps and of output.
    #[serde(skip)]
    pub(super) timings: Timings,
    /// Sum of the counts of all steps.
    #[serde(skip)]
    pub(super) counted: Counts,
    /// Wall time of each phase (s), by its name.
    pub(super) phases: BTreeMap<&'static str, f64>,
    /// Directions and what became of them, by name.
    pub(super) counts: BTreeMap<&'static str, u64>,
    /// Message of the step that failed, if one did. The measurement covers the steps before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) failure: Option<String>,
}

impl Measured {
    /// Mean over Newton iterations of a quantity that is given for the whole run.
    pub(super) fn per_iteration(&self, whole: f64) -> f64 {
        whole / self.newton_iterations.max(1) as f64
    }

    /// Mean over steps of a quantity that is given for the whole run.
    pub(super) fn per_step(&self, whole: f64) -> f64 {
        whole / self.steps.max(1) as f64
    }

    /// Ratio of the time of everything but output to that of factorisations and solves. `None` if
    /// these take no time.
    pub(super) fn over_linear_algebra(&self) -> Option<f64> {
        let of = |wanted| {
            let name = Phase::ALL
                .into_iter()
                .find_map(|(phase, name)| (phase == wanted).then_some(name));
            name.and_then(|name| self.phases.get(name))
                .copied()
                .unwrap_or_default()
        };

        // An iteration has a factorisation and a solve, so the ratio is above 1.
        let linear = of(Phase::Factorisation) + of(Phase::Solve);
        (linear > 0.0).then(|| (self.wall - of(Phase::Output)) / linear)
    }

    /// Adds a completed step to counts and means.
    fn count(&mut self, record: &Record, solver: &Solver) {
        self.steps += 1;
        self.newton_iterations += record.newton_iterations;
        self.contacts_mean += (record.contacts as f64 - self.contacts_mean) / self.steps as f64;
        self.contacts_max = self.contacts_max.max(record.contacts);
        self.factor_entries = self.factor_entries.max(solver.factor_entries());
    }
}

/// Runs a scene to its end or to the first step that fails. Draws frames if a folder for `pictures`
/// is given.
///
/// # Errors
/// If frames cannot be drawn or written. A failed step is part of the measurement.
pub(super) fn measure(setup: Setup, pictures: Option<&PathBuf>) -> Result<Measured, CommandError> {
    let frames = match pictures {
        Some(path) => {
            let folder = RunFolder::create(path, &files(), false)?;
            Some(FrameWriter::start(&folder, &setup)?)
        }
        None => None,
    };
    let Setup {
        scene,
        world,
        mut state,
        ..
    } = setup;
    let mut solver = world.solver();
    let mut measured = Measured {
        name: scene.name.unwrap_or_default(),
        vertices: world.rest.len(),
        triangles: world.triangles.len(),
        ..Measured::default()
    };

    // Building is not timed.
    let started = Instant::now();
    let processor = process::processor_seconds();
    let simulation = Simulated {
        world: &world,
        state: &mut state,
        solver: &mut solver,
    };
    advance(scene.time.steps, simulation, frames, &mut measured)?;

    measured.wall = started.elapsed().as_secs_f64();
    measured.processor = processor
        .zip(process::processor_seconds())
        .map(|(before, after)| after - before);
    measured.peak_memory = process::peak_memory();
    measured.phases = Phase::ALL
        .into_iter()
        .map(|(phase, name)| (name, measured.timings.seconds(phase)))
        .collect();

    // Names are those of the columns of `timings.csv`.
    measured.counts = Count::ALL
        .into_iter()
        .map(|(what, name, _)| (name, measured.counted.of(what)))
        .collect();
    Ok(measured)
}

/// A scene under way, as `step` takes it.
struct Simulated<'a> {
    /// World of the scene.
    world: &'a World,
    /// State after the last step.
    state: &'a mut State,
    /// Solver of the world.
    solver: &'a mut Solver,
}

/// Takes `steps` steps, or as many as succeed, and adds them to `measured`.
///
/// # Errors
/// If frames cannot be drawn or written.
fn advance(
    steps: usize,
    simulation: Simulated,
    mut frames: Option<FrameWriter>,
    measured: &mut Measured,
) -> Result<(), CommandError> {
    let Simulated {
        world,
        state,
        solver,
    } = simulation;

    while measured.steps < steps {
        let record = match step(world, solver, state) {
            Ok(done) => {
                measured.timings.add(&done.log.timings);
                measured.counted.add(&done.log.counts);
                done.report.record
            }
            Err(failure) => {
                measured.failure = Some(failure.to_string());
                break;
            }
        };

        measured.count(&record, solver);
        if let Some(frames) = &mut frames {
            measured.timings.measure(Phase::Output, || {
                frames.add(&state.x, record.time, record.step)
            })?;
        }
    }

    // Frames that wait in the queue count as output.
    frames.map_or(Ok(()), |frames| {
        measured
            .timings
            .measure(Phase::Output, || frames.finish().map(drop))
    })
}

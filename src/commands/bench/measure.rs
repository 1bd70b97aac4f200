//! Runs a scene and counts.

use super::process;
use crate::commands::CommandError;
use crate::commands::run::FrameWriter;
use crate::scene::Setup;
use crate::solve::{Phase, Solver, Timings};
use crate::store::folder::RunFolder;
use crate::store::mesh_file::MeshFile;
use crate::time::{Record, State, World, step};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

/// What a scene costs. Times are in seconds.
#[derive(Serialize, Default)]
pub(super) struct Measured {
    pub(super) name: String,
    pub(super) vertices: usize,
    pub(super) triangles: usize,
    /// Steps that were completed.
    pub(super) steps: usize,
    pub(super) newton_iterations: usize,
    /// At the ends of steps.
    pub(super) contacts_mean: f64,
    pub(super) contacts_max: usize,
    /// Of the largest system that a step ended with.
    pub(super) factor_entries: usize,
    /// Of the process, while the scene was built and run (bytes); `None` where the system does not tell.
    pub(super) peak_memory: Option<u64>,
    /// On the clock.
    pub(super) wall: f64,
    /// Of all threads' processors; `None` where the system does not tell.
    pub(super) processor: Option<f64>,
    /// Sum over all steps, and output.
    #[serde(skip)]
    pub(super) timings: Timings,
    /// On the clock, by phase.
    pub(super) phases: BTreeMap<&'static str, f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) failure: Option<String>,
}

impl Measured {
    /// A quantity of a whole run, by Newton iterations.
    pub(super) fn per_iteration(&self, whole: f64) -> f64 {
        whole / self.newton_iterations.max(1) as f64
    }

    /// A quantity of a whole run, by steps.
    pub(super) fn per_step(&self, whole: f64) -> f64 {
        whole / self.steps.max(1) as f64
    }

    /// How many times what factorisations and solves take everything but output takes; `None` if they take none.
    pub(super) fn over_linear_algebra(&self) -> Option<f64> {
        let of = |wanted| {
            let name = Phase::ALL
                .into_iter()
                .find_map(|(phase, name)| (phase == wanted).then_some(name));
            name.and_then(|name| self.phases.get(name))
                .copied()
                .unwrap_or_default()
        };
        let linear = of(Phase::Factorisation) + of(Phase::Solve);
        (linear > 0.0).then(|| (self.wall - of(Phase::Output)) / linear)
    }

    fn count(&mut self, record: &Record, solver: &Solver) {
        self.steps += 1;
        self.newton_iterations += record.newton_iterations;
        self.contacts_mean += (record.contacts as f64 - self.contacts_mean) / self.steps as f64;
        self.contacts_max = self.contacts_max.max(record.contacts);
        self.factor_entries = self.factor_entries.max(solver.factor_entries());
    }
}

/// Runs a scene to its end, or to a step that has none, and draws it if there is a place for `pictures`.
pub(super) fn measure(setup: Setup, pictures: Option<&PathBuf>) -> Result<Measured, CommandError> {
    let start = |path: &PathBuf| {
        FrameWriter::start(
            &RunFolder::create(path, false)?,
            &setup,
            &MeshFile::of(&setup.world),
        )
    };
    let frames = pictures.map(start).transpose()?;
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
    let (started, processor) = (Instant::now(), process::processor_seconds());
    advance(
        scene.time.steps,
        (&world, &mut state, &mut solver),
        frames,
        &mut measured,
    )?;
    measured.wall = started.elapsed().as_secs_f64();
    measured.processor = processor
        .zip(process::processor_seconds())
        .map(|(before, after)| after - before);
    measured.peak_memory = process::peak_memory();
    measured.phases = Phase::ALL
        .into_iter()
        .map(|(phase, name)| (name, measured.timings.seconds(phase)))
        .collect();
    Ok(measured)
}

fn advance(
    steps: usize,
    (world, state, solver): (&World, &mut State, &mut Solver),
    mut frames: Option<FrameWriter>,
    measured: &mut Measured,
) -> Result<(), CommandError> {
    while measured.steps < steps {
        let record = match step(world, solver, state) {
            Ok(done) => {
                measured.timings.add(&done.log.timings);
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
    frames.map_or(Ok(()), |frames| {
        measured
            .timings
            .measure(Phase::Output, || frames.finish().map(drop))
    })
}

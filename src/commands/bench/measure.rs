//! Runs a scene and counts.

use super::process;
use crate::scene::Setup;
use crate::solve::{Phase, Timings};
use crate::time::step;
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Instant;

/// What a scene costs. Times are in seconds.
#[derive(Serialize)]
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
    /// On the clock, by phase.
    pub(super) phases: BTreeMap<&'static str, f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) failure: Option<String>,
}

impl Measured {
    /// A time of a whole run, by Newton iterations.
    pub(super) fn per_iteration(&self, seconds: f64) -> f64 {
        seconds / self.newton_iterations.max(1) as f64
    }

    /// A time of a whole run, by steps.
    pub(super) fn per_step(&self, seconds: f64) -> f64 {
        seconds / self.steps.max(1) as f64
    }

    /// How many times what factorisations and solves take everything takes; `None` if they take none.
    pub(super) fn over_linear_algebra(&self) -> Option<f64> {
        let of = |phase| self.phases.get(name(phase)).copied().unwrap_or_default();
        let linear = of(Phase::Factorisation) + of(Phase::Solve);
        (linear > 0.0).then(|| self.wall / linear)
    }
}

/// A phase's name in tables.
fn name(phase: Phase) -> &'static str {
    Phase::ALL.into_iter().find(|(other, _)| *other == phase).map_or("", |(_, name)| name)
}

/// Runs a scene to its end, or to a step that has none.
pub(super) fn measure(setup: Setup) -> Measured {
    let Setup { scene, world, mut state } = setup;
    let mut solver = world.solver();
    let mut measured = Measured {
        name: scene.name.unwrap_or_default(),
        vertices: world.rest.len(),
        triangles: world.triangles.len(),
        steps: 0,
        newton_iterations: 0,
        contacts_mean: 0.0,
        contacts_max: 0,
        factor_entries: 0,
        peak_memory: None,
        wall: 0.0,
        processor: None,
        phases: BTreeMap::new(),
        failure: None,
    };
    solver.timings = Timings::default();
    let mut contacts = 0;
    let (started, processor) = (Instant::now(), process::processor_seconds());
    while measured.steps < scene.time.steps {
        match step(&world, &mut solver, &mut state) {
            Err(failure) => {
                measured.failure = Some(failure.to_string());
                break;
            }
            Ok(done) => {
                measured.steps += 1;
                measured.newton_iterations += done.record.newton_iterations;
                contacts += done.record.contacts;
                measured.contacts_max = measured.contacts_max.max(done.record.contacts);
                measured.factor_entries = measured.factor_entries.max(solver.factor_entries());
            }
        }
    }
    measured.wall = started.elapsed().as_secs_f64();
    measured.processor = processor.zip(process::processor_seconds()).map(|(before, after)| after - before);
    measured.peak_memory = process::peak_memory();
    measured.contacts_mean = measured.per_step(contacts as f64);
    measured.phases = Phase::ALL.into_iter().map(|(phase, name)| (name, solver.timings.seconds(phase))).collect();
    measured
}

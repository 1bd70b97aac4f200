//! The steps of a run, from its beginning or from a checkpoint to its end.

use super::super::CommandError;
use super::job::Job;
use super::progress::ProgressDisplay;
use super::query_log::QueryLog;
use super::recorder::{Recorder, remove_journal, write_json};
use super::report::{reason, unfinished};
use super::resume;
use super::saving::Saving;
use super::stop::{Cause, Stop};
use crate::scene::Setup;
use crate::solve::{Failure, Phase, Solver, Timings, Watch};
use crate::store::checkpoint::Checkpoint;
use crate::store::folder::{self, RunFolder};
use crate::store::journal::Entry;
use crate::store::mesh_file::MeshFile;
use crate::store::place::Place;
use crate::store::report::{Reason, RunReport, RunStatus};
use crate::time::{State, StepOutput, begin, step};
use std::time::{Duration, Instant};

/// A run under way.
struct Run<'a> {
    setup: &'a Setup,
    state: State,
    solver: Solver,
    identity: u32,
    recorder: Recorder,
    queries: Option<QueryLog>,
    saving: Saving,
    /// Time spent on recording the last step, which the timings of the next one count.
    output: Timings,
}

/// How the steps came to an end.
enum End {
    Completed,
    Failed(Failure),
    Stopped(Cause),
}

/// Simulates, and returns the report with what has ended the run before its last step.
pub(super) fn simulate(
    job: Job,
    stop: &Stop,
    quiet: bool,
) -> Result<(RunReport, Option<Cause>), CommandError> {
    let report = unfinished(&job);
    // Should the run be killed, this is what it leaves: first what tells that it is a run, then what it is resumed with.
    write_json(&job.folder, folder::RUN, &report)?;
    write_json(&job.folder, folder::SCENE, &job.setup.scene)?;
    let mut kept = job
        .checkpoint
        .as_ref()
        .map_or(0, |checkpoint| checkpoint.state.step);
    let folder = job.folder.clone();
    let ended = Run::start(&job).and_then(|(recorder, queries)| {
        let Job {
            setup,
            state,
            solver,
            options,
            identity,
            checkpoint,
            ..
        } = job;
        let saving = Saving::new(options.checkpoint_every, kept);
        let watch = Watch {
            queries: queries.is_some(),
            track: options.certify,
        };
        let mut run = Run {
            setup: &setup,
            state,
            solver: solver.watching(watch),
            identity,
            recorder,
            queries,
            saving,
            output: Timings::default(),
        };
        let end = run.go(checkpoint.is_none(), stop, quiet);
        kept = run.saving.step;
        run.finish(&end?, report, &folder)
    });
    ended.map_err(|source| CommandError::Kept {
        step: kept,
        command: resume::command(&folder),
        source: Box::new(source),
    })
}

impl Run<'_> {
    /// Opens the files of a run.
    fn start(job: &Job) -> Result<(Recorder, Option<QueryLog>), CommandError> {
        let checkpoint = job.checkpoint.as_ref();
        let recorder = Recorder::start(&job.folder, &job.setup, &job.options, checkpoint)?;
        let reached = checkpoint
            .and_then(|checkpoint| checkpoint.queries)
            .unwrap_or_default();
        let queries = job
            .options
            .record_ccd
            .as_deref()
            .map(|path| QueryLog::open(path, reached))
            .transpose()?;
        Ok((recorder, queries))
    }

    fn go(
        &mut self,
        from_the_beginning: bool,
        stop: &Stop,
        quiet: bool,
    ) -> Result<End, CommandError> {
        let Setup { scene, world, .. } = self.setup;
        if from_the_beginning {
            match begin(world, &mut self.solver, &self.state) {
                Err(failure) => return Ok(End::Failed(failure)),
                Ok(done) => self.record(done, Duration::ZERO)?,
            }
        }
        let mut progress = ProgressDisplay::new(self.state.step, scene.time.steps, quiet);
        while self.state.step < scene.time.steps {
            let started = Instant::now();
            let done = match step(world, &mut self.solver, &mut self.state) {
                Ok(done) => done,
                Err(failure) => return Ok(End::Failed(failure)),
            };
            progress.step(&done.report.record);
            self.record(done, started.elapsed())?;
            let cause = stop.cause().filter(|_| self.state.step < scene.time.steps);
            if cause.is_some() || self.saving.due(self.state.step) {
                self.save()?;
            }
            if let Some(cause) = cause {
                return Ok(End::Stopped(cause));
            }
        }
        Ok(End::Completed)
    }

    /// Records a step that has led to the state.
    fn record(&mut self, done: StepOutput, whole: Duration) -> Result<(), CommandError> {
        let StepOutput { report, mut log } = done;
        if let (Some(file), Some(queries)) = (&mut self.queries, log.queries.take()) {
            file.add(queries.into_iter())?;
        }

        // The ends of the segments that have led to the state; at the start, the state.
        let here = self.state.configuration();
        let way = match log.track.as_mut() {
            None => Vec::new(),
            Some(_) if self.state.step == 0 => vec![here],
            Some(track) => track.take(&here),
        };
        let place = |at| Place::of(&self.setup.world.model.coordinates, at);
        let way = way.into_iter().map(place).collect();

        let (step, scene) = (self.state.step, &self.setup.scene);
        let shown = step.is_multiple_of(scene.output.every) || step == scene.time.steps;
        let x = shown.then(|| self.state.x.clone());

        // The cost of recording a step is counted with the next one.
        let mut timings = log.timings;
        timings.add(&std::mem::take(&mut self.output));
        let entry = Entry {
            report,
            timings,
            whole,
            x,
            way,
        };
        self.output
            .measure(Phase::Output, || self.recorder.add(&entry))
    }

    /// Writes a checkpoint of the state.
    fn save(&mut self) -> Result<(), CommandError> {
        let started = Instant::now();
        let mut checkpoint = Checkpoint::of(&self.state, self.solver.memory(), self.identity);
        checkpoint.queries = self.queries.as_mut().map(QueryLog::sync).transpose()?;
        self.recorder.checkpoint(checkpoint)?;
        self.saving.done(self.state.step, started);
        Ok(())
    }

    /// Writes what is known at the end.
    fn finish(
        self,
        end: &End,
        mut report: RunReport,
        folder: &RunFolder,
    ) -> Result<(RunReport, Option<Cause>), CommandError> {
        self.queries.map_or(Ok(()), QueryLog::finish)?;
        let (step, steps) = (self.state.step, self.setup.scene.time.steps);
        report.hash = format!("{:016x}", self.state.hash());
        let mut stopped = None;
        (report.status, report.reason) = match end {
            End::Completed => (RunStatus::Completed, None),
            End::Failed(failure) => (
                RunStatus::Failed,
                Some(reason(failure, step, &MeshFile::of(&self.setup.world))),
            ),
            End::Stopped(cause) => {
                stopped = Some(*cause);
                let (what, command) = (cause.sentence(), resume::command(folder));
                let message =
                    format!("{what} after step {step} of {steps}; resume with: {command}");
                (
                    RunStatus::Interrupted,
                    Some(Reason {
                        kind: cause.kind().to_owned(),
                        step,
                        message,
                        vertices: vec![],
                    }),
                )
            }
        };
        let last = matches!(end, End::Failed(_)).then_some(&self.state.x[..]);
        let report = self.recorder.finish(self.setup, report, last)?;
        if report.status == RunStatus::Completed {
            remove_journal(folder)?;
        }
        Ok((report, stopped))
    }
}

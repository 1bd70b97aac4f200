//! Steps of a run, from its beginning or from a checkpoint to its end.
//!
//! In outline:
//!
//! 1. write the report of an unfinished run and the scene, so that a killed run can be resumed;
//! 2. open the journal, the writers and the file of queries;
//! 3. while steps are left: step, record it, write a checkpoint if one is due, look for a cause to
//!    stop;
//! 4. complete the files, and write the report with the status and its reason.
//!
//! If an error ends the run, the message says up to which step it is saved and how to resume it.

use super::super::CommandError;
use super::job::Job;
use super::progress::{ProgressDisplay, Show};
use super::query_log::QueryLog;
use super::recorder::Recorder;
use super::report::{cause, largest_stress, unfinished};
use super::resume;
use super::saving::Saving;
use super::shown::Shown;
use super::stop::{Cause, Stop};
use super::thinning::Sampled;
use ipcsim::measures::{begin_again, step_measured};
use ipcsim::scene::Setup;
use ipcsim::solve::{Failure, Phase, Solver, SolverMemory, Timings, Watch};
use ipcsim::time::{State, StepOutput, World, settle};
use ipcsim_store::checkpoint::Checkpoint;
use ipcsim_store::folder::{RunFolder, SCENE};
use ipcsim_store::journal::Entry;
use ipcsim_store::mesh_file::MeshFile;
use ipcsim_store::place::Place;
use ipcsim_store::report::{Reason, RunOptions, RunReport, RunStatus};
use ipcsim_store::rows;
use ipcsim_store::run_files::write_report;
use std::time::{Duration, Instant};

/// A run under way: what its steps change, and what records them.
struct Run<'a> {
    /// Scene and world of the run.
    setup: &'a Setup,
    /// State after the last step.
    state: State,
    /// Solver, which remembers the steps before.
    solver: Solver,
    /// Checksum of scene and options, for checkpoints.
    identity: u32,
    /// Options, for checkpoints.
    options: RunOptions,
    /// Journal and writers of the run.
    recorder: Recorder<'a>,
    /// File of `--record-ccd`, if the run has one.
    queries: Option<QueryLog>,
    /// Schedule of the checkpoints.
    saving: Saving,
    /// Time spent on recording the last step, which the timings of the next one count.
    output: Timings,
}

/// What decides which files a run opens.
struct Files<'a> {
    /// Folder of the run.
    folder: &'a RunFolder,
    /// Options of the command line.
    options: &'a RunOptions,
    /// Checkpoint to resume from; `None` at the beginning of the run.
    checkpoint: Option<&'a Checkpoint>,
    /// Report of the unfinished run.
    report: &'a RunReport,
}

/// Reason for which the steps ended.
enum End {
    /// All steps of the scene are done.
    Completed,
    /// The condition of the scene for its end holds.
    Reached,
    /// A step failed, or the start was not valid.
    Failed(Failure),
    /// A signal or the time limit stopped the run.
    Stopped(Cause),
}

/// A run that has ended, by itself or by a cause from outside.
pub(crate) struct Finished {
    /// Report, as it stands in `run.json`.
    pub(crate) report: RunReport,
    /// Cause that stopped the run before its last step; `None` if it completed or failed.
    pub(crate) cause: Option<Cause>,
    /// World of the run.
    pub(crate) world: World,
    /// State after the last step.
    pub(crate) state: State,
}

/// Simulates a job.
///
/// A failed step is no error: the report says so.
///
/// # Errors
/// If a file cannot be written. The message says up to which step the run is saved.
pub(super) fn simulate(job: Job, stop: &Stop, show: Show) -> Result<Finished, CommandError> {
    let report = unfinished(&job);

    // If the run is killed, these files remain: the report shows that this is a run, and the
    // scene is what a resumed run reads.
    write_report(&job.folder, &report)?;
    job.folder.write(SCENE, |out| {
        let text = rows::to_text(&job.setup.scene.to_json())?;
        out.write_all(text.as_bytes())
    })?;

    // An error states the step up to which the run is saved.
    let mut kept = job
        .checkpoint
        .as_ref()
        .map_or(0, |checkpoint| checkpoint.state.step);
    let folder = job.folder.clone();
    advance(job, report, stop, show, &mut kept).map_err(|source| CommandError::Kept {
        step: kept,
        command: resume::command_now(&folder),
        source: Box::new(source),
    })
}

/// Takes the steps of a job and completes its `report`.
///
/// `kept` is the step of the last checkpoint, before and after, also if an error ends the run.
///
/// # Errors
/// If a file cannot be written.
fn advance(
    job: Job,
    report: RunReport,
    stop: &Stop,
    show: Show,
    kept: &mut usize,
) -> Result<Finished, CommandError> {
    let Job {
        setup,
        state,
        solver,
        folder,
        options,
        identity,
        checkpoint,
    } = job;

    let files = Files {
        folder: &folder,
        options: &options,
        checkpoint: checkpoint.as_ref(),
        report: &report,
    };
    let (recorder, queries) = Run::start(&setup, &files)?;

    // The solver notes queries, segments and directions only if they are written.
    let watch = Watch {
        queries: queries.is_some(),
        track: options.certify,
        descents: show == Show::EachDirection,
    };
    let mut solver = solver.watching(watch);
    solver.interrupt_by(Some(stop.interrupt()));
    let mut run = Run {
        setup: &setup,
        state,
        solver,
        identity,
        options: options.clone(),
        recorder,
        queries,
        saving: Saving::new(options.checkpoint_every, *kept),
        output: Timings::default(),
    };

    let end = run.go(checkpoint.is_none(), stop, show);
    *kept = run.saving.step;
    let state = run.state.clone();
    let (report, cause) = run.finish(&end?, report, &folder)?;
    Ok(Finished {
        report,
        cause,
        world: setup.world,
        state,
    })
}

impl<'a> Run<'a> {
    /// Opens the files of a run: those of the recorder, and the file of queries if the run has one.
    ///
    /// # Errors
    /// If a file cannot be opened, or if it does not reach to the checkpoint.
    fn start(
        setup: &'a Setup,
        files: &Files,
    ) -> Result<(Recorder<'a>, Option<QueryLog>), CommandError> {
        let Files {
            folder,
            options,
            checkpoint,
            report,
        } = *files;
        let recorder = Recorder::start(folder, setup, options, checkpoint, report.clone())?;

        // A resumed run cuts off queries that came after its checkpoint.
        let (bytes, count) = checkpoint
            .and_then(|checkpoint| checkpoint.queries)
            .unwrap_or_default();
        let queries = match &options.record_ccd {
            Some(path) => Some(QueryLog::open(path, bytes, count)?),
            None => None,
        };
        Ok((recorder, queries))
    }

    /// Takes the steps that are left, and records and saves them. `from_the_beginning` records the
    /// initial state first.
    ///
    /// # Errors
    /// If a file cannot be written.
    fn go(
        &mut self,
        from_the_beginning: bool,
        stop: &Stop,
        show: Show,
    ) -> Result<End, CommandError> {
        let scene = &self.setup.scene;
        if from_the_beginning {
            match self.begin() {
                Err(failure) => return Ok(End::Failed(failure)),
                Ok(done) => self.record(done, Duration::ZERO)?,
            }
        }

        let mut progress = ProgressDisplay::new(self.state.step, scene.time.steps, show);
        while self.state.step < scene.time.steps {
            let started = Instant::now();
            let before = self.solver.remembered();
            let done = match self.step() {
                Ok(done) => done,
                Err(Failure::Interrupted) => return self.stopped_within(before.memory(), stop),
                Err(failure) => return Ok(End::Failed(failure)),
            };
            progress.step(&done.report.record, done.log.descents.as_deref());
            let over = done.report.over;
            self.record(done, started.elapsed())?;
            if over && self.state.step < scene.time.steps {
                return Ok(End::Reached);
            }

            // A run that stops writes a checkpoint first. After the last step there is no need.
            let cause = stop.cause().filter(|_| self.state.step < scene.time.steps);
            if cause.is_some() || self.saving.due(self.state.step) {
                self.save(self.solver.memory())?;
            }
            if let Some(cause) = cause {
                return Ok(End::Stopped(cause));
            }
        }
        Ok(End::Completed)
    }

    /// Settles the start if the scene asks for that, and accounts for it.
    ///
    /// # Errors
    /// [`Failure`] if it is not valid.
    fn begin(&mut self) -> Result<StepOutput, Failure> {
        let Setup {
            world, measures, ..
        } = self.setup;
        settle(world, &mut self.state)?;
        begin_again(world, &mut self.solver, &self.state, measures)
    }

    /// Takes a step, and reads all measures at its end.
    ///
    /// # Errors
    /// [`Failure`] of the step.
    fn step(&mut self) -> Result<StepOutput, Failure> {
        let Setup {
            world,
            measures,
            until,
            ..
        } = self.setup;
        step_measured(
            world,
            &mut self.solver,
            &mut self.state,
            measures,
            until.as_ref(),
        )
    }

    /// Saves the state before a step that was stopped in its middle, with the memory that the
    /// solver had `before` it.
    ///
    /// # Errors
    /// If the checkpoint cannot be written.
    fn stopped_within(&mut self, before: SolverMemory, stop: &Stop) -> Result<End, CommandError> {
        // The beginning needs no checkpoint.
        if self.state.step > self.saving.step {
            self.save(before)?;
        }
        Ok(stop
            .cause()
            .map_or(End::Failed(Failure::Interrupted), End::Stopped))
    }

    /// Records a step that has led to the state and took the time `whole`.
    ///
    /// # Errors
    /// If a file cannot be written.
    fn record(&mut self, done: StepOutput, whole: Duration) -> Result<(), CommandError> {
        let StepOutput { report, mut log } = done;
        if let (Some(file), Some(queries)) = (&mut self.queries, log.queries.take()) {
            file.add(queries.into_iter())?;
        }

        // Ends of the segments that have led to the state; at the start, the state itself.
        let here = self.state.configuration();
        let ends = match log.track.as_mut() {
            None => Vec::new(),
            Some(_) if self.state.step == self.setup.state.step => vec![here],
            Some(track) => track.take(&here),
        };
        let way = ends
            .into_iter()
            .map(|end| Place::of(&self.setup.world.model.coordinates, end))
            .collect();

        // States that the scene asks for are written. The last one is added at the end, since a
        // longer run may not have it.
        let shown = self
            .state
            .step
            .is_multiple_of(self.setup.scene.output.every);

        // The cost of recording a step is counted with the next one.
        let mut timings = log.timings;
        timings.add(&std::mem::take(&mut self.output));
        let Self {
            setup,
            state,
            solver,
            recorder,
            output,
            ..
        } = self;
        let Sampled {
            forces,
            joints,
            bodies,
        } = output.measure(Phase::Output, || {
            recorder.sample(setup, state, solver.last())
        });

        let mut entry = Entry {
            report,
            timings,
            counts: log.counts,
            whole,
            x: None,
            way,
            forces,
            joints,
            bodies,
            contacts: Vec::new(),
            v: None,
            on_vertices: None,
            flowed: Vec::new(),
        };
        output.measure(Phase::Output, || {
            if shown {
                Shown::of(setup, state, solver.last()).put_into(&mut entry);
            }
            recorder.add(&entry)
        })
    }

    /// Writes a checkpoint of the state and the solver's `memory` after its step, and notes it in
    /// the schedule.
    ///
    /// # Errors
    /// If a file cannot be written.
    fn save(&mut self, memory: SolverMemory) -> Result<(), CommandError> {
        let started = Instant::now();
        let checkpoint = self.checkpoint(memory)?;
        self.recorder.checkpoint(checkpoint, true)?;
        self.saving.done(self.state.step, started);
        Ok(())
    }

    /// Checkpoint of the state and the solver's `memory` after its step; the end of the journal is
    /// still to be set.
    ///
    /// # Errors
    /// If recorded queries cannot be written.
    fn checkpoint(&mut self, memory: SolverMemory) -> Result<Checkpoint, CommandError> {
        let options = self.options.clone();
        let mut checkpoint = Checkpoint::of(&self.state, memory, self.identity, options);
        checkpoint.queries = self.queries.as_mut().map(QueryLog::sync).transpose()?;
        Ok(checkpoint)
    }

    /// Completes all files. Returns the report, with the cause that stopped the run.
    ///
    /// # Errors
    /// If a file cannot be written.
    fn finish(
        mut self,
        end: &End,
        mut report: RunReport,
        folder: &RunFolder,
    ) -> Result<(RunReport, Option<Cause>), CommandError> {
        (report.status, report.reason) = self.verdict(end, folder);
        report.ended = matches!(end, End::Reached).then(|| self.reached());
        report.hash = format!("{:016x}", self.state.hash());
        report.stress = largest_stress(self.setup, &self.state);

        // A longer run goes on from the last checkpoint.
        if matches!(end, End::Completed | End::Reached) && self.state.step > self.saving.step {
            let checkpoint = self.checkpoint(self.solver.memory())?;
            self.recorder.checkpoint(checkpoint, false)?;
        }
        self.queries.map_or(Ok(()), QueryLog::finish)?;

        // The last state is always shown, unless the run goes on from there.
        let is_last = !matches!(end, End::Stopped(_)) && self.recorder.is_last_hidden();
        let last = is_last.then(|| Shown::of(self.setup, &self.state, self.solver.last()));
        let report = self.recorder.finish(self.setup, report, last.as_ref())?;

        let cause = match end {
            End::Stopped(cause) => Some(*cause),
            End::Completed | End::Reached | End::Failed(_) => None,
        };
        Ok((report, cause))
    }

    /// Sentence about a run that has ended by the condition of its scene.
    fn reached(&self) -> String {
        let condition = self.setup.scene.time.until.as_deref().unwrap_or_default();
        format!(
            "ended after step {} of {}, at {:.6} s: {condition}",
            self.state.step, self.setup.scene.time.steps, self.state.time
        )
    }

    /// Status of the run and the reason for it, as the report states them.
    fn verdict(&self, end: &End, folder: &RunFolder) -> (RunStatus, Option<Reason>) {
        let step = self.state.step;
        match end {
            End::Completed | End::Reached => (RunStatus::Completed, None),
            End::Failed(failure) => {
                let mesh = MeshFile::of(&self.setup.world);
                (
                    RunStatus::Failed,
                    Some(cause(failure, &self.state, &self.setup.world, &mesh)),
                )
            }

            // A cause is no failure: the message says how to resume.
            End::Stopped(cause) => {
                let what = cause.sentence();
                let steps = self.setup.scene.time.steps;
                let command = resume::command(folder);
                let reason = Reason {
                    kind: cause.kind().to_owned(),
                    step,
                    message: format!("{what} after step {step} of {steps}; resume with: {command}"),
                    vertices: Vec::new(),
                };
                (RunStatus::Interrupted, Some(reason))
            }
        }
    }
}

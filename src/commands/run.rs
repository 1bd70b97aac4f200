//! `ipcsim run`.

use super::progress::Progress;
use super::query_log::QueryLog;
use super::recorder::{Recorder, write_json};
use super::{CommandError, Outcome, say};
use crate::math::parallel;
use crate::output::folder::{self, RunFolder};
use crate::output::mesh_file::MeshFile;
use crate::output::report::{Reason, Recovered, RunReport, RunStatus};
use crate::scene::{Setup, build, read};
use crate::solve::{Failure, Phase, Status, Timings};
use crate::time::{Record, StepReport, initial_record, step};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

/// Simulate a scene; write frames, trajectory, energies and a report.
#[derive(Debug, clap::Args)]
pub(super) struct RunArgs {
    /// The scene, a JSON file.
    scene: PathBuf,
    /// Folder to write to; a run in it is replaced [default: output/<name of the scene file>].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Number of steps, instead of the scene's.
    #[arg(long, value_name = "N")]
    steps: Option<usize>,
    /// Replace a value of the scene, for example time.step=0.005 or bodies.0.position=[0,1]; may be repeated.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Skip frames and animation.
    #[arg(long)]
    no_frames: bool,
    /// Threads to use; results do not depend on it [default: all cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Write the continuous collision queries of the run that bounding boxes do not decide to FILE, for ipcsim ccd.
    #[arg(long, value_name = "FILE")]
    record_ccd: Option<PathBuf>,
    /// Write into the folder even if it holds other files, which are left alone.
    #[arg(long)]
    force: bool,
    /// Print nothing but errors.
    #[arg(long, short)]
    quiet: bool,
}

pub(super) fn run(args: &RunArgs) -> Result<Outcome, CommandError> {
    let in_scene = || CommandError::scene(&args.scene);
    let mut scene = read(&args.scene, &args.set).map_err(in_scene())?;
    if let Some(steps) = args.steps {
        scene.time.steps = steps;
    }
    let setup = build(scene).map_err(in_scene())?;
    let path = args
        .out
        .clone()
        .unwrap_or_else(|| PathBuf::from("output").join(args.scene.file_stem().unwrap_or_else(|| "scene".as_ref())));
    let folder = RunFolder::create(&path, args.force)?;
    let threads = args.threads.map(usize::from);
    let report = parallel::with_threads(threads, || simulate(setup, folder, args)).map_err(CommandError::Threads)??;
    if !args.quiet {
        summarise(&report, &path);
    }
    if let Some(reason) = &report.reason {
        eprintln!("error: step {}: {}", reason.step, reason.message);
    }
    Ok(if report.status == RunStatus::Completed { Outcome::Done } else { Outcome::Failed })
}

/// A run under way.
struct Simulation {
    report: RunReport,
    timings: Timings,
    started: Instant,
}

fn simulate(setup: Setup, folder: RunFolder, args: &RunArgs) -> Result<RunReport, CommandError> {
    let mut simulation = Simulation::new(&setup);
    // Should the run be killed, this is what it leaves.
    write_json(&folder, folder::RUN, &simulation.report)?;
    let mut recorder = Recorder::start(folder, &setup, !args.no_frames)?;
    let Setup { scene, world, mut state } = setup;
    let mut solver = world.solver();
    let mut queries = args.record_ccd.as_deref().map(QueryLog::create).transpose()?;
    solver.asked = queries.as_ref().map(|_| Vec::new());
    let mut progress = Progress::new(scene.time.steps, args.quiet);
    let outcome = match initial_record(&world, &mut solver, &state) {
        Err(failure) => Err(failure),
        Ok(record) => {
            simulation.count(&record);
            recorder.state(&state.x, record)?;
            loop {
                if state.step == scene.time.steps {
                    break Ok(());
                }
                solver.timings = Timings::default();
                let started = Instant::now();
                let done = match step(&world, &mut solver, &mut state) {
                    Ok(done) => done,
                    Err(failure) => break Err(failure),
                };
                if let (Some(log), Some(asked)) = (&mut queries, &mut solver.asked) {
                    log.add(asked.drain(..))?;
                }
                recorder.timing(state.step, solver.timings.clone(), started.elapsed());
                simulation.step(&done, &solver.timings);
                progress.step(&done.record);
                if state.step.is_multiple_of(scene.output.every) || state.step == scene.time.steps {
                    recorder.state(&state.x, done.record)?;
                }
            }
        }
    };
    progress.finish();
    queries.map_or(Ok(()), QueryLog::finish)?;
    let mesh = MeshFile::of(&world);
    recorder.finish(simulation.end(outcome, &state, &mesh))
}

impl Simulation {
    fn new(setup: &Setup) -> Self {
        let scene = &setup.scene;
        let surface = &setup.world.surface;
        let self_d_hat = surface.self_d_hat.iter().copied().fold(surface.barrier.d_hat, f64::min);
        let parameters = [
            ("time_step", scene.time.step),
            ("d_hat", surface.barrier.d_hat),
            ("d_hat_self", self_d_hat),
            ("kappa", surface.barrier.kappa),
            ("eps_v", scene.contact.friction.eps_v),
            ("tolerance", scene.solver.tolerance),
        ];
        let report = RunReport {
            scene: scene.name.clone().unwrap_or_default(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            status: RunStatus::Interrupted,
            reason: Some(Reason {
                kind: "unfinished".to_owned(),
                step: 0,
                message: "the run has not come to its end".to_owned(),
                vertices: Vec::new(),
            }),
            steps: 0,
            frames: 0,
            newton_iterations: 0,
            steps_at_rounding: 0,
            recoveries: Vec::new(),
            min_gap: None,
            min_j: None,
            friction_lag_residual: 0.0,
            hash: format!("{:016x}", setup.state.hash()),
            parameters: parameters.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
            threads: parallel::threads(),
            timings: BTreeMap::new(),
        };
        Self { report, timings: Timings::default(), started: Instant::now() }
    }

    fn count(&mut self, record: &Record) {
        let least = |a: Option<f64>, b: Option<f64>| a.into_iter().chain(b).reduce(f64::min);
        self.report.min_gap = least(self.report.min_gap, record.min_gap);
        self.report.min_j = least(self.report.min_j, record.min_area_ratio);
        self.report.newton_iterations += record.newton_iterations;
    }

    fn step(&mut self, done: &StepReport, timings: &Timings) {
        self.count(&done.record);
        self.report.steps = done.record.step;
        self.report.steps_at_rounding += usize::from(done.status == Status::RoundingReached);
        self.report.friction_lag_residual = self.report.friction_lag_residual.max(done.lag_residual);
        self.report.recoveries.extend(done.recovery.map(|recovery| Recovered {
            step: done.record.step,
            rung: recovery.rung.name().to_owned(),
            kind: recovery.failure.kind().to_owned(),
            why: recovery.failure.to_string(),
        }));
        self.timings.add(timings);
    }

    fn end(mut self, outcome: Result<(), Failure>, state: &crate::time::State, mesh: &MeshFile) -> RunReport {
        self.report.hash = format!("{:016x}", state.hash());
        for (phase, name) in Phase::ALL {
            self.report.timings.insert(name.to_owned(), self.timings.seconds(phase));
        }
        self.report.timings.insert("whole".to_owned(), self.started.elapsed().as_secs_f64());
        (self.report.status, self.report.reason) = match outcome {
            Ok(()) => (RunStatus::Completed, None),
            Err(failure) => {
                let vertices = failure.vertices().into_iter().map(|vertex| mesh.describe(vertex)).collect();
                let reason = Reason {
                    kind: failure.kind().to_owned(),
                    step: state.step + 1,
                    message: explained(&failure, mesh),
                    vertices,
                };
                (RunStatus::Failed, Some(reason))
            }
        };
        self.report
    }
}

/// The failure's sentence, and which bodies its vertices are of.
fn explained(failure: &Failure, mesh: &MeshFile) -> String {
    let who: Vec<String> = failure.vertices().into_iter().map(|v| format!("{v} is {}", mesh.describe(v))).collect();
    if who.is_empty() { failure.to_string() } else { format!("{failure} ({})", who.join(", ")) }
}

fn summarise(report: &RunReport, path: &std::path::Path) {
    let whole = report.timings.get("whole").copied().unwrap_or_default();
    let word = match report.status {
        RunStatus::Completed => "completed",
        RunStatus::Failed => "failed",
        RunStatus::Interrupted => "interrupted",
    };
    say(&format!(
        "{word}: {} steps, {} Newton iterations, {} frames in {whole:.2} s",
        report.steps, report.newton_iterations, report.frames
    ));
    let number = |value: Option<f64>| value.map_or("none".to_owned(), |value| format!("{value:.3e}"));
    say(&format!("smallest gap {} m, smallest area ratio {}", number(report.min_gap), number(report.min_j)));
    if !report.recoveries.is_empty() {
        say(&format!(
            "{} steps were solved at the second attempt or later: \"recoveries\" in run.json",
            report.recoveries.len()
        ));
    }
    say(&format!("state hash {}", report.hash));
    say(&format!("written to {}", path.display()));
}

//! `ipcsim bench`.

pub(super) mod calibration;
mod measure;
mod process;
mod table;

use super::{CommandError, Outcome, say, tell};
use crate::math::parallel;
use crate::scene::{Scene, build, parse, read};
use calibration::Times;
use measure::{Measured, measure};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Time the parts of a step, scene by scene, without output.
#[derive(Debug, clap::Args)]
pub(super) struct BenchArgs {
    /// Scenes, JSON files [default: a few that the program has with it].
    #[arg(value_name = "SCENE")]
    scenes: Vec<PathBuf>,
    /// Number of steps, instead of the scenes'.
    #[arg(long, value_name = "N")]
    steps: Option<usize>,
    /// Replace a value of the scenes, for example time.step=0.005; may be repeated.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Threads to use [default: all cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Draw and write frames and trajectories as well, into a temporary folder, so that output is measured.
    #[arg(long)]
    frames: bool,
    /// Print JSON instead of tables.
    #[arg(long)]
    json: bool,
    /// Time a fixed sparse factorisation (by faer, one thread) and a fixed loop as well, by which figures of other machines
    /// are scaled; without SCENE nothing else.
    #[arg(long)]
    calibrate: bool,
}

/// What is measured where no scene is given.
const SHIPPED: [(&str, &str); 4] = [
    ("08_two_squares_friction", calibration::TWO_SQUARES),
    (
        "two_squares_2k",
        include_str!("../../scenes/stress/two_squares_2k.json"),
    ),
    (
        "two_squares_20k",
        include_str!("../../scenes/stress/two_squares_20k.json"),
    ),
    (
        "house_of_cards",
        include_str!("../../scenes/showcase/house_of_cards.json"),
    ),
];

/// Everything that is measured.
#[derive(Serialize)]
struct Report {
    version: &'static str,
    threads: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    calibration: Option<Times>,
    scenes: Vec<Measured>,
}

pub(super) fn run(args: &BenchArgs) -> Result<Outcome, CommandError> {
    let threads = args.threads.map(usize::from);
    parallel::with_threads(threads, || report(args)).map_err(CommandError::Threads)?
}

fn report(args: &BenchArgs) -> Result<Outcome, CommandError> {
    let scenes = scenes(args)?;
    let say = |text: &str| {
        if !args.json {
            say(text);
        }
    };
    let calibration = args.calibrate.then(Times::take);
    if let Some(times) = &calibration {
        say(&table::calibration(times));
    }
    let mut report = Report {
        version: env!("CARGO_PKG_VERSION"),
        threads: parallel::threads(),
        calibration,
        scenes: Vec::new(),
    };
    for (path, scene) in scenes {
        process::forget_peak_memory();
        let setup = build(scene).map_err(CommandError::scene(&path))?;
        let folder = args
            .frames
            .then(|| std::env::temp_dir().join(format!("ipcsim-bench-{}", std::process::id())));
        let measured = measure(setup, folder.as_ref());
        folder.map(std::fs::remove_dir_all);
        let measured = measured?;
        say(&table::scene(&measured, report.threads));
        report.scenes.push(measured);
    }
    if args.json {
        super::say(&serde_json::to_string_pretty(&report).unwrap_or_default());
    }
    let failures = report
        .scenes
        .iter()
        .filter_map(|scene| scene.failure.as_ref().map(|failure| (scene, failure)));
    let mut outcome = Outcome::Done;
    for (scene, failure) in failures {
        tell(&format!(
            "error: {}: step {}: {failure}",
            scene.name,
            scene.steps + 1
        ));
        outcome = Outcome::Failed;
    }
    Ok(outcome)
}

fn scenes(args: &BenchArgs) -> Result<Vec<(PathBuf, Scene)>, CommandError> {
    let adapted = |path: PathBuf, mut scene: Scene| {
        scene.name.get_or_insert_with(|| path.display().to_string());
        scene.time.steps = args.steps.unwrap_or(scene.time.steps);
        (path, scene)
    };
    if args.scenes.is_empty() && !args.calibrate {
        let of = |(name, text): (&str, &str)| {
            let path = Path::new(name);
            Ok(adapted(
                path.to_owned(),
                parse(text, &args.set).map_err(CommandError::scene(path))?,
            ))
        };
        return SHIPPED.into_iter().map(of).collect();
    }
    let of = |path: &PathBuf| {
        let scene = read(path, &args.set).map_err(CommandError::scene(path))?;
        Ok(adapted(path.clone(), scene))
    };
    args.scenes.iter().map(of).collect()
}

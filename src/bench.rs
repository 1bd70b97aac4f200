//! `ipcsim bench`: times scenes, phase by phase.
//!
//! Each scene is simulated without a folder of results. Timings, counts and memory become a table
//! for people or JSON for scripts. With `--calibrate` the machine is timed by work that never
//! changes, so that measurements on different machines can be compared.

pub(super) mod calibration;
mod measure;
mod process;
mod table;

use super::batch::FormatArgs;
use super::{CommandError, Outcome, say, tell};
use calibration::Times;
use ipcsim::math::parallel;
use ipcsim::scene::{Scene, build, parse, read};
use measure::{Measured, measure};
use serde::Serialize;
use std::path::PathBuf;

/// Measure the time of each phase of a step, scene by scene.
///
/// Simulates each scene without writing results, and prints a table: for every phase its time, its
/// share, and the time per step and per Newton iteration.
#[derive(Debug, clap::Args)]
pub(super) struct BenchArgs {
    /// Scene files (JSON) [default: four scenes built into the program].
    #[arg(value_name = "SCENE")]
    scenes: Vec<PathBuf>,
    /// Number of steps, instead of the number of each scene.
    #[arg(long, value_name = "N")]
    steps: Option<usize>,
    /// Replace a value in every scene, for example time.step=0.005. Can be repeated.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Number of threads [default: one per core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Measure output as well: draw and write frames to a temporary folder.
    #[arg(long)]
    frames: bool,
    /// Tables, or all measurements.
    #[command(flatten)]
    format: FormatArgs,
    /// Also time a fixed sparse factorisation (faer, one thread) and a fixed loop, so that times of
    /// different machines can be compared. Without SCENE, nothing else is measured.
    #[arg(long)]
    calibrate: bool,
}

/// Names and texts of the scenes that are measured by default: the book's chapter 8, two finer
/// meshes of pressed squares, and a house of cards that stands by friction. They are part of the
/// program, so that it can be measured without its sources.
const SHIPPED: [(&str, &str); 4] = [
    ("08_two_squares_friction", calibration::TWO_SQUARES),
    (
        "two_squares_2k",
        include_str!("../scenes/stress/two_squares_2k.json"),
    ),
    (
        "two_squares_20k",
        include_str!("../scenes/stress/two_squares_20k.json"),
    ),
    (
        "house_of_cards",
        include_str!("../scenes/showcase/house_of_cards.json"),
    ),
];

/// Measurements of all scenes, in the form that `--json` prints.
#[derive(Serialize)]
struct Report {
    /// Version of the program.
    version: &'static str,
    /// Number of threads that measure.
    threads: usize,
    /// Times of the machine, with `--calibrate`.
    #[serde(skip_serializing_if = "Option::is_none")]
    calibration: Option<Times>,
    /// Measurements, scene by scene.
    scenes: Vec<Measured>,
}

/// Runs `ipcsim bench` on the number of threads that the user asks for.
///
/// # Errors
/// If a scene cannot be used, or if frames cannot be written.
pub(super) fn run(args: &BenchArgs) -> Result<Outcome, CommandError> {
    let threads = args.threads.map(usize::from);
    parallel::with_threads(threads, || report(args)).map_err(CommandError::Threads)?
}

/// Measures all scenes and prints the measurements. Fails if a step of a scene fails.
///
/// # Errors
/// If a scene cannot be used, or if frames cannot be written.
fn report(args: &BenchArgs) -> Result<Outcome, CommandError> {
    let scenes = scenes(args)?;

    // Tables are printed as they come, JSON at the end.
    let is_json = args.format.is_json();
    let say = |text: &str| if is_json { Ok(()) } else { say(text) };
    let calibration = args.calibrate.then(Times::take);
    if let Some(times) = &calibration {
        say(&table::calibration(times))?;
    }
    let mut report = Report {
        version: env!("CARGO_PKG_VERSION"),
        threads: parallel::threads(),
        calibration,
        scenes: Vec::new(),
    };

    // Scene by scene; the time of building one is not measured.
    for (path, scene) in scenes {
        process::forget_peak_memory();
        let setup = build(scene).map_err(CommandError::scene(&path))?;
        let folder = args
            .frames
            .then(|| std::env::temp_dir().join(format!("ipcsim-bench-{}", std::process::id())));
        let measured = measure(setup, folder.as_ref());

        // The folder is removed even if the scene failed.
        folder.map(std::fs::remove_dir_all);
        let measured = measured?;
        say(&table::scene(&measured, report.threads))?;
        report.scenes.push(measured);
    }
    if is_json {
        super::say(&serde_json::to_string_pretty(&report).unwrap_or_default())?;
    }

    // Failures last, where they are seen.
    let mut outcome = Outcome::Done;
    for scene in &report.scenes {
        if let Some(failure) = &scene.failure {
            let step = scene.steps + 1;
            tell(&format!("error: {}: step {step}: {failure}", scene.name));
            outcome = Outcome::Failed;
        }
    }
    Ok(outcome)
}

/// Reads the scenes to measure, each with its path or, if it is built in, its name.
///
/// # Errors
/// If a scene cannot be read.
fn scenes(args: &BenchArgs) -> Result<Vec<(PathBuf, Scene)>, CommandError> {
    let mut scenes = Vec::new();

    // Scenes of the program, unless the user names others or calibrates only.
    if args.scenes.is_empty() && !args.calibrate {
        for (name, text) in SHIPPED {
            let path = PathBuf::from(name);
            let scene = parse(text, &args.set).map_err(CommandError::scene(&path))?;
            scenes.push((path, scene));
        }
    }
    for path in &args.scenes {
        let scene = read(path, &args.set).map_err(CommandError::scene(path))?;
        scenes.push((path.clone(), scene));
    }

    for (path, scene) in &mut scenes {
        scene.name.get_or_insert_with(|| path.display().to_string());
        scene.time.steps = args.steps.unwrap_or(scene.time.steps);
    }
    Ok(scenes)
}

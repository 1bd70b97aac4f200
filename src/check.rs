//! `ipcsim check`: reports the problems of a scene, draws them and mends some.
//!
//! The command does all that `ipcsim run` does before its first step, and simulates nothing:
//!
//! 1. read the scene, and find every problem in it ([`Source::preflight`]);
//! 2. with `--picture`, draw the initial state with loads and supports, and a numbered circle at the
//!    place of each problem;
//! 3. with `--fix`, write a mended scene, unless a problem is left that is an error;
//! 4. otherwise print the warnings, the size of the scene and the numbers that a run would use.

use super::batch::{FormatArgs, each, only_one, say_json};
use super::error::shown;
use super::numbers::{LINES, Line, lines};
use super::problems::{list, listed, unread};
use super::{CommandError, Outcome, pictures, say, tell};
use crate::pictures::painter::{Painter, Shown};
use crate::pictures::sketch::Sketch;
use crate::scene_view::extent;
use ipcsim::geometry::Aabb;
use ipcsim::math::Vec2;
use ipcsim::math::number::counted;
use ipcsim::scene::{
    Derived, Mended, Preflight, Problem, SHAPES, SceneError, Setup, Source, mended,
};
use ipcsim_pictures::png;
use ipcsim_store::file::write_whole;
use ipcsim_store::mesh_file::MeshFile;
use std::path::{Path, PathBuf};

/// Check a scene without running it, and report every problem at once.
///
/// Errors, such as overlapping bodies, make a run impossible. Warnings point to values that are
/// probably not meant, such as a stiffness in the wrong unit; a scene with warnings only can run.
/// For a good scene the command prints its size and the parameters that a run would use.
#[derive(Debug, clap::Args)]
pub(super) struct CheckArgs {
    /// Scene files (JSON); - is standard input.
    #[arg(required = true, value_name = "SCENE")]
    scenes: Vec<PathBuf>,
    /// Replace a value of the scene, for example time.step=0.005 or
    /// bodies.ball.position=[0,1]. Can be repeated.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Draw the initial state to FILE (PNG), with the symbols of loads, each as it is when it is
    /// largest, supports and joints, and with a circle around the place of each problem. The circle has
    /// the number of the problem in the printed list.
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
    /// Write a mended copy of the scene to FILE: joints are closed by moving and turning bodies,
    /// overlapping bodies are moved apart, clockwise triangles are reversed, a contact distance `d_hat`
    /// that is too large is reduced, and values of --set are written. Other errors are reported, and then
    /// FILE is not written.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["format", "json"])]
    fix: Option<PathBuf>,
    /// Exit with code 1 if there is a warning.
    #[arg(long)]
    strict: bool,
    /// Print all numbers that a run would use, where otherwise the smallest and the largest of many are
    /// printed.
    #[arg(long, short)]
    verbose: bool,
    /// Lines, or an object with all problems.
    #[command(flatten)]
    format: FormatArgs,
}

/// Runs `ipcsim check`, for one scene after the other. Warnings alone are a success, unless the user
/// asks for none.
///
/// # Errors
/// If the only scene has a problem that is an error, or if a file cannot be read or written.
pub(super) fn run(args: &CheckArgs) -> Result<Outcome, CommandError> {
    let single = [
        ("--picture", args.picture.is_some()),
        ("--fix", args.fix.is_some()),
    ];
    only_one(&args.scenes, "scenes", &single)?;
    if let Some(picture) = args.picture.as_ref().filter(|file| !is_png(file)) {
        return Err(CommandError::Shape {
            file: picture.clone(),
            message: "pictures are PNG files; give a name that ends in .png".to_owned(),
        });
    }
    each(&args.scenes, |scene| one(scene, args))
}

/// True if the name of a file says that it is a PNG picture.
fn is_png(file: &Path) -> bool {
    let ending = file.extension();
    ending.is_some_and(|ending| ending.eq_ignore_ascii_case("png"))
}

/// Checks one scene, and prints what is found.
///
/// # Errors
/// If the scene has a problem that is an error, or if a file cannot be read or written.
fn one(file: &Path, args: &CheckArgs) -> Result<Outcome, CommandError> {
    let in_scene = || CommandError::scene(file);
    let source = Source::read(file, &args.set, SHAPES).map_err(in_scene())?;
    let found = source.preflight(|_| {});
    let is_json = args.format.is_json();
    let is_only = args.scenes.len() == 1;
    let Preflight {
        setup,
        problems,
        notes,
    } = match found {
        // A text that is no scene is a problem of the scene, too.
        Err(error) if is_json => {
            say_json(&unread(shown(file), &error), is_only)?;
            return Ok(Outcome::Refused);
        }
        found => found.map_err(in_scene())?,
    };

    if let Some(picture) = &args.picture {
        draw(picture, setup.as_ref(), &problems)?;
    }
    if let Some(out) = &args.fix {
        return mend(&source, file, out);
    }

    let runs = !problems.iter().any(Problem::is_error);
    let doubted = args.strict && !problems.is_empty();
    let outcome = if doubted {
        Outcome::Failed
    } else {
        Outcome::Done
    };
    if is_json {
        say_json(&listed(shown(file), &problems, &notes), is_only)?;
        return Ok(if runs { outcome } else { Outcome::Refused });
    }

    // Errors end the command here; warnings alone do not.
    let Some(setup) = setup.filter(|_| runs) else {
        return Err(CommandError::Scene {
            scene: shown(file).to_path_buf(),
            source: SceneError::Invalid(problems),
        });
    };

    // Warnings, and then the numbers of the scene.
    let verdict = if problems.is_empty() {
        "no problems".to_owned()
    } else {
        tell(&format!("warning: {}", list(shown(file), &problems)));
        counted(problems.len(), "warning")
    };
    say(&format!("{}: {verdict}", shown(file).display()))?;
    for note in &notes {
        say(&format!("  note: {note}"))?;
    }
    describe(&setup, args.verbose)?;
    Ok(outcome)
}

/// Prints the size of a scene and the numbers that a run would use, each with its reason.
///
/// # Errors
/// If standard output cannot be written.
fn describe(setup: &Setup, is_verbose: bool) -> Result<(), CommandError> {
    let Setup {
        scene,
        world,
        derived,
        ..
    } = setup;

    let sizes = [
        (scene.bodies.len(), "body"),
        (scene.obstacles.len(), "obstacle"),
        (world.placed_vertices().count(), "vertex"),
        (world.triangles.len(), "triangle"),
        (world.springs.len(), "spring"),
        (world.model.surface.edges.len(), "colliding edge"),
    ];
    let sizes = sizes.map(|(count, name)| counted(count, name)).join(", ");
    say(&format!("  {sizes}"))?;
    say(&format!(
        "  {} of {} s",
        counted(scene.time.steps, "step"),
        scene.time.step
    ))?;

    // Numbers with their reasons, whether given or chosen.
    let most = if is_verbose { usize::MAX } else { LINES };
    let rows: Vec<&Derived> = derived.iter().collect();
    for Line {
        name,
        value,
        reason,
    } in lines(&rows, most)
    {
        say(&format!("  {name:<17}{value:<14}{reason}"))?;
    }
    Ok(())
}

/// Draws the initial state to the PNG `file`, with circles around the places of problems.
///
/// Without a setup there is nothing to draw: a warning says so, and that is no error.
///
/// # Errors
/// If the picture cannot be drawn or written.
fn draw(file: &Path, setup: Option<&Setup>, problems: &[Problem]) -> Result<(), CommandError> {
    // Share of the diagonal that is added on every side.
    const MARGIN: f64 = 0.1;

    let Some(setup) = setup else {
        tell(&format!(
            "warning: {}: not drawn, since no body of the scene can be built",
            file.display()
        ));
        return Ok(());
    };
    let Setup {
        scene,
        world,
        state,
        ..
    } = setup;

    // Places of problems, with the numbers of the list.
    let mut places: Vec<(String, Vec2)> = Vec::new();
    for (problem, number) in problems.iter().zip(1..) {
        for &at in &problem.places {
            places.push((number.to_string(), at));
        }
    }

    // The view shows all bodies and all places.
    let around =
        extent(world, &state.x).union(&Aabb::around(places.iter().map(|(_, place)| *place)));
    let view = around.grown(MARGIN * around.extent().norm());

    // Bodies first, then the circles above them.
    let style = pictures::style(scene, scene.output.width, scene.output.height);
    let title = scene.name.clone().unwrap_or_default();
    let painter = Painter::new(
        &MeshFile::of(world),
        |vertex| world.moves(vertex),
        view,
        style,
        &title,
    );
    let diagram = Sketch::of(setup).at(&state.x, None);
    let shown = Shown {
        diagram: Some(&diagram),
        ..Shown::default()
    };
    let picture = painter.mark(painter.paint(&state.x, 0.0, 0, shown)?, &places)?;
    let bytes = png::encode(&picture)?;
    Ok(write_whole(file, |out| out.write_all(&bytes))?)
}

/// Writes a mended copy of the scene `file` to `out`. Prints each change and each problem that is
/// left.
///
/// # Errors
/// If a problem that is an error cannot be mended, or if `out` cannot be written.
fn mend(source: &Source, file: &Path, out: &Path) -> Result<Outcome, CommandError> {
    let Mended {
        text,
        changes,
        problems,
    } = mended(source).map_err(CommandError::scene(file))?;

    for change in &changes {
        say(&format!("  {change}"))?;
    }

    // Nothing is written as long as an error is left.
    if problems.iter().any(Problem::is_error) {
        say(&format!(
            "{}: not written, since these problems cannot be mended safely:",
            out.display()
        ))?;
        let source = SceneError::Invalid(problems);
        return Err(CommandError::Scene {
            scene: file.to_path_buf(),
            source,
        });
    }
    if !problems.is_empty() {
        tell(&format!("warning: {}", list(out, &problems)));
    }

    write_whole(out, |to| to.write_all(text.as_bytes()))?;
    say(&format!(
        "{}: written with {}",
        out.display(),
        counted(changes.len(), "change")
    ))?;
    Ok(Outcome::Done)
}

//! `ipcsim plot`: charts of forces of a stored run.
//!
//! The force between two bodies over time comes from `forces.csv`. The contact pressure along the
//! outline of a body is computed again from the stored positions, as the derivative of the barrier,
//! and is written as a table too.

use super::{CommandError, Outcome, say};
use ipcsim::forces::{SurfacePoint, pressure};
use ipcsim::math::Vec2;
use ipcsim::math::number::counted;
use ipcsim::scene::{Setup, build, read};
use ipcsim_pictures::chart::{Chart, Panel, Series};
use ipcsim_store::file::write_whole;
use ipcsim_store::folder::SCENE;
use ipcsim_store::force_table::{self, CONTACT, FORCES, StoredForce};
use ipcsim_store::run_files::RunFiles;
use ipcsim_store::stored_error::StoredError;
use ipcsim_store::stored_run::StoredRun;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Name of the chart of a pair's force, unless the user gives another.
const PAIR: &str = "pair.png";
/// Names of the chart and the table of a pressure.
const PRESSURE: [&str; 2] = ["pressure.png", "pressure.csv"];
/// Size of charts (pixels).
const SIZE: (u32, u32) = (1280, 720);

/// Names of all files that this command writes into the folder of a run.
pub(super) const FILES: [&str; 3] = [PAIR, PRESSURE[0], PRESSURE[1]];

/// Plot forces of a stored run: between two bodies over time, or the pressure along a surface.
///
/// --pair reads forces.csv and draws the size of the force between two bodies, its friction and the
/// rest. --pressure draws the contact pressure along the outline of a body at one step, against the
/// distance along the outline; it needs the stored positions only. Nothing is simulated.
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("what").required(true))]
pub(super) struct PlotArgs {
    /// Folder of the run.
    dir: PathBuf,
    /// Names of two bodies or obstacles, separated by a comma: draw the force between them over
    /// time to pair.png.
    #[arg(long, value_name = "A,B", group = "what")]
    pair: Option<String>,
    /// Name of a body or obstacle: draw the contact pressure along its outline to pressure.png, and
    /// write it to pressure.csv.
    #[arg(long, value_name = "BODY", group = "what")]
    pressure: Option<String>,
    /// Step of the pressure, one of the written states [default: the last one].
    #[arg(long, value_name = "N", requires = "pressure")]
    step: Option<usize>,
    /// File of the chart [default: in the folder of the run]. The table of the pressure has the same
    /// name with the ending csv.
    #[arg(long, short, value_name = "FILE.png")]
    out: Option<PathBuf>,
}

/// Runs `ipcsim plot`.
///
/// # Errors
/// If the run cannot be read, has no such bodies or states, or if a file cannot be written.
pub(super) fn run(args: &PlotArgs) -> Result<Outcome, CommandError> {
    match (&args.pair, &args.pressure) {
        (Some(pair), _) => plot_pair(args, pair)?,
        (None, Some(body)) => plot_pressure(args, body)?,
        // The command line asks for one of them.
        (None, None) => {}
    }
    Ok(Outcome::Done)
}

/// Draws the force between two bodies over time.
///
/// # Errors
/// If the run has no table of forces, or no such pair in it, or if the chart cannot be written.
fn plot_pair(args: &PlotArgs, pair: &str) -> Result<(), CommandError> {
    let path = args.dir.join(FORCES);
    let Some(rows) = force_table::read(&RunFiles::open(&args.dir)?)? else {
        let message = "does not exist; it is written at the end of a run whose output.force_rows is \
                       above 0";
        return Err(StoredError::malformed(&path, message).into());
    };

    // Names may have commas, so every comma may be the one between them.
    let between = |row: &&StoredForce| {
        let [a, b] = &row.names;
        row.kind == CONTACT && (pair == format!("{a},{b}") || pair == format!("{b},{a}"))
    };
    let found: Vec<&StoredForce> = rows.iter().filter(between).collect();
    let Some(first) = found.first() else {
        let message = format!(
            "has no contact between \"{pair}\"; --pair takes two names with a comma between them; \
             the pairs are {}",
            known_pairs(&rows)
        );
        return Err(StoredError::malformed(&path, message).into());
    };

    // A step without a row is one without contact.
    let curves = Curves::of(&rows, &found);
    let title = format!("Force between {} and {}", first.names[0], first.names[1]);
    let mut series = vec![("force", &curves.force, true)];
    if curves.friction.iter().any(|friction| *friction > 0.0) {
        series.insert(0, ("friction", &curves.friction, false));
        series.insert(0, ("without friction", &curves.rest, false));
    }
    let series = series.into_iter().map(|(name, values, strong)| Series {
        name,
        values,
        strong,
    });
    let chart = Chart {
        title: &title,
        x_axis: ("time", "s"),
        x: &curves.times,
        panels: vec![Panel::new(("force", "N"), series.collect())],
        marks: Vec::new(),
        size: SIZE,
    };
    let out = args.out.clone().unwrap_or_else(|| args.dir.join(PAIR));
    write(&out, &chart.to_png()?)?;
    say(&format!(
        "{}: force between {} and {} at {}",
        out.display(),
        first.names[0],
        first.names[1],
        counted(curves.times.len(), "step")
    ))?;
    Ok(())
}

/// Sizes of a pair's forces over time (N).
#[derive(Default)]
struct Curves {
    /// Time of each step in the table (s).
    times: Vec<f64>,
    /// Size of the whole force.
    force: Vec<f64>,
    /// Size of the friction.
    friction: Vec<f64>,
    /// Size of the force without friction: the sum of the normal forces as vectors.
    rest: Vec<f64>,
}

impl Curves {
    /// Curves of the rows `found`, with 0 at the steps of the table that have none.
    fn of(rows: &[StoredForce], found: &[&StoredForce]) -> Self {
        let mut curves = Self::default();
        let mut found = found.iter().peekable();
        let mut before = None;
        for row in rows {
            if before.replace(row.step) == Some(row.step) {
                continue;
            }
            let own = found.next_if(|own| own.step == row.step);
            let of = |size: fn(&StoredForce) -> f64| own.map_or(0.0, |own| size(own));
            curves.times.push(row.time);
            curves.force.push(of(|own| own.force.norm()));
            curves.friction.push(of(|own| own.friction.norm()));
            curves
                .rest
                .push(of(|own| (own.force - own.friction).norm()));
        }
        curves
    }
}

/// The pairs of a table for messages, at most twelve.
fn known_pairs(rows: &[StoredForce]) -> String {
    const MOST: usize = 12;
    let mut pairs: Vec<String> = rows
        .iter()
        .filter(|row| row.kind == CONTACT)
        .map(|row| format!("\"{},{}\"", row.names[0], row.names[1]))
        .collect();
    pairs.sort_unstable();
    pairs.dedup();
    let more = if pairs.len() > MOST { ", ..." } else { "" };
    pairs.truncate(MOST);
    if pairs.is_empty() {
        "none".to_owned()
    } else {
        pairs.join(", ") + more
    }
}

/// Draws and lists the contact pressure along the outline of a body at one step.
///
/// # Errors
/// If the run has no such state or body, or if a file cannot be written.
fn plot_pressure(args: &PlotArgs, name: &str) -> Result<(), CommandError> {
    let run = StoredRun::open(&args.dir)?;
    let path = args.dir.join(SCENE);
    let setup = read(&path, &[])
        .and_then(build)
        .map_err(CommandError::scene(&path))?;
    let body = body_of(&setup, name, &path)?;
    let step = args.step.unwrap_or_else(|| run.last_step());
    let x = state(&run, &setup, step, &path)?;

    let contacts = setup
        .world
        .contacts_at(&x, &run.report()?.stiffening.at(step));
    let points = pressure(&setup.world, &contacts, &x, body, setup.scene.thickness);
    if points.is_empty() {
        let message = format!("\"{name}\" has no outline of edges, so it has no pressure along it");
        return Err(StoredError::malformed(&path, message).into());
    }
    let out = args
        .out
        .clone()
        .unwrap_or_else(|| args.dir.join(PRESSURE[0]));
    write(&out, &pressure_chart(name, step, &points)?)?;
    let table = if args.out.is_some() {
        out.with_extension("csv")
    } else {
        args.dir.join(PRESSURE[1])
    };
    write(&table, pressure_table(&points).as_bytes())?;
    let force: Vec2 = points.iter().map(|point| point.force).sum();
    say(&format!(
        "{} and {}: pressure on {name} at step {step}, whose sum is {:.6e} N along x and {:.6e} N \
         along y",
        out.display(),
        table.display(),
        force.x,
        force.y
    ))?;
    Ok(())
}

/// Number of the body or obstacle of this name.
///
/// # Errors
/// [`StoredError::Malformed`] with the path of the scene, if there is none.
pub(super) fn body_of(setup: &Setup, name: &str, path: &Path) -> Result<usize, StoredError> {
    let bodies = &setup.world.bodies;
    let found = bodies.iter().position(|body| body.name == name);
    found.ok_or_else(|| {
        let names: Vec<String> = bodies
            .iter()
            .take(20)
            .map(|body| format!("\"{}\"", body.name))
            .collect();
        let message = format!(
            "no body or obstacle is named \"{name}\"; the names are {}",
            names.join(", ")
        );
        StoredError::malformed(path, message)
    })
}

/// Stored positions (m) at the end of a step.
///
/// # Errors
/// [`StoredError`] if the run has not written that state, or if its positions are not of the scene.
fn state(
    run: &StoredRun,
    setup: &Setup,
    step: usize,
    path: &Path,
) -> Result<Vec<Vec2>, StoredError> {
    let vertices = setup.world.rest.len();
    let mut trajectory = run.trajectory()?;
    if trajectory.vertices() != vertices {
        let message = format!(
            "has {vertices} vertices, but the trajectory has {}",
            trajectory.vertices()
        );
        return Err(StoredError::malformed(path, message));
    }
    let mut x = Vec::new();
    for moment in &run.moments {
        trajectory.next(&mut x)?;
        if moment.step == step {
            return Ok(x);
        }
    }
    let message = format!(
        "the run has written no state of step {step}; its last one is {}, and output.every decides \
         which are written",
        run.last_step()
    );
    Err(StoredError::malformed(path, message))
}

/// Chart of a pressure along an outline, as the bytes of a PNG file. Curves of the outline follow
/// each other.
///
/// # Errors
/// [`CommandError::Picture`] if it cannot be drawn.
fn pressure_chart(
    name: &str,
    step: usize,
    points: &[SurfacePoint],
) -> Result<Vec<u8>, CommandError> {
    let title = format!("Contact pressure on {name}, step {step}");
    let mut ways = Vec::new();
    let mut values = Vec::new();
    let mut start = 0.0;
    for (k, point) in points.iter().enumerate() {
        // A new curve begins where the last one ended.
        if k > 0 && point.curve != points[k - 1].curve {
            let last = if k > 1 { points[k - 2].arc } else { 0.0 };
            start += 2.0 * points[k - 1].arc - last;
        }
        ways.push(start + point.arc);
        values.push(point.pressure);
    }
    let pressure = Series {
        name: "pressure",
        values: &values,
        strong: true,
    };
    let chart = Chart {
        title: &title,
        x_axis: ("distance along the outline", "m"),
        x: &ways,
        panels: vec![Panel::new(("pressure", "Pa"), vec![pressure])],
        marks: Vec::new(),
        size: SIZE,
    };
    Ok(chart.to_png()?)
}

/// Table of a pressure, a row for each vertex of the outline.
fn pressure_table(points: &[SurfacePoint]) -> String {
    let mut text = "vertex,curve,arc,x,y,force_x,force_y,length,pressure\n".to_owned();
    for point in points {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{},{},{:?},{:?},{:?},{:?},{:?},{:?},{:?}",
            point.vertex,
            point.curve,
            point.arc,
            point.position.x,
            point.position.y,
            point.force.x,
            point.force.y,
            point.length,
            point.pressure
        );
    }
    text
}

/// Writes a file.
///
/// # Errors
/// [`CommandError::Folder`] if it cannot be written.
fn write(path: &Path, bytes: &[u8]) -> Result<(), CommandError> {
    Ok(write_whole(path, |out| out.write_all(bytes))?)
}

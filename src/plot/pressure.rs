//! Contact pressure along the outline of a body at one step: a chart and a table.

use super::args::{PRESSURE, PlotArgs, SIZE, body_of, write};
use crate::{CommandError, say};
use ipcsim::forces::{SurfacePoint, pressure};
use ipcsim::math::Vec2;
use ipcsim::scene::{Setup, build, read};
use ipcsim_pictures::chart::{Chart, Panel, Series};
use ipcsim_store::folder::SCENE;
use ipcsim_store::stored_error::StoredError;
use ipcsim_store::stored_run::StoredRun;
use std::fmt::Write;
use std::path::Path;

/// Draws and lists the contact pressure along the outline of a body at one step.
///
/// # Errors
/// If the run has no such state or body, or if a file cannot be written.
pub(super) fn plot_pressure(args: &PlotArgs, name: &str) -> Result<(), CommandError> {
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

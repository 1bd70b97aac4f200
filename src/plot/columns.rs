//! Chart of columns over another one, a panel for each unit.

use super::args::{PLOT, PlotArgs, SIZE, write};
use super::curve::{Curve, Tables};
use super::source::Subject;
use crate::{CommandError, say};
use ipcsim::math::number::counted;
use ipcsim_pictures::chart::{Chart, Panel, Series};
use ipcsim_store::run_files::RunFiles;
use ipcsim_store::stored_error::StoredError;

/// Draws columns over another one.
///
/// # Errors
/// If the run has no such column, or if the chart cannot be written.
pub(super) fn plot_columns(args: &PlotArgs) -> Result<(), CommandError> {
    let subject = args.subject();
    let mut tables = Tables::new(RunFiles::open(&args.dir)?);
    let names = ordinates(args, subject.as_ref(), &mut tables)?;
    let mut curves = Vec::new();
    for name in &names {
        curves.push(tables.curve(name, subject.as_ref())?);
    }

    // The time is a column of every table.
    let first = curves.first().map_or(&[][..], |_| &names[..1]);
    let of_first = first.iter().find_map(|name| Subject::parse(name));
    let of_first = of_first.map(|(of, _)| of).or_else(|| subject.clone());
    let abscissa = args.x.as_deref().unwrap_or("time");
    let is_time = ["time", "step"].contains(&abscissa);
    let of_abscissa = if is_time { of_first } else { subject.clone() };
    let mut x = tables.curve(abscissa, of_abscissa.as_ref())?;
    if abscissa == "time" {
        "s".clone_into(&mut x.unit);
    }

    let steps = common(&x, &curves);
    if steps.is_empty() {
        let message = format!(
            "no step has both \"{}\" and \"{abscissa}\"; their tables have other steps",
            names.join(", ")
        );
        return Err(StoredError::malformed(&args.dir, message).into());
    }

    // The chart, and what it shows in words.
    let title = title(&curves, subject.as_ref(), &x);
    let png = draw(&title, &x, &curves, &steps)?;
    let out = args.out.clone().unwrap_or_else(|| args.dir.join(PLOT));
    write(&out, &png)?;
    say(&format!(
        "{}: {title}, at {}",
        out.display(),
        counted(steps.len(), "step")
    ))?;
    Ok(())
}

/// Names of the columns that are drawn: given by the user, or the usual ones.
///
/// # Errors
/// If the user names nothing.
fn ordinates(
    args: &PlotArgs,
    subject: Option<&Subject>,
    tables: &mut Tables,
) -> Result<Vec<String>, CommandError> {
    let listed = args.y.as_ref().or(args.measure.as_ref());
    if let Some(list) = listed.or(args.energy.as_ref()) {
        return Ok(split(list));
    }
    let Some(subject) = subject else {
        let message = "nothing to plot; name it by --joint, --body, --pair, --reaction, --load, --measure, \
                       --energy or --pressure, or columns by --y";
        return Err(StoredError::malformed(&args.dir, message).into());
    };

    // A place has two numbers.
    let usual = subject.usual();
    if matches!(subject, Subject::Body(_)) {
        return Ok(usual.iter().map(|&name| name.to_owned()).collect());
    }

    // The last one is always there, or its error is the one to tell.
    let has = usual.iter().find(|name| tables.has(name, subject));
    let chosen = has.or(usual.last()).copied().unwrap_or_default();
    Ok(vec![chosen.to_owned()])
}

/// Names of a list with commas between them. A full name of a pair has a comma that stays.
fn split(list: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for part in list.split(',') {
        let is_open = names
            .last()
            .is_some_and(|last| last.starts_with("pair.") && last.matches('.').count() < 2);
        match names.last_mut().filter(|_| is_open) {
            Some(last) => *last = format!("{last},{part}"),
            None => names.push(part.trim().to_owned()),
        }
    }
    names
}

/// Steps that all curves have, as far as one of them has a number there.
fn common(x: &Curve, curves: &[Curve]) -> Vec<usize> {
    let steps = x.values.iter().filter(|(_, value)| value.is_finite());
    let is_known = |step: &usize| {
        curves
            .iter()
            .any(|curve| curve.values.get(step).is_some_and(|own| own.is_finite()))
    };
    steps.map(|(step, _)| *step).filter(is_known).collect()
}

/// Title of a chart.
fn title(curves: &[Curve], subject: Option<&Subject>, x: &Curve) -> String {
    let labels: Vec<&str> = curves.iter().map(|curve| curve.label.as_str()).collect();
    let of = match subject.map(Subject::name) {
        Some(name) if !name.is_empty() => format!(" of {name}"),
        _ => String::new(),
    };
    format!("{}{of} over {}", labels.join(", "), x.label)
}

/// Chart of curves over another one at some steps, as the bytes of a PNG file.
///
/// # Errors
/// [`CommandError::Picture`] if it cannot be drawn.
fn draw(
    title: &str,
    x: &Curve,
    curves: &[Curve],
    steps: &[usize],
) -> Result<Vec<u8>, CommandError> {
    let at = |curve: &Curve| -> Vec<f64> {
        let values = steps.iter().map(|step| curve.values.get(step));
        values.map(|own| own.copied().unwrap_or(f64::NAN)).collect()
    };

    // NaN breaks a curve where it has no number.
    let abscissae = at(x);
    let values: Vec<Vec<f64>> = curves.iter().map(at).collect();

    // A panel for each unit, in the order of the curves.
    let mut units: Vec<&str> = Vec::new();
    for curve in curves {
        if !units.contains(&curve.unit.as_str()) {
            units.push(&curve.unit);
        }
    }
    let panels = units.iter().map(|unit| {
        let own: Vec<usize> = (0..curves.len())
            .filter(|&k| curves[k].unit == *unit)
            .collect();
        let name = match own[..] {
            [only] => curves[only].label.as_str(),
            _ => "",
        };
        let series = own.iter().map(|&k| Series {
            name: &curves[k].label,
            values: &values[k],
            strong: curves.len() == 1,
        });
        Panel::new((name, unit), series.collect())
    });
    let chart = Chart {
        title,
        x_axis: (&x.label, &x.unit),
        x: &abscissae,
        panels: panels.collect(),
        marks: Vec::new(),
        size: SIZE,
    };
    Ok(chart.to_png()?)
}

//! `ipcsim plot`: charts of a stored run.
//!
//! Columns of the tables of a run are drawn over each other ([`columns`]): contacts, joints, bodies,
//! supports, loads, measures and energies over time, an angle or any other column. The contact pressure
//! along the outline of a body is computed again from the stored positions, as the derivative of the
//! barrier, and is written as a table too.

mod args;
mod columns;
mod curve;
mod pair;
mod pressure;
mod source;

use super::{CommandError, Outcome};
use args::{PAIR, PLOT, PRESSURE};

pub(super) use args::{PlotArgs, body_of};

/// Names of all files that this command writes into the folder of a run.
pub(super) const FILES: [&str; 4] = [PAIR, PRESSURE[0], PRESSURE[1], PLOT];

/// Runs `ipcsim plot`.
///
/// # Errors
/// If the run cannot be read, has no such columns, bodies or states, or if a file cannot be written.
pub(super) fn run(args: &PlotArgs) -> Result<Outcome, CommandError> {
    match (&args.pressure, &args.pair) {
        (Some(body), _) => pressure::plot_pressure(args, body)?,
        (None, Some(pair)) if args.y.is_none() && args.x.is_none() => pair::plot_pair(args, pair)?,
        _ => columns::plot_columns(args)?,
    }
    Ok(Outcome::Done)
}

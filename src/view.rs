//! `ipcsim view`: writes stored runs as one page that plays them, and opens it in a browser.
//!
//! The page is one file without any link, so it can be kept, sent and opened anywhere. What it
//! holds of a run passes these rooms:
//!
//! 1. [`source`] opens the folder, also that of a run that has not ended;
//! 2. [`samples`] computes fields and contacts of every state, [`shapes`] what is drawn, and
//!    [`symbols`] what joints, supports and loads follow, [`motion`] how bodies move, by their
//!    [`inertia`];
//! 3. [`grid`] turns positions into whole numbers, and [`codec`] those into few bytes, with
//!    [`blocks`] for everything else;
//! 4. [`payload`] joins a head in JSON, with [`notes`] in words, and the bytes, those of [`tables`]
//!    included, and [`page`] the runs and the program of the
//!    page, whose source is in the folder `page`.
//!
//! The page decodes all states when it opens. The graphics card reads positions from a texture of
//! grid points, so a new state is one small texture. The camera is subtracted in whole numbers, so
//! that a deep zoom does not tremble.

mod blocks;
mod codec;
mod grid;
pub(super) mod inertia;
mod motion;
mod notes;
pub(super) mod page;
mod payload;
mod samples;
mod shapes;
mod source;
mod surroundings;
mod symbols;
mod tables;
#[cfg(test)]
mod tests;

use super::{CommandError, Outcome, say, tell};
use ipcsim::math::parallel;
use ipcsim_store::file::write_whole;
use payload::Payload;
use samples::{Quantity, Wanted};
use source::Recorded;
use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Name of the page in the folder of a run, unless the user gives another.
pub(super) const FILE: &str = "view.html";

/// Size of a page (bytes) from which on browsers may refuse its text.
const LARGE: usize = 400_000_000;

/// Write stored runs as one page (HTML) that plays them, and open it in a browser.
///
/// The page plays, scrubs and zooms, follows a body, colours by body, speed, stress or pressure,
/// draws the forces at contacts and supports or their network, and the symbols of joints, supports and
/// loads, and shows charts of energies, forces and the motion of bodies in step with the picture. A
/// click on a body or a vertex shows its numbers and its curves; the key ? lists all keys. Several runs
/// stand side by side on one clock.
///
/// The page is one file that needs WebGL 2 and no network. Positions and fields are rounded, and
/// the page says by how much. A run that has failed, or has not ended, is shown as far as it goes.
#[derive(Debug, clap::Args)]
pub(super) struct ViewArgs {
    /// Folders of the runs, at most nine; the page shows them side by side.
    #[arg(required = true, num_args = 1..=9, value_name = "DIR")]
    dirs: Vec<PathBuf>,
    /// File of the page [default: view.html in the folder of the first run].
    #[arg(long, short, value_name = "FILE.html")]
    out: Option<PathBuf>,
    /// Write the page, but do not open it.
    #[arg(long)]
    no_open: bool,
    /// Quantities that the page has, separated by commas; it begins with the first one [default:
    /// body,speed,stress,pressure]. The colours of bodies need no room and are always there.
    #[arg(
        long,
        alias = "field",
        value_enum,
        value_delimiter = ',',
        value_name = "NAMES"
    )]
    fields: Vec<Quantity>,
    /// Show only every Nth of the stored states, and the last one.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Largest error of positions (m) [default: 1/131,070 of the side of the box around the run, less
    /// where the shortest edge or radius is not 100 times as long].
    #[arg(long, value_name = "METRES", value_parser = metres)]
    precision: Option<f64>,
    /// Leave out contacts and forces, which make the page larger.
    #[arg(long)]
    no_forces: bool,
    /// Number of threads; the page does not depend on it [default: one per core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

/// Reads a length from the command line.
///
/// # Errors
/// If the text is no positive number.
fn metres(text: &str) -> Result<f64, String> {
    let length: Option<f64> = text.parse().ok();
    length
        .filter(|length| *length > 0.0 && length.is_finite())
        .ok_or_else(|| "expected a length above 0 in metres, for example 1e-4".to_owned())
}

/// Runs `ipcsim view`: writes the page, and opens it.
///
/// # Errors
/// If a run cannot be read or has no state, or if the page cannot be written.
pub(super) fn run(args: &ViewArgs) -> Result<Outcome, CommandError> {
    let threads = args.threads.map(usize::from);
    let out = parallel::with_threads(threads, || write(args)).map_err(CommandError::Threads)??;
    if !args.no_open && !open(&out) {
        tell(&format!(
            "note: no browser could be started; open {} in one",
            out.display()
        ));
    }
    Ok(Outcome::Done)
}

/// Writes the page of all runs, says what is in it, and returns its path.
///
/// # Errors
/// If a run cannot be read or has no state, or if the page cannot be written.
fn write(args: &ViewArgs) -> Result<PathBuf, CommandError> {
    let wanted = Wanted {
        quantities: if args.fields.is_empty() {
            Quantity::ALL.to_vec()
        } else {
            args.fields.clone()
        },
        forces: !args.no_forces,
        precision: args.precision,
    };

    let mut payloads = Vec::with_capacity(args.dirs.len());
    for dir in &args.dirs {
        let run = Recorded::open(dir, args.every as usize)?;
        payloads.push(Payload::of(&run, &wanted)?);
    }

    // The page, then a line for each run.
    let text = page::page(&payloads, wanted.quantities[0])?;
    let out = args.out.clone().unwrap_or_else(|| args.dirs[0].join(FILE));
    write_whole(&out, |file| file.write_all(text.as_bytes()))?;
    for (dir, payload) in args.dirs.iter().zip(&payloads) {
        say(&format!("{}: {}", dir.display(), payload.summary()))?;
        for note in payload.notes() {
            tell(&format!("note: {}: {note}", dir.display()));
        }
    }
    if text.len() > LARGE {
        tell(
            "note: browsers may refuse a page of this size; leave out states by --every, fields by \
             --fields, or forces by --no-forces",
        );
    }
    say(&format!(
        "{}: {:.2} MB",
        out.display(),
        text.len() as f64 / 1e6
    ))?;
    Ok(out)
}

/// Opens a file in the browser that the system uses; false if none could be started.
pub(super) fn open(path: impl AsRef<OsStr>) -> bool {
    // A program that fails does so at once; one that opens a browser may stay.
    const PATIENCE: Duration = Duration::from_millis(1500);
    for mut command in open::commands(path) {
        let quiet = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let Ok(mut child) = quiet.spawn() else {
            continue;
        };

        let started = Instant::now();
        let mut ended = None;
        while ended.is_none() && started.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(20));
            ended = child.try_wait().ok().flatten();
        }
        if ended.is_none_or(|status| status.success()) {
            return true;
        }
    }
    false
}

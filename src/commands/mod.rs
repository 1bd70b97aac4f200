//! Commands of the program `ipcsim`, one file each: arguments, checks and printed results.
//!
//! [`run()`] reads the command line and hands it to one command. A command returns an [`Outcome`]
//! or a [`CommandError`], and only [`run()`] turns these into exit codes and into the line
//! `error: ...`:
//!
//! - 0: the command succeeded;
//! - 1: a simulation, verification, validation or comparison failed, and the command has printed
//!   why;
//! - 2: the input or the usage is wrong, or a file cannot be read or written;
//! - 130 and 143: a signal stopped a run.
//!
//! Results go to standard output, and warnings, errors and progress to standard error. A closed
//! pipe on either of them does not stop a command.
//!
//! Documentation of argument types and their fields is the help text that users read.
//!
//! For other programs [`verify()`], [`validate()`] and [`picture()`] return as values what the
//! commands print or write.

pub(crate) mod bench;
pub mod ccd;
mod check;
mod error;
mod export;
mod fields;
mod import;
mod numbers;
mod pictures;
mod plot;
mod preflight;
mod problems;
mod render;
mod run;
mod schema;
mod validate;
mod verify;
mod view;

use clap::{Parser, Subcommand};
use std::ffi::OsString;
use std::process::ExitCode;

pub use error::CommandError;
pub use pictures::{ColorBy, Look, Picture, frame_view, picture};
pub use run::reason;
pub use validate::{json, validate};
pub use verify::{Verification, verify};

/// Result of a command that did not end with an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The command succeeded: exit code 0.
    Done,
    /// A simulation, verification or comparison failed: exit code 1. The command has printed why.
    Failed,
    /// A signal stopped the command. The value is the exit code of the program, 128 plus the
    /// signal's number.
    Signal(u8),
}

/// Simulate solids in 2D that deform, collide, slide and stack without intersection or inversion.
///
/// Each time step minimises an incremental potential (inertia, elasticity, contact barrier,
/// friction) by projected Newton with a filtered line search (Incremental Potential Contact).
#[derive(Debug, Parser)]
#[command(version, after_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// Commands to begin with, which `ipcsim --help` prints at the end.
const EXAMPLES: &str = "\
Examples:
  ipcsim run scenes/two_squares.json            simulate and write to output/two_squares/
  ipcsim run scenes/two_squares.json --set time.step=0.005 --set solver.tolerance=1e-6
  ipcsim run --resume output/two_squares        resume a run that was stopped or killed
  ipcsim verify output/two_squares              prove that nothing intersects or inverts
  ipcsim render output/two_squares --color stress --arrows
  ipcsim export output/two_squares              fields for ParaView
  ipcsim plot output/two_squares --pair upper,lower
  ipcsim view output/two_squares                play the run in a browser
  ipcsim validate                               compare with formulas, and write a report";

/// Meaning of the exit codes, at the end of the help texts of most commands.
const EXIT_CODES: &str = "\
Exit codes:
  0         success
  1         the simulation, verification or comparison failed
  2         bad input or usage, or a file cannot be read or written
  130, 143  SIGINT or SIGTERM stopped a run, which can be resumed";

// A variant has no documentation of its own: it would replace the help text of its arguments.
#[derive(Debug, Subcommand)]
enum Command {
    #[command(after_help = EXIT_CODES)]
    Run(run::RunArgs),
    #[command(after_help = EXIT_CODES)]
    Check(check::CheckArgs),
    #[command(after_help = EXIT_CODES)]
    Verify(verify::VerifyArgs),
    #[command(after_help = EXIT_CODES)]
    Render(render::RenderArgs),
    #[command(after_help = export::AFTER_HELP)]
    Export(export::ExportArgs),
    #[command(after_help = EXIT_CODES)]
    Plot(plot::PlotArgs),
    #[command(after_help = EXIT_CODES)]
    View(view::ViewArgs),
    #[command(after_help = validate::AFTER_HELP)]
    Validate(validate::ValidateArgs),
    Ccd(ccd::CcdArgs),
    #[command(after_help = EXIT_CODES)]
    Bench(bench::BenchArgs),
    #[command(after_help = "Exit codes: 0 success; 2 bad input or usage.")]
    Import(import::ImportArgs),
    #[command(after_help = "Exit codes: 0 success; 2 bad usage.")]
    Schema(schema::SchemaArgs),
}

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    ExitCode::from(run(std::env::args_os()))
}

/// Runs the program with `arguments`, which begin with the name of the program, and returns the
/// exit code.
///
/// Wrong usage, `--help` and `--version` end the process at once.
pub fn run(arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> u8 {
    let outcome = match Cli::parse_from(arguments).command {
        Command::Run(args) => run::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Render(args) => render::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Plot(args) => plot::run(&args),
        Command::View(args) => view::run(&args),
        Command::Validate(args) => validate::run(&args),
        Command::Ccd(args) => run_ccd(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Import(args) => import::run(&args),
        Command::Schema(args) => Ok(schema::run(args)),
    };

    // A command that ends without an outcome has not printed its error yet.
    match outcome {
        Ok(Outcome::Done) => 0,
        Ok(Outcome::Failed) => 1,
        Ok(Outcome::Signal(code)) => code,
        Err(error) => {
            tell(&format!("error: {error}"));
            2
        }
    }
}

/// Runs `ipcsim ccd` on the standard streams of the process.
///
/// # Errors
/// If the queries cannot be read or the answers cannot be written.
fn run_ccd(args: &ccd::CcdArgs) -> Result<Outcome, CommandError> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    Ok(ccd::run(args, &mut out, &mut std::io::stderr().lock())?)
}

/// Writes a line to standard error. A closed pipe is ignored.
fn tell(text: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Writes a line to standard output. A closed pipe is ignored.
fn say(text: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stdout(), "{text}");
}

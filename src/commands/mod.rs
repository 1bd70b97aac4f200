//! The program's commands, one file each: what a person types, checks, and reads.

mod bench;
pub mod ccd;
mod check;
mod error;
mod import;
mod pictures;
mod preflight;
mod problems;
mod render;
mod run;
mod schema;
mod verify;

use clap::{Parser, Subcommand};
use std::ffi::OsString;
use std::process::ExitCode;

pub use bench::calibration::Calibration;
pub use error::CommandError;

/// What a command found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All is well.
    Done,
    /// A simulation, a verification or a comparison failed; the command has said how.
    Failed,
    /// A signal has ended it; the program ends with this code.
    Signal(u8),
}

/// Simulate solids that deform, collide, slide and stack in 2D, without intersection or inversion.
///
/// Every time step minimises an incremental potential (inertia, elasticity, contact barrier, friction) by projected
/// Newton with a filtered line search (Incremental Potential Contact).
#[derive(Debug, Parser)]
#[command(version, after_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  ipcsim run scenes/two_squares.json            simulate, writing to output/two_squares/
  ipcsim run scenes/two_squares.json --set time.step=0.005 --set solver.tolerance=1e-6
  ipcsim run --resume output/two_squares        go on with a run that was ended or killed
  ipcsim verify output/two_squares              prove that nothing intersects or inverts
  ipcsim render output/two_squares --color stress";

const EXIT_CODES: &str = "\
Exit codes: 0 done; 1 the simulation, verification or comparison failed; 2 bad input or usage, unreadable or unwritable files;
130 and 143 a run was ended by SIGINT or SIGTERM and can be resumed.";

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
    Ccd(ccd::CcdArgs),
    #[command(after_help = EXIT_CODES)]
    Bench(bench::BenchArgs),
    #[command(after_help = "Exit codes: 0 done; 2 bad input or usage.")]
    Import(import::ImportArgs),
    #[command(after_help = "Exit codes: 0 done; 2 bad usage.")]
    Schema(schema::SchemaArgs),
}

/// Runs the program on the process's arguments.
pub fn main() -> ExitCode {
    run(std::env::args_os())
}

/// Runs the program on `arguments`, of which the first is its name; wrong usage ends the process.
pub fn run(arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> ExitCode {
    let outcome = match Cli::parse_from(arguments).command {
        Command::Run(args) => run::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Render(args) => render::run(&args),
        Command::Ccd(args) => run_ccd(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Import(args) => import::run(&args),
        Command::Schema(args) => Ok(schema::run(args)),
    };
    match outcome {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::Failed) => ExitCode::from(1),
        Ok(Outcome::Signal(code)) => ExitCode::from(code),
        Err(error) => {
            tell(&format!("error: {error}"));
            ExitCode::from(2)
        }
    }
}

fn run_ccd(args: &ccd::CcdArgs) -> Result<Outcome, CommandError> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    match ccd::run(args, &mut out, &mut std::io::stderr().lock())? {
        ccd::Outcome::Passed => Ok(Outcome::Done),
        ccd::Outcome::FalseNegative => Ok(Outcome::Failed),
    }
}

/// Writes a line to standard error; that nobody reads it any more is no reason to fail.
fn tell(text: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Writes a line to standard output; that nobody reads it any more is no reason to fail.
fn say(text: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stdout(), "{text}");
}

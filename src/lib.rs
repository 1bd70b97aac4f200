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
//! Results go to standard output, and warnings, errors and progress to standard error, both by
//! `terminal`.
//!
//! Documentation of argument types and their fields is the help text that users read.
//!
//! For other programs [`verify()`], [`validate()`], [`sweep()`] and [`picture()`] return as values what
//! the commands print or write.
#![cfg_attr(test, allow(clippy::float_cmp, reason = "exact numbers"))]

mod batch;
mod bench;
pub mod ccd;
mod check;
mod completed;
mod completions;
mod error;
mod exit_codes;
mod export;
mod export_error;
mod fields;
mod gradient;
mod import;
mod live;
mod man;
mod mesh;
mod numbers;
mod optimise;
mod outcome;
mod pictures;
mod plot;
mod preflight;
mod problems;
mod render;
mod run;
mod scene_view;
mod schema;
mod sweep;
mod terminal;
mod validate;
mod verify;
mod view;

use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

#[doc(hidden)]
pub use bench::calibration::Calibration;
pub use error::CommandError;
pub use outcome::Outcome;
pub use pictures::{ColorBy, Look, Picture, frame_view, picture, picture_png};
pub use sweep::{SweepJob, SweepTally, sweep};
use terminal::{When, plain, say, tell, write_result};
pub use validate::{json, validate};
pub use verify::{Verification, verify};

/// Simulate solids in 2D that deform, collide, slide and stack without intersection or inversion.
///
/// Each time step minimises an incremental potential (inertia, elasticity, contact barrier,
/// friction) by projected Newton with a filtered line search (Incremental Potential Contact).
#[derive(Debug, Parser)]
#[command(name = "ipcsim", version, after_help = format!("{EXAMPLES}\n\n{}", exit_codes::PROGRAM))]
struct Cli {
    /// When to colour errors, warnings and help.
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        value_enum,
        default_value_t = When::Auto,
        // After the options of a command.
        display_order = 900
    )]
    color: When,
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
  ipcsim render output/two_squares --color-by stress --arrows
  ipcsim export output/two_squares              fields for ParaView
  ipcsim plot output/two_squares --pair upper,lower
  ipcsim view output/two_squares                play the run in a browser
  ipcsim live scenes/two_squares.json           drag, draw and press in a browser while it runs
  ipcsim sweep plan.json --only                 the scene of a plan with many values: a table
  ipcsim validate                               compare with formulas, and write a report";

// A variant has no documentation of its own: it would replace the help text of its arguments.
#[derive(Debug, Subcommand)]
enum Command {
    #[command(after_help = exit_codes::RUN)]
    Run(run::RunArgs),
    #[command(after_help = exit_codes::CHECK)]
    Check(check::CheckArgs),
    #[command(after_help = exit_codes::VERIFY)]
    Verify(verify::VerifyArgs),
    #[command(after_help = exit_codes::FILES)]
    Render(render::RenderArgs),
    #[command(after_help = export::AFTER_HELP)]
    Export(export::ExportArgs),
    #[command(after_help = exit_codes::FILES)]
    Plot(plot::PlotArgs),
    #[command(after_help = exit_codes::FILES)]
    View(view::ViewArgs),
    #[command(after_help = exit_codes::FILES)]
    Live(live::LiveArgs),
    #[command(after_help = gradient::AFTER_HELP)]
    Gradient(gradient::GradientArgs),
    #[command(after_help = optimise::AFTER_HELP)]
    Optimise(optimise::OptimiseArgs),
    #[command(after_help = sweep::AFTER_HELP)]
    Sweep(sweep::SweepArgs),
    #[command(after_help = validate::AFTER_HELP)]
    Validate(validate::ValidateArgs),
    #[command(after_help = exit_codes::CCD)]
    Ccd(ccd::CcdArgs),
    #[command(after_help = exit_codes::BENCH)]
    Bench(bench::BenchArgs),
    #[command(after_help = exit_codes::FILES)]
    Mesh(mesh::MeshArgs),
    #[command(after_help = exit_codes::FILES)]
    Import(import::ImportArgs),
    #[command(after_help = exit_codes::FILES)]
    Schema(schema::SchemaArgs),
    #[command(after_help = exit_codes::FILES)]
    Completions(completions::CompletionsArgs),
    #[command(after_help = exit_codes::FILES)]
    Man(man::ManArgs),
}

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    run::stop::end_by_signals();
    ExitCode::from(run(std::env::args_os()))
}

/// Runs the program with `arguments`, which begin with the name of the program, and returns the
/// exit code.
///
/// Wrong usage is exit code 2; `--help` and `--version` are a success.
pub fn run(arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> u8 {
    let command = match read(arguments) {
        Ok(command) => command,
        Err(code) => return code,
    };

    let outcome = match command {
        Command::Run(args) => run::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Render(args) => render::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Plot(args) => plot::run(&args),
        Command::View(args) => view::run(&args),
        Command::Live(args) => live::run(&args),
        Command::Gradient(args) => gradient::run(&args),
        Command::Optimise(args) => optimise::run(&args),
        Command::Sweep(args) => sweep::run(&args),
        Command::Validate(args) => validate::run(&args),
        Command::Ccd(args) => run_ccd(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Mesh(args) => mesh::run(&args),
        Command::Import(args) => import::run(&args),
        Command::Schema(args) => schema::run(args),
        Command::Completions(args) => completions::run(args, &mut Cli::command()),
        Command::Man(args) => man::run(&args, Cli::command()),
    };

    ended(outcome)
}

/// Reads the command line `arguments`. Without a command that is to be run: the exit code, after
/// `--help`, `--version` or an error of usage is written.
fn read(arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> Result<Command, u8> {
    let arguments: Vec<OsString> = arguments.into_iter().map(Into::into).collect();
    if let Some(argument) = hidden(&arguments) {
        tell(&format!(
            "error: \"{}\" has a character that cannot be seen; rename the file or folder",
            argument.to_string_lossy().escape_debug()
        ));
        return Err(2);
    }

    // Errors of the parser have the colours that the command line asks for, too.
    let when = asked(&arguments);
    terminal::color(when);
    let read = Cli::command()
        .color(when.into())
        .try_get_matches_from(&arguments)
        .and_then(|matches| Cli::from_arg_matches(&matches));
    let error = match read {
        Ok(read) => {
            terminal::color(read.color);
            return Ok(read.command);
        }
        Err(error) => advised(error, &arguments),
    };

    // Text with control characters comes from arguments, and is written without colours.
    let text = error.render().to_string();
    let is_plain = plain(&text) == text;
    if error.use_stderr() {
        if is_plain {
            let _ = error.print();
        } else {
            tell(text.trim_end());
        }
        return Err(2);
    }
    let written = write_result(|_| error.print());
    Err(ended(written.map(|()| Outcome::Done)))
}

/// The error of `--color stress`, with a tip: that option is for messages, and pictures have another.
fn advised(mut error: clap::Error, arguments: &[OsString]) -> clap::Error {
    let Some(ContextValue::String(value)) = error.get(ContextKind::InvalidValue) else {
        return error;
    };
    let names_quantity = <ColorBy as clap::ValueEnum>::from_str(value, true).is_ok();
    let tip = format!("pictures are coloured by '--color-by {value}'");

    let draws = arguments
        .iter()
        .any(|word| word == "run" || word == "render");
    let of_messages = error.get(ContextKind::InvalidArg);
    let is_color =
        matches!(of_messages, Some(ContextValue::String(name)) if name.starts_with("--color <"));
    if names_quantity && draws && is_color {
        let tips = ContextValue::StyledStrs(vec![tip.into()]);
        error.insert(ContextKind::Suggested, tips);
    }
    error
}

/// Colours that `--color` asks for, whatever else is wrong with the command line.
fn asked(arguments: &[OsString]) -> When {
    let mut words = arguments.iter().map(|argument| argument.to_string_lossy());
    while let Some(word) = words.next() {
        let value = match word.strip_prefix("--color=") {
            Some(value) => Some(value.to_owned()),
            None if word == "--color" => words.next().map(|next| next.to_string()),
            None => None,
        };
        if let Some(value) = value {
            return <When as clap::ValueEnum>::from_str(&value, false).unwrap_or_default();
        }
    }
    When::Auto
}

impl From<When> for clap::ColorChoice {
    /// Choice of the command line's parser.
    fn from(when: When) -> Self {
        match when {
            When::Auto => Self::Auto,
            When::Always => Self::Always,
            When::Never => Self::Never,
        }
    }
}

/// First argument with a control character, apart from values of scenes and remarks.
fn hidden(arguments: &[OsString]) -> Option<&OsString> {
    const FREE: [&str; 2] = ["--set", "--note"];
    let mut is_free = false;
    arguments.iter().find(|argument| {
        let text = argument.to_string_lossy();
        let was_free = std::mem::replace(&mut is_free, FREE.contains(&&*text));
        let is_value = was_free || FREE.iter().any(|option| text.starts_with(option));
        !is_value && text.chars().any(char::is_control)
    })
}

/// Exit code of a command that has ended so, after its error is printed.
fn ended(outcome: Result<Outcome, CommandError>) -> u8 {
    match outcome {
        Ok(Outcome::Done) => 0,
        Ok(Outcome::Failed) => 1,
        Ok(Outcome::Refused) => 2,
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
    let mut answered = Ok(Outcome::Done);
    write_result(|out| {
        let mut out = std::io::BufWriter::new(out);
        answered = ccd::run(args, &mut out, &mut std::io::stderr().lock());
        match &mut answered {
            // The writer needs the error itself, to see whether the reader has gone away.
            Err(ccd::CcdError::Write(error)) => {
                Err(std::mem::replace(error, io::ErrorKind::Other.into()))
            }
            _ => out.flush(),
        }
    })?;

    match answered {
        // The reader has gone away.
        Err(ccd::CcdError::Write(_)) => Ok(Outcome::Done),
        answered => Ok(answered?),
    }
}

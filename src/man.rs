//! `ipcsim man`: manual pages, made of the help texts.
//!
//! One page is for the program, and one for each command, as `git` has them: `man ipcsim` and
//! `man ipcsim-run`.

use super::{CommandError, Outcome, say, write_result};
use clap::{Arg, ArgAction, Command};
use clap_mangen::Man;
use clap_mangen::roff::{Inline, Roff, bold, italic, roman};
use ipcsim::math::number::counted;
use ipcsim_store::error::failed;
use ipcsim_store::file::write_whole;
use std::io;
use std::path::PathBuf;

/// Print the manual page of the program, or write the pages of all commands to a folder.
///
/// For `man ipcsim` and `man ipcsim-run`: ipcsim man --out ~/.local/share/man/man1
#[derive(Debug, clap::Args)]
pub(super) struct ManArgs {
    /// Folder for a page of the program and of each command; pages in it are replaced [default: the
    /// page of the program goes to standard output].
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Runs `ipcsim man` for a `program`.
///
/// # Errors
/// If a page cannot be written.
pub(super) fn run(args: &ManArgs, program: Command) -> Result<Outcome, CommandError> {
    // Without its commands, help is a command of its own.
    let mut program = program.disable_help_subcommand(true);
    program.build();
    let Some(folder) = &args.out else {
        let text = page(program).map_err(CommandError::Output)?;
        write_result(|out| out.write_all(&text))?;
        return Ok(Outcome::Done);
    };

    std::fs::create_dir_all(folder).map_err(failed("create", folder))?;
    let mut commands = Vec::new();
    add_commands(program, &mut commands);
    for command in &commands {
        // A command of the program is called `ipcsim-run`.
        let name = command
            .get_display_name()
            .unwrap_or_else(|| command.get_name())
            .to_owned();
        let text = page(command.clone()).map_err(CommandError::Output)?;
        write_whole(&folder.join(format!("{name}.1")), |out| {
            out.write_all(&text)
        })?;
    }

    say(&format!(
        "{}: {} written",
        folder.display(),
        counted(commands.len(), "page")
    ))?;
    Ok(Outcome::Done)
}

/// Adds a command and all below it.
fn add_commands(command: Command, commands: &mut Vec<Command>) {
    let below: Vec<Command> = command.get_subcommands().cloned().collect();
    commands.push(command);
    for command in below {
        add_commands(command, commands);
    }
}

/// Manual page of a command, in the language of `man`.
///
/// # Errors
/// If the page cannot be made.
fn page(command: Command) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    let has_commands = command.has_subcommands();
    let synopsis = synopsis(&command);
    let end = command.get_after_help().map(ToString::to_string);

    let page = Man::new(command).source(concat!("ipcsim ", env!("CARGO_PKG_VERSION")));
    page.render_title(&mut text)?;
    page.render_name_section(&mut text)?;
    synopsis.to_writer(&mut text)?;
    page.render_description_section(&mut text)?;
    page.render_options_section(&mut text)?;
    if has_commands {
        page.render_subcommands_section(&mut text)?;
    }
    sections(&end.unwrap_or_default()).to_writer(&mut text)?;

    // Each part begins with the same definition, of an apostrophe, which a page needs once.
    let text = String::from_utf8_lossy(&text);
    let (definition, rest) = text.split_at(text.find(".TH").unwrap_or_default());
    Ok(format!("{definition}{}", rest.replace(definition, "")).into_bytes())
}

/// How a command is used: its options with their values, and its arguments, each with three dots if it
/// may be repeated.
fn synopsis(command: &Command) -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", ["SYNOPSIS"]);
    let name = command.get_bin_name().unwrap_or_else(|| command.get_name());
    let mut line = vec![bold(name)];

    let shown = command
        .get_arguments()
        .filter(|argument| !argument.is_hide_set());
    let (places, options): (Vec<&Arg>, Vec<&Arg>) =
        shown.partition(|argument| argument.is_positional());
    for argument in options.into_iter().chain(places) {
        line.push(roman(" "));
        add_argument(argument, &mut line);
    }
    if command.has_subcommands() {
        line.extend([roman(" "), italic("COMMAND")]);
    }
    roff.text(line);
    roff
}

/// Adds an option or an argument, in brackets unless it is required.
fn add_argument(argument: &Arg, line: &mut Vec<Inline>) {
    let is_required = argument.is_required_set();
    if !is_required {
        line.push(roman("["));
    }

    if let Some(short) = argument.get_short() {
        line.extend([bold(format!("-{short}")), roman("|")]);
    }
    if let Some(long) = argument.get_long() {
        line.push(bold(format!("--{long}")));
    }

    let names = argument.get_value_names().unwrap_or_default();
    if argument.get_action().takes_values() && !names.is_empty() {
        if !argument.is_positional() {
            line.push(roman(" "));
        }
        line.push(italic(names.join(" ")));
    }

    if !is_required {
        line.push(roman("]"));
    }
    if matches!(argument.get_action(), ArgAction::Append | ArgAction::Count) {
        line.push(roman("..."));
    }
}

/// Sections of the end of a help text: paragraphs with a heading, such as `Exit codes:`, whose lines
/// stay as they are.
fn sections(text: &str) -> Roff {
    let mut roff = Roff::new();
    for paragraph in text.split("\n\n") {
        let Some((heading, lines)) = paragraph.split_once(":\n") else {
            continue;
        };
        let heading = match heading {
            "Exit codes" => "EXIT STATUS".to_owned(),
            other => other.to_uppercase(),
        };
        roff.control("SH", [heading.as_str()]);
        roff.control("nf", []);
        for line in lines.lines() {
            roff.text([roman(line.trim_end())]);
        }
        roff.control("fi", []);
    }
    roff
}

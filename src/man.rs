//! `ipcsim man`: manual pages, made of the help texts.
//!
//! One page is for the program, and one for each command, as `git` has them: `man ipcsim` and
//! `man ipcsim-run`.

use super::{CommandError, Outcome, say, write_result};
use clap::Command;
use clap_mangen::Man;
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
    #[arg(long, value_name = "DIR")]
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
    let mut count = 0;
    let commands: Vec<Command> = program.get_subcommands().cloned().collect();
    for command in std::iter::once(program).chain(commands) {
        // A command of the program is called `ipcsim-run`.
        let name = command
            .get_display_name()
            .unwrap_or_else(|| command.get_name())
            .to_owned();
        let text = page(command).map_err(CommandError::Output)?;
        write_whole(&folder.join(format!("{name}.1")), |out| {
            out.write_all(&text)
        })?;
        count += 1;
    }

    say(&format!(
        "{}: {} written",
        folder.display(),
        counted(count, "page")
    ))?;
    Ok(Outcome::Done)
}

/// Manual page of a command, in the language of `man`.
///
/// # Errors
/// If the page cannot be made.
fn page(command: clap::Command) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    Man::new(command).render(&mut text)?;
    Ok(text)
}

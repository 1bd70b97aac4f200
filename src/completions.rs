//! `ipcsim completions`: what a shell needs to complete commands and options on the Tab key.

use super::{CommandError, Outcome, write_result};
use clap::Command;
use clap_complete::Shell;

/// Print the completions of commands and options for a shell.
///
/// Write them to the place where the shell looks for them, for example:
///
///   ipcsim completions bash > ~/.local/share/bash-completion/completions/ipcsim
///   ipcsim completions zsh > ~/.zfunc/_ipcsim
///   ipcsim completions fish > ~/.config/fish/completions/ipcsim.fish
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(
    verbatim_doc_comment,
    about = "Print the completions of commands and options for a shell"
)]
pub(super) struct CompletionsArgs {
    /// Shell that completes.
    #[arg(value_enum)]
    shell: Shell,
}

/// Runs `ipcsim completions` for the commands of a `program`.
///
/// # Errors
/// If standard output cannot be written.
pub(super) fn run(args: CompletionsArgs, program: &mut Command) -> Result<Outcome, CommandError> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, program, "ipcsim", &mut text);
    write_result(|out| out.write_all(&text))?;
    Ok(Outcome::Done)
}

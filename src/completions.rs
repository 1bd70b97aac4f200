//! `ipcsim completions`: what a shell needs to complete commands and options on the Tab key.

use super::{Cli, CommandError, Outcome, write_result};
use clap::CommandFactory;
use clap_complete::Shell;

/// Print the completions of commands and options for a shell.
///
/// Write them to the place where the shell looks for them, for example:
///
///   ipcsim completions bash > ~/.local/share/bash-completion/completions/ipcsim
///   ipcsim completions zsh > ~/.zfunc/_ipcsim
///   ipcsim completions fish > ~/.config/fish/completions/ipcsim.fish
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct CompletionsArgs {
    /// Shell that completes.
    #[arg(value_enum)]
    shell: Shell,
}

/// Runs `ipcsim completions`.
///
/// # Errors
/// If standard output cannot be written.
pub(super) fn run(args: CompletionsArgs) -> Result<Outcome, CommandError> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "ipcsim", &mut text);
    write_result(|out| out.write_all(&text))?;
    Ok(Outcome::Done)
}

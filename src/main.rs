//! The program `ipcsim`: see `ipcsim --help`.
//!
//! All of it is in the library, where tests reach it; see [`ipcsim_cli`].

use std::process::ExitCode;

/// Runs the command that was typed. The exit code is 0 for success, see [`ipcsim_cli`] for
/// the others.
fn main() -> ExitCode {
    ipcsim_cli::main()
}

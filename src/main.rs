//! The program `ipcsim`: see `ipcsim --help`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ipcsim::commands::main()
}

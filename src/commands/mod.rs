//! What the program `ipcsim` does, one file per subcommand.

pub mod ccd;

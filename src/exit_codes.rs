//! Meaning of the exit codes, at the end of the help text of each command.

/// Of the program.
pub(super) const PROGRAM: &str = "\
Exit codes:
  0         success
  1         the simulation, verification, validation or comparison failed
  2         bad input or usage, or a file cannot be read or written
  130, 143  SIGINT or SIGTERM stopped a run, which can be resumed";

/// Of `ipcsim run`.
pub(super) const RUN: &str = "\
Exit codes:
  0         success
  1         the simulation failed
  2         bad input or usage, or a file cannot be read or written
  130, 143  SIGINT or SIGTERM stopped a run, which can be resumed";

/// Of `ipcsim check`.
pub(super) const CHECK: &str = "\
Exit codes:
  0  the scene can run
  1  there is a warning, with --strict
  2  the scene has an error, bad usage, or a file cannot be read or written";

/// Of `ipcsim verify`.
pub(super) const VERIFY: &str = "\
Exit codes:
  0  everything is proved, and agrees with what it is compared with
  1  an intersection, an inversion, a damaged file or a difference
  2  bad input or usage, or a file cannot be read or written";

/// Of `ipcsim bench`.
pub(super) const BENCH: &str = "\
Exit codes:
  0  success
  1  a step of a scene failed
  2  bad input or usage";

/// Of `ipcsim ccd`.
pub(super) const CCD: &str = "\
Exit codes:
  0  success
  1  an impact that the file contains was missed
  2  bad input or usage";

/// Of commands that read and write files.
pub(super) const FILES: &str = "\
Exit codes:
  0  success
  2  bad input or usage, or a file cannot be read or written";

//! Results of commands, and the exit codes that belong to them.

/// Result of a command that did not end with an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// The command succeeded: exit code 0.
    Done,
    /// A simulation, verification or comparison failed: exit code 1. The command has printed why.
    Failed,
    /// The input is wrong: exit code 2. The command has printed why.
    Refused,
    /// A signal stopped the command. The value is the exit code of the program, 128 plus the
    /// signal's number.
    Signal(u8),
}

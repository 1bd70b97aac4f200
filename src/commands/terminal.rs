//! What commands write to standard output and standard error.
//!
//! Results go to standard output. One that cannot be written, since the disk is full or the output
//! is closed, is an error of the command: an empty file is no result. A reader
//! that has gone away (`ipcsim schema | head`) has what it wants and is no error.
//!
//! Names and paths come from files that anybody may have written. Control characters in them could
//! move the cursor of a terminal, rename its window or hide text, so that they are written as
//! `\u{1b}`.

use super::CommandError;
use std::borrow::Cow;
use std::io::{self, ErrorKind, Write};

/// Writes a line to standard output.
///
/// # Errors
/// [`CommandError::Output`] if it is closed or cannot be written, for example on a full disk; not
/// if its reader has gone away.
pub(super) fn say(text: &str) -> Result<(), CommandError> {
    write_result(|out| writeln!(out, "{}", plain(text)))
}

/// Writes a result to standard output by `fill`, and waits until the system has taken it.
///
/// # Errors
/// [`CommandError::Output`] as [`say`]; or [`CommandError::Output`] of `fill`.
pub(super) fn write_result(
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), CommandError> {
    // The standard library takes a closed stream for one that swallows all.
    #[cfg(unix)]
    std::os::fd::AsFd::as_fd(&io::stdout())
        .try_clone_to_owned()
        .map_err(CommandError::Output)?;

    let mut out = io::stdout().lock();
    match fill(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(CommandError::Output(error)),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Writes a line to standard error. There is no place to report that this is not possible.
pub(super) fn tell(text: &str) {
    let _ = writeln!(io::stderr(), "{}", plain(text));
}

/// Text without characters that command a terminal or turn the direction of writing: each as its
/// number, `\u{1b}`. Line feeds and tabs stay.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_command) {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_command(c) {
            plain.extend(c.escape_unicode());
        } else {
            plain.push(c);
        }
    }
    Cow::Owned(plain)
}

/// True if a terminal may do something else with a character than show it or begin a line.
fn is_command(c: char) -> bool {
    let turns =
        matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || (c.is_control() && c != '\n' && c != '\t')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_commands_a_terminal_is_shown_as_its_number() {
        assert_eq!(plain("a \"b\"\n\tü Ω"), "a \"b\"\n\tü Ω");
        assert_eq!(plain("\u{1b}[31mRED\u{7}"), "\\u{1b}[31mRED\\u{7}");
        assert_eq!(plain("\u{9b}2J \u{202e}\r"), "\\u{9b}2J \\u{202e}\\u{d}");
    }
}

//! What commands write to standard output and standard error.
//!
//! Results go to standard output. One that cannot be written, since the disk is full or the output
//! is closed, is an error of the command: an empty file is no result. A reader
//! that has gone away (`ipcsim schema | head`) has what it wants and is no error.
//!
//! Names and paths come from files that anybody may have written. Control characters in them could
//! move the cursor of a terminal, rename its window or hide text, so that they are written as
//! `\u{1b}`.
//!
//! The words `error:`, `warning:` and `note:` are coloured on a terminal, as those of the command
//! line's parser are.

use super::CommandError;
use indicatif::{ProgressBar, ProgressStyle};
use std::borrow::Cow;
use std::cell::Cell;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// When text on a terminal is coloured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum When {
    /// On a terminal, unless the variable `NO_COLOR` is set, or TERM is dumb.
    #[default]
    Auto,
    /// Always, in files too.
    Always,
    /// Never.
    Never,
}

impl When {
    /// True if standard error is coloured.
    fn colors_errors(self) -> bool {
        let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => io::stderr().is_terminal() && !is_set("NO_COLOR") && !is_dumb,
        }
    }
}

/// True if lines on standard error are coloured. It is the program's choice, made once; a program
/// that uses the library has plain text.
static COLORED: AtomicBool = AtomicBool::new(false);

/// Chooses when standard error is coloured.
pub(super) fn color(when: When) {
    COLORED.store(when.colors_errors(), Ordering::Relaxed);
}

/// True if standard error is coloured.
pub(super) fn is_colored() -> bool {
    COLORED.load(Ordering::Relaxed)
}

/// Words at the start of a line that are coloured, with the codes of their colours: bold red, bold
/// yellow, bold cyan.
const COLORS: [(&str, &str); 3] = [("error:", "1;31"), ("warning:", "1;33"), ("note:", "1;36")];

/// Text whose lines have their first word coloured, if it says how grave they are.
fn painted(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.split('\n') {
        let mut known = COLORS.iter();
        let found = known.find_map(|(word, code)| Some((*word, *code, line.strip_prefix(word)?)));
        lines.push(match found {
            Some((word, code, rest)) => format!("\u{1b}[{code}m{word}\u{1b}[0m{rest}"),
            None => line.to_owned(),
        });
    }
    lines.join("\n")
}

/// Style of a bar of progress that fits into narrow terminals: a short bar, the numbers of the
/// `template`, and a message that is cut off where there is no room.
pub(super) fn bar_style(template: &str) -> ProgressStyle {
    let colors = if is_colored() { ".cyan/blue" } else { "" };
    ProgressStyle::with_template(&format!("{{bar:16{colors}}} {template}  {{wide_msg}}"))
        .unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// Progress of a command on standard error: a bar on a terminal, ten lines elsewhere for what takes
/// long, nothing if it is quiet. It removes its bar when it is dropped.
pub(super) struct Bar {
    /// Bar on a terminal; `None` elsewhere.
    shown: Option<ProgressBar>,
    /// Name of what is counted.
    name: &'static str,
    /// Number of all.
    count: usize,
    /// Number of those that are done.
    done: Cell<usize>,
    /// True if lines are printed.
    lines: bool,
}

/// Number of lines of a whole command where there is no terminal, and smallest number of things for
/// that.
const LINES: [usize; 2] = [10, 50];

impl Bar {
    /// Bar for `count` things called `name`.
    pub(super) fn new(name: &'static str, count: usize, quiet: bool) -> Self {
        let is_terminal = io::stderr().is_terminal();
        let bar = (is_terminal && !quiet).then(|| {
            let bar = ProgressBar::new(count as u64);
            bar.set_style(bar_style(&format!("{name} {{pos}}/{{len}}, {{eta}} left")));
            bar
        });

        Self {
            shown: bar,
            name,
            count,
            done: Cell::new(0),
            lines: !is_terminal && !quiet && count >= LINES[1],
        }
    }

    /// Shows that one more is done.
    pub(super) fn advance(&self) {
        let done = self.done.get() + 1;
        self.done.set(done);
        if let Some(bar) = &self.shown {
            bar.inc(1);
        }
        if self.lines && done * LINES[0] / self.count != (done - 1) * LINES[0] / self.count {
            tell(&format!("{} {done}/{}", self.name, self.count));
        }
    }
}

impl Drop for Bar {
    /// Removes the bar from the terminal.
    fn drop(&mut self) {
        if let Some(bar) = &self.shown {
            bar.finish_and_clear();
        }
    }
}

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
    let plain = plain(text);
    let _ = if is_colored() {
        writeln!(io::stderr(), "{}", painted(&plain))
    } else {
        writeln!(io::stderr(), "{plain}")
    };
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
    fn the_words_that_say_how_grave_a_line_is_are_coloured() {
        let text = "error: no warning: here\n  1. a\nwarning: b\nnote: c";
        let expected = "\u{1b}[1;31merror:\u{1b}[0m no warning: here\n  1. a\n\
                        \u{1b}[1;33mwarning:\u{1b}[0m b\n\u{1b}[1;36mnote:\u{1b}[0m c";
        assert_eq!(painted(text), expected);
    }

    #[test]
    fn what_commands_a_terminal_is_shown_as_its_number() {
        assert_eq!(plain("a \"b\"\n\tü Ω"), "a \"b\"\n\tü Ω");
        assert_eq!(plain("\u{1b}[31mRED\u{7}"), "\\u{1b}[31mRED\\u{7}");
        assert_eq!(plain("\u{9b}2J \u{202e}\r"), "\\u{9b}2J \\u{202e}\\u{d}");
    }
}

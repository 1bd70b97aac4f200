//! What a command does for each of several scenes or folders, and the form of its results.

use super::{CommandError, Outcome, say, tell};
use serde_json::Value;

/// Form of what a command writes to standard output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Format {
    /// Lines for people.
    #[default]
    Text,
    /// JSON for programs: one indented object, or one object a line where there are several scenes
    /// or folders.
    Json,
}

/// Options for the form of a command's result, the same for all commands that have them.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct FormatArgs {
    /// Form of the result on standard output.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// The same as --format json.
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

impl FormatArgs {
    /// True if the result is for programs.
    pub(super) fn is_json(self) -> bool {
        self.json || self.format == Format::Json
    }
}

/// Does `one` for each of `all`, in their order, and returns the worst outcome.
///
/// The error of one of several is printed, and the others are done all the same. A signal ends the
/// command.
///
/// # Errors
/// The error of the only one; or [`CommandError::Output`], after which nothing can be printed.
pub(super) fn each<T>(
    all: &[T],
    mut one: impl FnMut(&T) -> Result<Outcome, CommandError>,
) -> Result<Outcome, CommandError> {
    if let [only] = all {
        return one(only);
    }

    let mut worst = Outcome::Done;
    for each in all {
        let outcome = match one(each) {
            Err(error @ CommandError::Output(_)) => return Err(error),
            Err(error) => {
                tell(&format!("error: {error}"));
                Outcome::Refused
            }
            Ok(outcome) => outcome,
        };
        match outcome {
            Outcome::Signal(_) => return Ok(outcome),
            outcome => worst = worst.max(outcome),
        }
    }
    Ok(worst)
}

/// Prints an object, on one line if it is one of several.
///
/// # Errors
/// If standard output cannot be written.
pub(super) fn say_json(value: &Value, is_only: bool) -> Result<(), CommandError> {
    if is_only {
        say(&format!("{value:#}"))
    } else {
        say(&value.to_string())
    }
}

/// Refuses an option that is for one scene or folder if there are several.
///
/// # Errors
/// [`CommandError::Several`] with the name of the option.
pub(super) fn only_one<T>(
    all: &[T],
    what: &'static str,
    options: &[(&'static str, bool)],
) -> Result<(), CommandError> {
    let given = options.iter().find(|(_, is_given)| *is_given);
    match given {
        Some((option, _)) if all.len() > 1 => Err(CommandError::Several {
            option,
            what,
            count: all.len(),
        }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_are_done_and_the_worst_outcome_counts_unless_a_signal_comes() {
        let mut done = Vec::new();
        let all = [Outcome::Done, Outcome::Failed, Outcome::Done];
        let worst = each(&all, |&outcome| {
            done.push(outcome);
            Ok(outcome)
        });
        assert_eq!((worst.unwrap(), done), (Outcome::Failed, all.to_vec()));

        let all = [Outcome::Signal(130), Outcome::Refused];
        assert_eq!(each(&all, |&outcome| Ok(outcome)).unwrap(), all[0]);
        let failing = |_: &u8| Err(CommandError::Json("odd".to_owned()));
        assert_eq!(each(&[1, 2], failing).unwrap(), Outcome::Refused);
        assert!(each(&[1], failing).is_err());
    }

    #[test]
    fn an_option_for_one_scene_is_refused_with_several() {
        let options = [("--out", false), ("--picture", true)];
        assert!(only_one(&[1], "scenes", &options).is_ok());
        let message = only_one(&[1, 2], "scenes", &options).unwrap_err();
        assert_eq!(
            message.to_string(),
            "--picture is for one scene, and there are 2; give them one by one"
        );
    }
}

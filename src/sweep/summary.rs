//! What a sweep says at its end: how many runs are done, and why others have failed.

use super::progress::in_words;
use crate::{CommandError, say};
use ipcsim_store::study::{Collected, Failures, Share, Study, StudyFolder};

/// Largest number of reasons that are printed.
const REASONS: usize = 10;

/// Prints what is done of a share, the reasons of failures, and where the table is.
///
/// # Errors
/// If standard output cannot be written.
pub(super) fn print(
    study: &Study,
    folder: &StudyFolder,
    collected: &Collected,
    share: Share,
) -> Result<(), CommandError> {
    let range = share.range(study.count());
    let all = range.end - range.start;
    let done = collected.rows.len() as u64;
    let failures = collected.failures();
    let failed: usize = failures.iter().map(|failures| failures.count).sum();

    let trouble = match failed {
        0 => String::new(),
        1 => "; 1 has failed or was refused".to_owned(),
        _ => format!("; {failed} have failed or were refused"),
    };
    say(&format!(
        "{done} of {all} runs are done; their times add up to {}{trouble}",
        in_words(collected.seconds())
    ))?;
    for reason in failures.iter().take(REASONS) {
        say(&sentence(study, reason))?;
    }
    if failures.len() > REASONS {
        say(&format!("and {} more reasons", failures.len() - REASONS))?;
    }
    if done < all {
        say("the same command computes the others")?;
    }
    if share == Share::ALL {
        say(&format!("table in {}", folder.table().display()))?;
    }
    Ok(())
}

/// Sentence about runs that failed for one reason, with the values of the first one.
fn sentence(study: &Study, reason: &Failures) -> String {
    let Failures {
        word,
        kind,
        count,
        first,
        message,
    } = reason;
    let values = study.points.values(*first);
    let columns = study.points.columns().iter().zip(values);
    let values: Vec<String> = columns
        .map(|(column, value)| format!("{} = {value}", column.name))
        .collect();
    let runs = if *count == 1 { "run" } else { "runs" };
    format!(
        "{count} {runs} {word} ({kind}); run {first} with {}: {message}",
        values.join(", ")
    )
}

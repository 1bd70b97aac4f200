//! Force between two bodies over time: its size, its friction, and the rest.

use super::args::{PAIR, PlotArgs, SIZE, write};
use crate::{CommandError, say};
use ipcsim::math::number::counted;
use ipcsim_pictures::chart::{Chart, Panel, Series};
use ipcsim_store::force_table::{self, CONTACT, FORCES, StoredForce};
use ipcsim_store::run_files::RunFiles;
use ipcsim_store::stored_error::StoredError;

/// Draws the force between two bodies over time.
///
/// # Errors
/// If the run has no table of forces, or no such pair in it, or if the chart cannot be written.
pub(super) fn plot_pair(args: &PlotArgs, pair: &str) -> Result<(), CommandError> {
    let path = args.dir.join(FORCES);
    let Some(rows) = force_table::read(&RunFiles::open(&args.dir)?)? else {
        let message = "does not exist; it is written at the end of a run whose output.force_rows is \
                       above 0";
        return Err(StoredError::malformed(&path, message).into());
    };

    // Names may have commas, so every comma may be the one between them.
    let between = |row: &&StoredForce| {
        let [a, b] = &row.names;
        row.kind == CONTACT && (pair == format!("{a},{b}") || pair == format!("{b},{a}"))
    };
    let found: Vec<&StoredForce> = rows.iter().filter(between).collect();
    let Some(first) = found.first() else {
        let message = format!(
            "has no contact between \"{pair}\"; --pair takes two names with a comma between them; \
             the pairs are {}",
            known_pairs(&rows)
        );
        return Err(StoredError::malformed(&path, message).into());
    };

    // A step without a row is one without contact.
    let curves = Curves::of(&rows, &found);
    let title = format!("Force between {} and {}", first.names[0], first.names[1]);
    let mut series = vec![("force", &curves.force, true)];
    if curves.friction.iter().any(|friction| *friction > 0.0) {
        series.insert(0, ("friction", &curves.friction, false));
        series.insert(0, ("without friction", &curves.rest, false));
    }
    let series = series.into_iter().map(|(name, values, strong)| Series {
        name,
        values,
        strong,
    });
    let chart = Chart {
        title: &title,
        x_axis: ("time", "s"),
        x: &curves.times,
        panels: vec![Panel::new(("force", "N"), series.collect())],
        marks: Vec::new(),
        size: SIZE,
    };
    let out = args.out.clone().unwrap_or_else(|| args.dir.join(PAIR));
    write(&out, &chart.to_png()?)?;
    say(&format!(
        "{}: force between {} and {} at {}",
        out.display(),
        first.names[0],
        first.names[1],
        counted(curves.times.len(), "step")
    ))?;
    Ok(())
}

/// Sizes of a pair's forces over time (N).
#[derive(Default)]
struct Curves {
    /// Time of each step in the table (s).
    times: Vec<f64>,
    /// Size of the whole force.
    force: Vec<f64>,
    /// Size of the friction.
    friction: Vec<f64>,
    /// Size of the force without friction: the sum of the normal forces as vectors.
    rest: Vec<f64>,
}

impl Curves {
    /// Curves of the rows `found`, with 0 at the steps of the table that have none.
    fn of(rows: &[StoredForce], found: &[&StoredForce]) -> Self {
        let mut curves = Self::default();
        let mut found = found.iter().peekable();
        let mut before = None;
        for row in rows {
            if before.replace(row.step) == Some(row.step) {
                continue;
            }
            let own = found.next_if(|own| own.step == row.step);
            let of = |size: fn(&StoredForce) -> f64| own.map_or(0.0, |own| size(own));
            curves.times.push(row.time);
            curves.force.push(of(|own| own.force.norm()));
            curves.friction.push(of(|own| own.friction.norm()));
            curves
                .rest
                .push(of(|own| (own.force - own.friction).norm()));
        }
        curves
    }
}

/// The pairs of a table for messages, at most twelve.
fn known_pairs(rows: &[StoredForce]) -> String {
    const MOST: usize = 12;
    let mut pairs: Vec<String> = rows
        .iter()
        .filter(|row| row.kind == CONTACT)
        .map(|row| format!("\"{},{}\"", row.names[0], row.names[1]))
        .collect();
    pairs.sort_unstable();
    pairs.dedup();
    let more = if pairs.len() > MOST { ", ..." } else { "" };
    pairs.truncate(MOST);
    if pairs.is_empty() {
        "none".to_owned()
    } else {
        pairs.join(", ") + more
    }
}

//! The numbers of bodies that a run has stored, read again from `bodies.csv`.

use super::body_table::{BODIES, BodyNumbers};
use super::columns::Columns;
use super::run_files::RunFiles;
use super::stored_error::StoredError;
use ipcsim::quantities::BODY;
use std::collections::BTreeMap;

/// Reads the table of a run: the numbers of all bodies, in their order, by step; empty if the run has
/// none.
///
/// # Errors
/// [`StoredError`] if the file cannot be read or is damaged.
pub fn read(files: &RunFiles) -> Result<BTreeMap<usize, Vec<BodyNumbers>>, StoredError> {
    let mut by_step: BTreeMap<usize, Vec<BodyNumbers>> = BTreeMap::new();
    let Some(table) = Columns::read(files, BODIES)? else {
        return Ok(by_step);
    };
    let columns = BODY.map(|quantity| table.column(quantity.name));
    let step = table.column("step").unwrap_or_default();
    for row in 0..table.len() {
        let numbers = columns.map(|column| {
            let number = column.map(|column| table.number(row, column));
            number.filter(|number| !number.is_nan())
        });
        let step = table.text(row, step).parse().unwrap_or_default();
        by_step.entry(step).or_default().push(numbers);
    }
    Ok(by_step)
}

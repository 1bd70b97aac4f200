//! `forces.csv`: sums of forces of every step, a row per pair of bodies, joint, support and load.
//!
//! Columns are in `store::force_table`, which also reads the file.

use super::thinned::ThinnedTable;
use super::{Begun, Context, Kind, When};
use ipcsim_store::force_table::{FORCES, HEADER, Names, rows};

/// Registration of the table.
pub(super) const KIND: Kind = Kind {
    files: &[FORCES],
    when: When::AtEnd,
    begin,
};

/// Begins the table, unless the scene wants no rows.
fn begin<'s>(context: &Context<'_, 's>) -> Begun<'s> {
    let limit = context.setup.scene.output.force_rows;
    if limit == 0 {
        return Ok(None);
    }

    // Journals have numbers in place of names.
    let names = Names::of(&context.setup.world);
    let table = ThinnedTable {
        name: FORCES,
        limit: ("force_rows", limit),
        header: HEADER.to_owned(),
        stride: context.strides.forces,
        rows: Box::new(move |entry| {
            let record = &entry.report.record;
            let sums = entry.forces.as_ref()?;
            Some(rows(record.step, record.time, sums, &names))
        }),
    };
    table.begin(context)
}

//! `bodies.csv`: place, motion and energies of every body at every step, and at the start.
//!
//! Columns are in `store::body_table`.

use super::thinned::ThinnedTable;
use super::{Begun, Context, Kind, When};
use ipcsim_store::body_table::{BODIES, header, rows};

/// Registration of the table.
pub(super) const KIND: Kind = Kind {
    files: &[BODIES],
    when: When::AtEnd,
    begin,
};

/// Begins the table, unless the scene wants no rows.
fn begin<'s>(context: &Context<'_, 's>) -> Begun<'s> {
    let limit = context.setup.scene.output.body_rows;
    if limit == 0 {
        return Ok(None);
    }

    // Obstacles have rows, too.
    let names = context.names();
    let table = ThinnedTable {
        name: BODIES,
        limit: ("body_rows", limit),
        header: header(),
        stride: context.strides.bodies,
        rows: Box::new(move |entry| {
            let record = &entry.report.record;
            let bodies = entry.bodies.as_ref()?;
            Some(rows(record.step, record.time, bodies, &names))
        }),
    };
    table.begin(context)
}

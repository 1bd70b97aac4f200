//! `chambers.csv`: pressure, volume and amount of the gas in each chamber.
//!
//! Columns are in `store::chamber_table`. A scene without chambers has no table; its rows are thinned out
//! as those of bodies.

use super::thinned::ThinnedTable;
use super::{Begun, Context, Kind, When};
use ipcsim_store::chamber_table::{CHAMBERS, header, names, rows};

/// Registration of the table.
pub(super) const KIND: Kind = Kind {
    files: &[CHAMBERS],
    when: When::AtEnd,
    begin,
};

/// Begins the table, unless the scene has no chambers or wants no rows.
fn begin<'s>(context: &Context<'_, 's>) -> Begun<'s> {
    let world = &context.setup.world;
    let limit = context.setup.scene.output.body_rows;
    if limit == 0 || world.loading.gas.is_empty() {
        return Ok(None);
    }

    let names = names(world);
    let table = ThinnedTable {
        name: CHAMBERS,
        limit: ("body_rows", limit),
        header: header(),
        stride: context.strides.bodies,
        rows: Box::new(move |entry| {
            let record = &entry.report.record;
            Some(rows(record.step, record.time, &record.chambers, &names))
        }),
    };
    table.begin(context)
}

//! `joints.csv`: angle or length, rate and forces of every joint at every step.
//!
//! Columns are in `store::joint_table`. A scene without joints has no table.

use super::thinned::ThinnedTable;
use super::{Begun, Context, Kind, When};
use ipcsim_store::joint_table::{HEADER, JOINTS, JointNames, rows};

/// Registration of the table.
pub(super) const KIND: Kind = Kind {
    files: &[JOINTS],
    when: When::AtEnd,
    begin,
};

/// Begins the table, unless the scene has no joints or wants no rows.
fn begin<'s>(context: &Context<'_, 's>) -> Begun<'s> {
    let world = &context.setup.world;
    let limit = context.setup.scene.output.joint_rows;
    if limit == 0 || world.model.joints.is_empty() {
        return Ok(None);
    }

    // Names, kinds and bodies stay the same.
    let names = JointNames::of(world);
    let table = ThinnedTable {
        name: JOINTS,
        limit: ("joint_rows", limit),
        header: HEADER.to_owned(),
        stride: context.strides.joints,
        rows: Box::new(move |entry| {
            let record = &entry.report.record;
            let joints = entry.joints.as_ref()?;
            Some(rows(record.step, record.time, joints, &names))
        }),
    };
    table.begin(context)
}

//! Displacement: position less the place at rest.

use super::{Field, Form, Snapshot, Source};
use ipcsim_math::Vec2;

/// Registration of the field.
pub(super) const FIELD: Field = Field {
    key: "displacement",
    name: "displacement",
    unit: "m",
    meaning: "Position less the place at rest, where a body is before it is stretched at the start",
    needs: "positions",
    form: Form::Vector,
    source: Source::Moving(values),
};

/// Displacement of each vertex (m).
#[allow(clippy::unnecessary_wraps, reason = "all fields have this signature")]
fn values(snapshot: &Snapshot) -> Option<Vec<Vec2>> {
    let rest = &snapshot.subject.world.rest;
    let both = snapshot.known.x.iter().zip(rest);
    Some(both.map(|(x, rest)| x - rest).collect())
}

//! Normal forces of contacts on vertices.

use super::{Field, Form, Snapshot, Source};
use ipcsim_math::Vec2;

/// Registration of the field.
pub(super) const FIELD: Field = Field {
    key: "contact_force",
    name: "contact force",
    unit: "N",
    meaning: "Sum of the normal forces of all contacts on the vertex; the sum over a body is the \
              force on it",
    needs: "contact forces",
    form: Form::Vector,
    source: Source::Forces(values),
};

/// Normal force on each vertex (N).
fn values(snapshot: &Snapshot) -> Option<Vec<Vec2>> {
    snapshot
        .known
        .contacts
        .map(|contacts| contacts.normal.clone())
}

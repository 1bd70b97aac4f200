//! Friction forces of contacts on vertices.

use super::{Field, Form, Snapshot, Source};
use ipcsim_math::Vec2;

/// Registration of the field.
pub(super) const FIELD: Field = Field {
    key: "friction_force",
    name: "friction force",
    unit: "N",
    meaning: "Sum of the friction forces of all contacts on the vertex; that of a circle is at its \
              centre",
    needs: "friction forces; run the scene with --set output.contacts=npy or --set output.vtu=true",
    form: Form::Vector,
    source: Source::Forces(values),
};

/// Friction force on each vertex (N).
fn values(snapshot: &Snapshot) -> Option<Vec<Vec2>> {
    let contacts = snapshot.known.contacts?;
    contacts.friction.clone()
}

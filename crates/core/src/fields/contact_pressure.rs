//! Contact pressure at the vertices of outlines.

use super::{Field, Form, Snapshot, Source};
use crate::forces::lengths_at;

/// Registration of the field.
pub(super) const FIELD: Field = Field {
    key: "contact_pressure",
    name: "contact pressure",
    unit: "Pa",
    meaning: "Size of the contact force over the outline at the vertex, half of both edges, and over \
              the thickness; 0 inside of bodies, NaN at circles and points, which have no edges",
    needs: "contact forces",
    form: Form::Scalar,
    source: Source::Vertices(values),
};

/// Contact pressure at each vertex (Pa).
fn values(snapshot: &Snapshot) -> Option<Vec<f64>> {
    let contacts = snapshot.known.contacts?;
    let subject = snapshot.subject;
    let surface = &subject.world.model.surface;
    let lengths = lengths_at(surface, snapshot.known.x);

    // Without contact the pressure is 0; at a point without length it does not exist.
    let both = contacts.normal.iter().zip(lengths).enumerate();
    Some(
        both.map(|(vertex, (force, length))| {
            if length > 0.0 {
                force.norm() / (length * subject.thickness)
            } else if surface.isolated[vertex] {
                f64::NAN
            } else {
                0.0
            }
        })
        .collect(),
    )
}

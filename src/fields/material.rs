//! Number of the material.

use super::{Field, Form, Source, Subject};

/// Registration of the field.
pub(super) const FIELD: Field = Field {
    key: "material",
    name: "material",
    unit: "1",
    meaning: "Number of the material, in the order of names; -1 for obstacles without one",
    needs: "materials",
    form: Form::Whole,
    source: Source::Bodies(value),
};

/// Number of the material of a body.
fn value(subject: &Subject, body: usize) -> f64 {
    let material = subject.materials.get(body).copied().flatten();
    material.map_or(-1.0, |number| number as f64)
}

//! Number of the material.
//!
//! Triangles of a region have the material of the region. A vertex may be between two materials,
//! and has the material of its body.

use super::{Field, Form, Owner, Source, Subject};

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

/// Number of the material of a triangle, or else of its body.
fn value(subject: &Subject, owner: Owner) -> f64 {
    let triangle = owner
        .triangle
        .and_then(|k| subject.of_triangles.get(k).copied());
    let of_body = || subject.materials.get(owner.body).copied();
    let material = triangle.or_else(of_body).flatten();
    material.map_or(-1.0, |number| number as f64)
}

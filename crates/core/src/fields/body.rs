//! Number of the body.

use super::{Field, Form, Owner, Source, Subject};

/// Registration of the field.
pub(super) const FIELD: Field = Field {
    key: "body",
    name: "body",
    unit: "1",
    meaning: "Number of the body or obstacle, in the order of `mesh.json`",
    needs: "bodies",
    form: Form::Whole,
    source: Source::Bodies(value),
};

/// Number of the body itself.
fn value(_subject: &Subject, owner: Owner) -> f64 {
    owner.body as f64
}

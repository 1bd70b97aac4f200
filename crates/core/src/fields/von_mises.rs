//! Von Mises stress: the stress in uniaxial tension with the same energy of distortion.

use super::snapshot::stress_of;
use super::{Field, Form, Source};
use ipcsim_math::PlaneTensor;

/// Registration of the field.
pub(super) const FIELD: Field = Field {
    key: "von_mises",
    name: "von Mises stress",
    unit: "Pa",
    meaning: "Von Mises stress of the Cauchy stress, that across the plane included",
    needs: "bodies of triangles",
    form: Form::Scalar,
    source: Source::Tensors {
        of: stress_of,
        reduce,
    },
};

/// Appends the von Mises stress (Pa).
fn reduce(stress: &PlaneTensor, out: &mut Vec<f64>) {
    out.push(stress.von_mises());
}

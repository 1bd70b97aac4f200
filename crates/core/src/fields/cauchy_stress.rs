//! Cauchy stress: force for each area of the deformed body.

use super::snapshot::stress_of;
use super::{Field, Form, Source};
use ipcsim_math::PlaneTensor;

/// Registration of the field.
pub(super) const FIELD: Field = Field {
    key: "cauchy_stress",
    name: "Cauchy stress",
    unit: "Pa",
    meaning: "Force for each area of the deformed body, `P F^T / J`",
    needs: "bodies of triangles",
    form: Form::Tensor,
    source: Source::Tensors {
        of: stress_of,
        reduce: components,
    },
};

/// Appends the components of a tensor, in the order of [`Form::Tensor`].
pub(super) fn components(tensor: &PlaneTensor, out: &mut Vec<f64>) {
    out.extend([tensor.xx, tensor.yy, tensor.xy, tensor.zz]);
}

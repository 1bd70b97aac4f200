//! Equivalent plastic strain: how much a metal has flowed.

use super::snapshot::plastic_strain_of;
use super::{Field, Form, Source};
use ipcsim_math::PlaneTensor;

/// Registration of the field.
pub(super) const FIELD: Field = Field {
    key: "plastic_strain",
    name: "plastic strain",
    unit: "1",
    meaning: "Equivalent plastic strain: the sum of `sqrt(2/3) |d e_p|` over all steps",
    needs: "material that may flow",
    form: Form::Scalar,
    source: Source::Tensors {
        of: plastic_strain_of,
        reduce,
    },
};

/// Appends the strain of an even tensor.
fn reduce(even: &PlaneTensor, out: &mut Vec<f64>) {
    out.push(even.xx);
}

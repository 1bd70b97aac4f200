//! Principal stresses: the normal stresses on the three planes without shear.

use super::snapshot::stress_of;
use super::{Field, Form, Source};
use ipcsim_math::PlaneTensor;

/// Registration of the field.
pub(super) const FIELD: Field = Field {
    key: "principal_stress",
    name: "principal stress",
    unit: "Pa",
    meaning: "Eigenvalues of the Cauchy stress, the largest first; one of them is that across the \
              plane",
    needs: "bodies of triangles",
    form: Form::Principal,
    source: Source::Tensors {
        of: stress_of,
        reduce,
    },
};

/// Appends the principal stresses (Pa).
fn reduce(stress: &PlaneTensor, out: &mut Vec<f64>) {
    out.extend(stress.principal());
}

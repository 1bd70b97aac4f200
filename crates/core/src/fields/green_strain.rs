//! Green-Lagrange strain, which no rotation changes.

use super::cauchy_stress::components;
use super::snapshot::strain_of;
use super::{Field, Form, Source};

/// Registration of the field.
pub(super) const FIELD: Field = Field {
    key: "green_strain",
    name: "Green-Lagrange strain",
    unit: "1",
    meaning: "`E = (F^T F - I) / 2` along the axes of the scene at rest; across the plane 0 in plane \
              strain, not known in plane stress",
    needs: "bodies of triangles",
    form: Form::Tensor,
    source: Source::Tensors {
        of: strain_of,
        reduce: components,
    },
};

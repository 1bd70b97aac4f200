//! Deformable bodies: every vertex of the mesh is free.

use super::rules::{Freedom, NewBody, Rules, ShapeClass};
use crate::body::BodyKind;
use crate::scene::assemble::builder::Builder;

/// The kind of deformable bodies.
pub(super) struct Deformable;

impl Rules for Deformable {
    fn name(&self) -> &'static str {
        "deformable"
    }

    fn keys(&self) -> &'static [&'static str] {
        &["stretch", "lumping", "prescribed"]
    }

    fn shapes(&self) -> ShapeClass {
        ShapeClass::Meshed
    }

    fn freedom(&self) -> Freedom {
        Freedom::Vertices
    }

    fn add(&self, builder: &mut Builder, body: &NewBody) {
        let Some(meshed) = builder.add_mesh(body) else {
            return;
        };
        builder.add_free(body, &meshed);
        builder.add_prescribed(body, &meshed);

        let kind = if meshed.is_solid {
            BodyKind::Solid
        } else {
            BodyKind::Springs
        };
        builder.close_mesh(body, &meshed, kind);
    }
}

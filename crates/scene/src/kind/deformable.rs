//! Deformable bodies: every vertex of the mesh is free.
//!
//! The coordinates are the positions of the vertices. This is the only kind with prescribed
//! vertices, with a stretch at the start, and with a choice of elements and of how mass is lumped. The world tells
//! bodies of triangles from bodies of springs, because pictures and stresses exist for triangles
//! only.

use super::rules::{Freedom, Rules, ShapeClass};

/// The kind of deformable bodies, which has no parameters.
pub(super) struct Deformable;

impl Rules for Deformable {
    fn name(&self) -> &'static str {
        "deformable"
    }

    fn keys(&self) -> &'static [&'static str] {
        &[
            "stretch",
            "elements",
            "dilatation",
            "lumping",
            "prescribed",
            "regions",
            "relative_stiffness",
            "temperature",
            "preload",
        ]
    }

    fn shapes(&self) -> ShapeClass {
        ShapeClass::Meshed
    }

    fn freedom(&self) -> Freedom {
        Freedom::Vertices
    }

    fn can_resize(&self) -> bool {
        true
    }
}

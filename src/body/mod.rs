//! What the vertices belong to: bodies, their mass, and motion that is prescribed.

pub mod inertia;
mod mass;
mod motion;

pub use inertia::MassProperties;
pub use mass::{Lumping, lump};
pub use motion::{Motion, Prescribed};

use std::ops::Range;

/// A body or an obstacle of the scene and the vertices it owns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    /// Its name in the scene.
    pub name: String,
    /// What it is made of.
    pub kind: BodyKind,
    /// Its vertices.
    pub vertices: Range<usize>,
}

/// What a body is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyKind {
    /// Elastic triangles.
    Solid,
    /// Springs between vertices.
    Springs,
    /// A half-plane; its one vertex is its origin.
    HalfPlane,
}

impl BodyKind {
    /// Its name in `mesh.json`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Solid => "solid",
            Self::Springs => "springs",
            Self::HalfPlane => "half_plane",
        }
    }
}

//! What the vertices belong to: bodies, their mass, and motion that is prescribed.

pub mod basis;
mod coordinates;
pub mod inertia;
mod linear;
mod load;
mod mass;
mod rigid;
mod scripted;

pub use coordinates::{Configuration, Coordinates, Kinematics};
pub use inertia::MassProperties;
pub use linear::LinearMap;
pub use load::{Course, Load};
pub use mass::{Lumping, lump};
pub use rigid::Rigid;
pub use scripted::{Pose, Prescribed, Role, ScriptedMotion};

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
    /// Its nodes (see [`Coordinates`]).
    pub nodes: Range<usize>,
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
    /// A centre of mass and an angle.
    Rigid,
    /// A centre of mass and a linear map.
    Affine,
    /// Elastic triangles that move by a reduced basis.
    Reduced,
    /// A rigid thing that goes where it is told.
    Obstacle,
}

impl BodyKind {
    /// Its name in `mesh.json`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Solid => "solid",
            Self::Springs => "springs",
            Self::HalfPlane => "half_plane",
            Self::Rigid => "rigid",
            Self::Affine => "affine",
            Self::Reduced => "reduced",
            Self::Obstacle => "obstacle",
        }
    }
}

//! Bodies: coordinates and the positions that follow from them, mass, and scripted motion.

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

use crate::math::Vec2;
use std::ops::Range;

/// A body or an obstacle of the scene and the vertices it owns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    /// Name in the scene.
    pub name: String,
    /// Kind of vertices and coordinates.
    pub kind: BodyKind,
    /// Numbers of the body's vertices.
    pub vertices: Range<usize>,
    /// Numbers of the body's nodes (see [`Coordinates`]).
    pub nodes: Range<usize>,
}

impl Body {
    /// Mass of the body (kg) from the masses of all nodes; 0 for a reduced basis, whose nodes do not
    /// tell it.
    pub fn mass(&self, nodes: &[Vec2]) -> f64 {
        match self.kind.mass_at() {
            MassAt::FirstNode => nodes[self.nodes.start].x,
            MassAt::AllNodes => self.nodes.clone().map(|node| nodes[node].x).sum(),
            MassAt::Nowhere => 0.0,
        }
    }
}

/// Kind of a body in the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyKind {
    /// Elastic triangles.
    Solid,
    /// Springs between vertices.
    Springs,
    /// A half-plane; its first vertex is its origin.
    HalfPlane,
    /// A centre of mass and an angle.
    Rigid,
    /// A centre of mass and a linear map.
    Affine,
    /// Elastic triangles that move by a reduced basis.
    Reduced,
    /// A rigid object whose motion is scripted.
    Obstacle,
}

/// Nodes whose masses add up to that of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MassAt {
    AllNodes,
    FirstNode,
    Nowhere,
}

/// Properties of a kind: all that other code may ask.
struct Properties {
    name: &'static str,
    is_obstacle: bool,
    is_soft: bool,
    has_angle: bool,
    mass_at: MassAt,
}

impl BodyKind {
    fn properties(self) -> Properties {
        let soft = |name, mass_at| Properties {
            name,
            is_obstacle: false,
            is_soft: true,
            has_angle: false,
            mass_at,
        };

        let stiff = |name, has_angle| Properties {
            name,
            is_obstacle: false,
            is_soft: false,
            has_angle,
            mass_at: MassAt::FirstNode,
        };

        let obstacle = |name| Properties {
            name,
            is_obstacle: true,
            is_soft: false,
            has_angle: true,
            mass_at: MassAt::AllNodes,
        };

        match self {
            Self::Solid => soft("solid", MassAt::AllNodes),
            Self::Springs => soft("springs", MassAt::AllNodes),
            Self::Reduced => soft("reduced", MassAt::Nowhere),
            Self::Rigid => stiff("rigid", true),
            Self::Affine => stiff("affine", false),
            Self::HalfPlane => obstacle("half_plane"),
            Self::Obstacle => obstacle("obstacle"),
        }
    }

    /// Name in `mesh.json`.
    pub fn name(self) -> &'static str {
        self.properties().name
    }

    /// True if the motion is scripted and nothing else moves the body.
    pub fn is_obstacle(self) -> bool {
        self.properties().is_obstacle
    }

    /// True if the body consists of triangles or springs that deform.
    pub fn is_soft(self) -> bool {
        self.properties().is_soft
    }

    /// True if an angle is one of the coordinates, so that the vertices move on arcs.
    pub fn has_angle(self) -> bool {
        self.properties().has_angle
    }

    fn mass_at(self) -> MassAt {
        self.properties().mass_at
    }
}

//! Bodies: their coordinates and vertices, their mass, and prescribed motion.
//!
//! A step solves for the coordinates `q` of all bodies. They come in 2-vectors, called nodes.
//! Elasticity, contact and friction only see the positions `x` of the vertices. [`Coordinates`] is
//! the map `x = x(q)` between the two, with its derivatives:
//!
//! | kind of body | nodes | map |
//! |---|---|---|
//! | soft | one per vertex | `x_i = q_i` |
//! | [`Rigid`] | centre, angle | `x_i = c + R(theta) X_i` |
//! | [`LinearMap`] (affine, reduced) | a few | `x_i = X_i + sum_k B_ik q_k` |
//!
//! Where a scene repeats, some nodes are images of others across its periods ([`Lattice`]).
//!
//! A new kind of body implements [`Kinematics`]. [`lump`] and [`inertia`] compute masses, [`basis`]
//! builds reduced bases. A [`Load`] is a force on a node as a function of time, an [`Applied`] one
//! a load of the scene on points, edges or vertices of a body. A [`Prescribed`] node follows a
//! [`ScriptedMotion`] instead of forces.
//!
//! The second number of the node with an angle stays 0. A reduced basis has a node for every two
//! fields.

mod applied;
pub mod basis;
mod coordinates;
pub mod inertia;
mod kinematics;
mod lattice;
mod linear;
mod load;
mod mass;
mod prescribed;
mod rigid;
mod scripted;

pub use applied::{
    Action, Applied, Frame, Grip, Hold, PressedEdge, Pressing, Sample, Shown, Spread, Strength,
    Turning,
};
pub use coordinates::{Configuration, Coordinates};
pub use inertia::MassProperties;
pub use kinematics::Kinematics;
pub use lattice::{Image, Lattice};
pub use linear::LinearMap;
pub use load::{Load, TimeFunction};
pub use mass::{Lumping, lump, lump_revolved};
pub use prescribed::{Displacement, Prescribed, Role};
pub use rigid::Rigid;
pub use scripted::{Pose, ScriptedMotion};

use ipcsim_math::Vec2;
use std::ops::Range;

/// A body or an obstacle of the scene and the vertices it owns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    /// Name of the body in the scene.
    pub name: String,
    /// Kind of the body: what its vertices and coordinates are.
    pub kind: BodyKind,
    /// Numbers of the body's vertices.
    pub vertices: Range<usize>,
    /// Numbers of the body's nodes (see [`Coordinates`]).
    pub nodes: Range<usize>,
}

impl Body {
    /// Mass of the body (kg), from the masses of all nodes (kg, `[nodes]`, one per component).
    ///
    /// A reduced basis gives 0: its nodes weigh 1 kg each, whatever the body weighs.
    pub fn mass(&self, nodes: &[Vec2]) -> f64 {
        match self.kind.mass_at() {
            MassAt::FirstNode => nodes[self.nodes.start].x,
            MassAt::AllNodes => self.nodes.clone().map(|node| nodes[node].x).sum(),
            MassAt::Nowhere => 0.0,
        }
    }

    /// Angle (rad), or its velocity (rad/s), of a rigid body or obstacle in a list of all nodes;
    /// none for other bodies.
    pub fn angle(&self, of_nodes: &[Vec2]) -> Option<f64> {
        let turns = matches!(
            self.kind,
            BodyKind::Rigid | BodyKind::Obstacle | BodyKind::World
        );
        turns.then(|| of_nodes[self.nodes.start + 1].x)
    }
}

/// Kind of a body in the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyKind {
    /// Elastic triangles.
    Solid,
    /// Springs between vertices.
    Springs,
    /// A line of segments that resist stretch and bending.
    Rod,
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
    /// What never moves and nothing touches: the second side of joints to the world.
    World,
    /// The two periods of a scene that repeats, and the images of surfaces across them.
    Cell,
}

/// Nodes of a body whose masses add up to the mass of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MassAt {
    /// Every node carries a part of the mass, as lumped vertices do.
    AllNodes,
    /// The first node is the centre of mass and carries all of it.
    FirstNode,
    /// No sum of node masses is the mass of the body.
    Nowhere,
}

/// Properties of a kind of body. Code that depends on the kind asks for these.
struct Properties {
    /// Name in `mesh.json`.
    name: &'static str,
    /// True if the motion is scripted and nothing else moves the body.
    is_obstacle: bool,
    /// True if triangles, springs or segments deform.
    is_soft: bool,
    /// True if one of the coordinates is an angle.
    has_angle: bool,
    /// Nodes that carry the mass.
    mass_at: MassAt,
}

impl Properties {
    /// Properties of a body of triangles, springs or segments of a rod.
    fn soft(name: &'static str, mass_at: MassAt) -> Self {
        Self {
            name,
            is_obstacle: false,
            is_soft: true,
            has_angle: false,
            mass_at,
        }
    }

    /// Properties of a body that its centre of mass and a few more coordinates move.
    fn stiff(name: &'static str, has_angle: bool) -> Self {
        Self {
            name,
            is_obstacle: false,
            is_soft: false,
            has_angle,
            mass_at: MassAt::FirstNode,
        }
    }

    /// Properties of a rigid object that follows a script.
    fn obstacle(name: &'static str) -> Self {
        Self {
            name,
            is_obstacle: true,
            is_soft: false,
            has_angle: true,
            mass_at: MassAt::AllNodes,
        }
    }
}

impl BodyKind {
    /// Properties of this kind. A new kind is one line here.
    fn properties(self) -> Properties {
        match self {
            Self::Solid => Properties::soft("solid", MassAt::AllNodes),
            Self::Springs => Properties::soft("springs", MassAt::AllNodes),
            Self::Rod => Properties::soft("rod", MassAt::AllNodes),
            Self::Reduced => Properties::soft("reduced", MassAt::Nowhere),
            Self::Rigid => Properties::stiff("rigid", true),
            Self::Affine => Properties::stiff("affine", false),
            Self::HalfPlane => Properties::obstacle("half_plane"),
            Self::Obstacle => Properties::obstacle("obstacle"),
            Self::World => Properties::obstacle("world"),
            Self::Cell => Properties {
                has_angle: false,
                mass_at: MassAt::Nowhere,
                ..Properties::obstacle("cell")
            },
        }
    }

    /// Name of this kind in `mesh.json`.
    pub fn name(self) -> &'static str {
        self.properties().name
    }

    /// True if the motion is scripted and nothing else moves the body.
    pub fn is_obstacle(self) -> bool {
        self.properties().is_obstacle
    }

    /// True if the body consists of triangles, springs or segments of a rod that deform.
    pub fn is_soft(self) -> bool {
        self.properties().is_soft
    }

    /// True if every vertex of the body is a separate node.
    pub fn has_free_vertices(self) -> bool {
        matches!(self, Self::Solid | Self::Springs | Self::Rod)
    }

    /// True if bodies of this kind have images where a scene repeats.
    pub fn has_images(self) -> bool {
        !self.is_obstacle()
    }

    /// True if an angle is one of the coordinates. The vertices then move on arcs.
    pub fn has_angle(self) -> bool {
        self.properties().has_angle
    }

    /// Nodes whose masses add up to the mass of a body of this kind.
    fn mass_at(self) -> MassAt {
        self.properties().mass_at
    }
}

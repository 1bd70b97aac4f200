//! Bodies and obstacles.

use super::copies::Copies;
use super::motion::{Interpolation, Keyframe, Script};
use super::shape::Shape;
use super::{examples, is_default, never, no_stretch, positive};
use crate::body::Lumping;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(example = examples::body())]
pub struct Body {
    /// Name, by which friction refers to it.
    pub name: String,
    /// How it may move and deform.
    #[serde(default)]
    pub kind: Kind,
    /// Shape at rest.
    pub shape: Shape,
    /// Name of its material.
    pub material: String,
    /// Where the shape's origin is put (m).
    #[serde(default)]
    pub position: [f64; 2],
    /// Turn about the shape's origin, counter-clockwise (degrees).
    #[serde(default)]
    pub rotation_deg: f64,
    /// Factors (1) by which a deformable body is stretched along x and y at the start, about its origin, before it is
    /// turned.
    #[serde(default = "no_stretch")]
    #[schemars(extend("items" = positive()))]
    pub stretch: [f64; 2],
    /// Velocity at the start (m/s).
    #[serde(default)]
    pub velocity: [f64; 2],
    /// Angular velocity at the start about the centre of mass, counter-clockwise (degrees/s).
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(skip_serializing_if = "never")]
    pub spin_deg: f64,
    /// Constant force on the whole body, which acts like gravity (N).
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(skip_serializing_if = "never")]
    pub force: [f64; 2],
    /// Constant torque about the centre of mass of a rigid body, counter-clockwise (N m).
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(skip_serializing_if = "never")]
    pub torque: f64,
    /// Coordinates of a rigid body that stay as they are at the start.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(skip_serializing_if = "never")]
    pub fixed: Vec<Axis>,
    /// Motion of a rigid body that is prescribed, for ever or for a time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub script: Option<Script>,
    /// What the mass of a rigid or affine body is spread over.
    #[serde(default)]
    pub mass_from: MassFrom,
    /// Bodies and obstacles of one group pass through each other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// How mass is shared out to vertices of a deformable body.
    #[serde(default)]
    pub lumping: Lumping,
    /// Vertices of a deformable body that are held or moved.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(skip_serializing_if = "never")]
    pub prescribed: Vec<Prescribed>,
    /// Bodies like this one, in rows, instead of a single one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copies: Option<Copies>,
}

/// How a body may move and deform.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(example = examples::kind())]
pub enum Kind {
    /// Every vertex is free.
    #[default]
    Deformable,
    /// A centre of mass and an angle.
    Rigid,
    /// A centre of mass and a linear map, kept nearly a rotation by a stiff energy.
    Affine(Affine),
    /// Displacements that are polynomials of the rest position.
    Polynomial(Polynomial),
    /// Displacements that are sums of the softest modes of vibration.
    Modal(Modal),
}

/// Parameters of an affine body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Affine {
    /// Stiffness of the energy that keeps the map nearly a rotation (Pa); 1e8 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub stiffness: Option<f64>,
}

/// Displacements that are polynomials.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Polynomial {
    /// Their order, from 1 (affine).
    #[schemars(range(min = 1, max = 8))]
    pub order: usize,
}

/// Displacements that are sums of modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Modal {
    /// How many modes, the three rigid ones included.
    #[schemars(range(min = 3))]
    pub modes: usize,
}

/// A coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Axis {
    /// Along x.
    X,
    /// Along y.
    Y,
    /// The angle.
    Angle,
}

/// What the mass of a body without triangles is spread over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MassFrom {
    /// The filled outline; the edges of a shape that has no inside.
    #[default]
    Outline,
    /// Half of each edge's length at either end, as if it were 1 m wide: what the rigid-ipc project does.
    Edges,
}

/// Vertices that are held or moved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(example = examples::prescribed())]
pub struct Prescribed {
    /// Which vertices.
    pub vertices: Selection,
    /// Their velocity (m/s); held if absent.
    #[serde(default)]
    pub velocity: [f64; 2],
    /// Distance after which they stop (m); never if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0))]
    pub travel: Option<f64>,
    /// Time at which they are let go (s); never if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub until: Option<f64>,
    /// The coordinates that are prescribed; both if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axis: Option<Axis>,
}

/// Which vertices of a body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Selection {
    /// All of them.
    All,
    /// These vertex numbers, from 0.
    Indices(Vec<usize>),
    /// Those that are in this box at the start.
    Box(Bounds),
}

/// An axis-aligned rectangle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Bounds {
    /// Lower left corner (m).
    pub min: [f64; 2],
    /// Upper right corner (m).
    pub max: [f64; 2],
}

/// An obstacle: a rigid thing that goes where it is told, past other obstacles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(example = examples::obstacle())]
pub struct Obstacle {
    /// Name, by which friction refers to it.
    pub name: String,
    /// Its shape.
    pub shape: Shape,
    /// Where the shape's origin is put (m); a half-plane has an origin of its own.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(skip_serializing_if = "never")]
    pub position: [f64; 2],
    /// Turn about the shape's origin, counter-clockwise (degrees).
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(skip_serializing_if = "never")]
    pub rotation_deg: f64,
    /// Its velocity (m/s).
    #[serde(default)]
    pub velocity: [f64; 2],
    /// Distance after which it stops (m); never if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0))]
    pub travel: Option<f64>,
    /// Its angular velocity about the shape's origin, counter-clockwise (degrees/s).
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(skip_serializing_if = "never")]
    pub spin_deg: f64,
    /// Where it is at given times, instead of a velocity.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(skip_serializing_if = "never")]
    pub keyframes: Vec<Keyframe>,
    /// How it moves between keyframes.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(skip_serializing_if = "never")]
    pub interpolation: Interpolation,
    /// Bodies and obstacles of one group pass through each other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
}

impl Obstacle {
    /// Its motion, for ever.
    pub fn script(&self) -> Script {
        Script {
            velocity: self.velocity,
            travel: self.travel,
            spin_deg: self.spin_deg,
            keyframes: self.keyframes.clone(),
            interpolation: self.interpolation,
            until: None,
        }
    }
}

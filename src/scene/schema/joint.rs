//! Joints between bodies, which forces cannot open.
//!
//! A joint names two rigid bodies, or one and an obstacle, and belongs to the scene like contact
//! does. It is closed to rounding at the end of every step. The bodies of a joint pass through each
//! other unless the scene says otherwise, as the parts of a real joint overlap in a plane.

#[cfg(feature = "scene")]
use super::examples;
#[cfg(feature = "scene")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A joint between two rigid bodies or obstacles. It is hard: at the end of every step it is closed
/// to rounding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[cfg_attr(feature = "scene", derive(JsonSchema))]
#[cfg_attr(feature = "scene", schemars(example = examples::joint()))]
pub enum Joint {
    /// A point that both bodies share, about which they turn freely.
    Hinge(Hinge),
    /// Two points, one of each body, that keep their distance.
    Rod(Rod),
}

/// A hinge: a point that two bodies share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "scene", derive(JsonSchema))]
pub struct Hinge {
    /// Names of two rigid bodies, or of one and an obstacle.
    pub bodies: [String; 2],
    /// Position of the hinge at the start (m); it may lie outside of the bodies.
    pub at: [f64; 2],
    /// True if the two bodies collide; if false they may overlap, as the parts of most hinges do.
    #[serde(default)]
    pub collide: bool,
}

/// A rod without mass, which ends at hinges.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "scene", derive(JsonSchema))]
pub struct Rod {
    /// Names of two rigid bodies, or of one and an obstacle.
    pub bodies: [String; 2],
    /// Positions of the ends at the start (m), in the order of the bodies; they may lie outside.
    pub ends: [[f64; 2]; 2],
    /// Whether the two bodies collide.
    #[serde(default)]
    pub collide: bool,
}

impl Joint {
    /// A hinge between two bodies, which pass through each other, at a position at the start (m).
    pub fn hinge(first: impl Into<String>, second: impl Into<String>, at: [f64; 2]) -> Self {
        Self::Hinge(Hinge {
            bodies: [first.into(), second.into()],
            at,
            collide: false,
        })
    }

    /// A rod between points of two bodies (m), which pass through each other.
    pub fn rod(first: impl Into<String>, second: impl Into<String>, ends: [[f64; 2]; 2]) -> Self {
        Self::Rod(Rod {
            bodies: [first.into(), second.into()],
            ends,
            collide: false,
        })
    }

    /// Names of the two bodies or obstacles, in the order of the scene.
    pub fn bodies(&self) -> &[String; 2] {
        match self {
            Self::Hinge(hinge) => &hinge.bodies,
            Self::Rod(rod) => &rod.bodies,
        }
    }

    /// True if the bodies of the joint collide with each other.
    pub fn collides(&self) -> bool {
        match self {
            Self::Hinge(hinge) => hinge.collide,
            Self::Rod(rod) => rod.collide,
        }
    }
}

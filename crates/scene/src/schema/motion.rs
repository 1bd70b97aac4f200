//! Scripted motion of rigid bodies and obstacles, and the coordinates that it may hold.
//!
//! A script is either a constant velocity and angular velocity, which may end after a distance, or
//! a list of keyframes. It begins at the place in the scene. A script holds all coordinates of a
//! body, so that nothing else moves it until the script ends.

use super::{examples, is_default};
use ipcsim_keys::Keys;
use serde::{Deserialize, Serialize};

/// Scripted motion of a body: at constant velocity, or from keyframe to keyframe.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
#[key(example = examples::script())]
pub struct Script {
    /// Constant velocity of the shape's origin (m/s).
    #[serde(default)]
    pub velocity: [f64; 2],
    /// Distance after which the body stops (m); never if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(at_least = 0)]
    pub travel: Option<f64>,
    /// Angular velocity about the shape's origin, counter-clockwise (degrees/s).
    #[serde(default, skip_serializing_if = "is_default")]
    pub spin_deg: f64,
    /// Positions at given times, instead of a velocity.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keyframes: Vec<Keyframe>,
    /// Motion from one keyframe to the next.
    #[serde(default, skip_serializing_if = "is_default")]
    pub interpolation: Interpolation,
    /// Time at which the script ends and the body moves on freely (s); never if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub until: Option<f64>,
}

/// Position and rotation at a time. The motion to the first keyframe begins at the position in the
/// scene; after the last keyframe the motion stops.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Keyframe {
    /// Time (s), later than the time of the keyframe before.
    #[key(at_least = 0)]
    pub time: f64,
    /// Position of the shape's origin (m).
    pub position: [f64; 2],
    /// Rotation about the shape's origin, counter-clockwise (degrees); more than 360 are more than
    /// one turn.
    #[serde(default)]
    pub rotation_deg: f64,
}

impl Keyframe {
    /// A keyframe at `time` (s) with the shape's origin at `position` (m), not rotated.
    pub fn new(time: f64, position: [f64; 2]) -> Self {
        Self {
            time,
            position,
            rotation_deg: 0.0,
        }
    }

    /// Rotates the shape about its origin, counter-clockwise (degrees).
    #[must_use]
    pub fn rotated(mut self, degrees: f64) -> Self {
        self.rotation_deg = degrees;
        self
    }
}

/// Motion from one keyframe to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Keys)]
#[serde(rename_all = "snake_case")]
pub enum Interpolation {
    /// At constant velocity from keyframe to keyframe.
    #[default]
    Linear,
    /// From rest to rest: the share `3 s^2 - 2 s^3` of the distance at the share `s` of the time.
    Smooth,
}

/// A coordinate of a body or a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Keys)]
#[serde(rename_all = "snake_case")]
pub enum Axis {
    /// Position along the x axis.
    X,
    /// Position along the y axis.
    Y,
    /// Angle of a rigid body.
    Angle,
}

//! Motion that is prescribed.

use super::{examples, is_default, never};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Motion of a body that is prescribed: at constant velocity, or from keyframe to keyframe.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(example = examples::script())]
pub struct Script {
    /// Velocity (m/s).
    #[serde(default)]
    pub velocity: [f64; 2],
    /// Distance after which it stops (m); never if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0))]
    pub travel: Option<f64>,
    /// Angular velocity about the shape's origin, counter-clockwise (degrees/s).
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
    /// Time at which it is let go and moves on by itself (s); never if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub until: Option<f64>,
}

/// Where something is at a time. Before the first keyframe it comes from where it is put at the start; after the last it
/// stays there.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Keyframe {
    /// Time (s), later than that of the keyframe before.
    #[schemars(range(min = 0))]
    pub time: f64,
    /// Where the shape's origin is (m).
    pub position: [f64; 2],
    /// How far it is turned about it, counter-clockwise (degrees); more than 360 are more than one turn.
    #[serde(default)]
    pub rotation_deg: f64,
}

/// How something moves between keyframes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Interpolation {
    /// At constant velocity.
    #[default]
    Linear,
    /// From rest to rest, `3 s^2 - 2 s^3` of the way.
    Smooth,
}

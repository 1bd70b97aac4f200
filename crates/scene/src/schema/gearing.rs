//! Gears and racks between bodies, as equations and without teeth.

use ipcsim_keys::Keys;
use serde::{Deserialize, Serialize};

/// Gears on two bodies, whose axles other joints hold.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct GearPair {
    /// Names of two bodies, or of one and an obstacle or `world`, which never moves.
    pub bodies: [String; 2],
    /// Turns of the first body for one turn of the second (1), both against the part that holds their
    /// axles: the teeth of the second over the teeth of the first, and negative for gears that mesh
    /// from outside, which turn in opposite directions.
    pub ratio: f64,
    /// Name of the body or obstacle that holds both axles, by hinges; `world` if it never moves. It may turn, as the arm of a
    /// planetary train. If absent the hinges of the scene tell it; without any, angles count in the
    /// world.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub carrier: Option<String>,
    /// Name in messages and tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Whether the two bodies collide.
    #[serde(default)]
    pub collide: bool,
    /// Torque on the first body (N m) above which teeth break at the end of a step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub break_torque: Option<f64>,
}

/// A rack and a pinion, which other joints hold at their distance.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct RackPair {
    /// Names of the rack and of the pinion; one may be an obstacle or `world`.
    pub bodies: [String; 2],
    /// Axle of the pinion at the start (m).
    pub at: [f64; 2],
    /// Direction of the rack at the start (1), of any length above 0. It turns with the rack.
    pub axis: [f64; 2],
    /// Pitch radius of the pinion (m), with a sign: the axle moves against the rack along `axis` by
    /// this times the angle (rad) by which the pinion turns counter-clockwise against the rack. It is
    /// positive for a pinion to the right of `axis`, and negative for one to its left, as above a rack
    /// along x.
    pub radius: f64,
    /// Name in messages and tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Whether the two bodies collide.
    #[serde(default)]
    pub collide: bool,
    /// Force of the teeth (N) above which they break at the end of a step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub break_force: Option<f64>,
}

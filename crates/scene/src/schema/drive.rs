//! Motors and springs in joints.

use super::{Varying, is_default};
use ipcsim_keys::Keys;
use serde::{Deserialize, Serialize};

/// A motor that turns the second body of a joint against the first: exactly one of `speed_deg` and
/// `angle_deg`. It slips at its largest torque. With `stiffness` or `damping` it is a servo, whose torque
/// is `stiffness (angle_deg - angle) + damping (speed_deg - speed)`, in radians, and no more than `torque`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Motor {
    /// Speed (degrees/s), counter-clockwise: a number, a table in time, or a formula of t.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed_deg: Option<Varying>,
    /// Angle (degrees) from the start, over turns: a number, a table in time, or a formula of t.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub angle_deg: Option<Varying>,
    /// Largest torque (N m), above 0.
    #[key(above = 0)]
    pub torque: f64,
    /// Torque per angle, of a radian (N m), by which a servo drives to `angle_deg`. Without it, and
    /// without `damping`, the motor is as stiff as its torque allows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub stiffness: Option<f64>,
    /// Torque per angular speed, of a radian per second (N m s), by which a servo follows `speed_deg`;
    /// if that is absent the rate of `angle_deg`.
    #[serde(default, skip_serializing_if = "is_default")]
    #[key(at_least = 0)]
    pub damping: f64,
}

/// A motor that moves the point of a joint along its line: exactly one of `speed` and `place`. It slips
/// at its largest force. With `stiffness` or `damping` it is a servo, whose force is
/// `stiffness (place - displacement) + damping (speed - rate)`, and no more than `force`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Thrust {
    /// Speed (m/s) along the line: a number, a table in time, or a formula of t.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<Varying>,
    /// Displacement (m) along the line from the start: a number, a table in time, or a formula of
    /// t.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Varying>,
    /// Largest force (N), above 0.
    #[key(above = 0)]
    pub force: f64,
    /// Force per displacement (N/m) by which a servo drives to `place`. Without it, and without
    /// `damping`, the motor is as stiff as its force allows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[key(above = 0)]
    pub stiffness: Option<f64>,
    /// Force per speed (N s/m) by which a servo follows `speed`; if that is absent the rate of `place`.
    #[serde(default, skip_serializing_if = "is_default")]
    #[key(at_least = 0)]
    pub damping: f64,
}

/// A spring about a hinge, with a damper in parallel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Torsion {
    /// Torque per angle, of a radian (N m).
    #[key(at_least = 0)]
    pub stiffness: f64,
    /// Angle without torque (degrees), counted from the start.
    #[serde(default, skip_serializing_if = "is_default")]
    pub rest_deg: f64,
    /// Torque per angular speed, of a radian per second (N m s).
    #[serde(default, skip_serializing_if = "is_default")]
    #[key(at_least = 0)]
    pub damping: f64,
}

/// A spring along the line of a joint, with a damper in parallel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, Keys)]
#[serde(deny_unknown_fields)]
pub struct Spring {
    /// Force per displacement (N/m).
    #[key(at_least = 0)]
    pub stiffness: f64,
    /// Displacement without force (m), counted from the start.
    #[serde(default, skip_serializing_if = "is_default")]
    pub rest: f64,
    /// Force per speed (N s/m).
    #[serde(default, skip_serializing_if = "is_default")]
    #[key(at_least = 0)]
    pub damping: f64,
}
